import Glibc
import Platform
import Scheduling
import Storage
import TestSupport
import Testing

@testable import Hosting
@testable import Plugins
@testable import Runner

@Suite("What commands left behind when the daemon died", .timeLimit(.minutes(1)))
struct LeftoverWatchTests {
    private static let run = RunIdentifier(7)

    /// A store in which run 7 is running, with this mark of its process.
    private func memory(_ mark: ProcessMark?) throws -> MemoryStore {
        let boot = BootIdentifier(SystemClock.bootIdentifier())
        let request = PendingRequest(
            identifier: HostingFixture.identifier(), app: HostingFixture.app, kind: .processing,
            submittedAt: WallTime(milliseconds: 0), submittedBoot: BootTime(milliseconds: 0), bootIdentifier: boot,
            submission: 3)
        var record = RunRecord(
            run: Self.run, request: request, origin: .scheduled, attempt: 1, state: .running,
            startedAt: WallTime(milliseconds: 0), startedBoot: BootTime(milliseconds: 0))
        record.process = mark
        let memory = MemoryStore()
        try memory.commit([.putRun(record)])
        return memory
    }

    private func sleeper(_ environment: [String: String] = [:]) throws -> ChildProcess {
        try ChildProcess.spawn(
            SpawnOptions(executable: "/bin/sleep", arguments: ["1000"], environment: environment))
    }

    private func mark(_ process: ChildProcess) throws -> ProcessMark {
        let identity = try #require(ProcessIdentity(pid: process.pid))
        return ProcessMark(
            group: identity.pid, startTime: identity.startTime,
            bootIdentifier: BootIdentifier(SystemClock.bootIdentifier()))
    }

    private func fixture(_ memory: MemoryStore) throws -> HostingFixture {
        try HostingFixture(memory: memory, [HostingFixture.shell("exit 0")])
    }

    /// The task waits while the process lives, and runs when it has ended.
    private func expectHeld(_ fixture: HostingFixture, until process: ChildProcess) async throws {
        await fixture.submit()
        let closed = try #require(await fixture.engine.gate(.alreadyRunning, of: HostingFixture.identifier()))
        #expect(closed.verdict == .closed)
        #expect(closed.source == "leftover process")
        #expect(fixture.notices.ended.allSatisfy { $0.run == Self.run })
        process.signalGroup(SIGKILL)
        let run = await fixture.notices.ended(where: { $0.run != Self.run })
        #expect(run.state == .succeeded)
        #expect(process.reap() == .signalled(SIGKILL))
    }

    @Test("the group of a run that had not ended is found, and holds the task until it is gone")
    func groups() async throws {
        let process = try sleeper()
        let fixture = try fixture(try memory(try mark(process)))
        try await expectHeld(fixture, until: process)
    }

    @Test("a process that left the group is found by its environment")
    func environments() async throws {
        let process = try sleeper([CommandEnvironment.launchVariable: "memory.\(Self.run.number)"])
        let fixture = try fixture(try memory(nil))
        try await expectHeld(fixture, until: process)
    }

    @Test("a leftover that was killed and has not quite ended is waited for, though it shows no environment any more")
    func ending() async throws {
        let folder = TemporaryFolder()
        var options = SpawnOptions(
            executable: "/bin/sh", arguments: ["-c", LargeProcess.script + "touch filled; exec sleep 1000"],
            environment: ["PATH": "/usr/bin:/bin", CommandEnvironment.launchVariable: "memory.\(Self.run.number)"])
        options.workingDirectory = folder.path
        let process = try ChildProcess.spawn(options)
        while access(folder.file("filled"), F_OK) != 0 { await Task.yield() }
        let large = try #require(ProcessTable.members(ofGroup: process.pid).first { $0.pid != process.pid })
        let found = Locked(false)
        let fixture = try HostingFixture([]) { if case .leftoverFound = $0 { found.withLock { $0 = true } } }
        let leftovers = try memory(nil).load().leftovers
        let left = await fixture.with { commands, _ in
            process.signalGroup(SIGKILL)
            while LargeProcess.showsEnvironment(large.pid) {}
            commands.leftovers.look(for: leftovers)
            return ProcessTable.members(ofGroup: process.pid)
        }
        #expect(left.isEmpty || found.withLock { $0 })
        #expect(process.reap() == .signalled(SIGKILL))
    }

    @Test("a second daemon that dies does not make the third forget what the first left behind")
    func twice() async throws {
        let process = try sleeper()
        let memory = try memory(try mark(process))
        do {
            let fixture = try fixture(memory)
            await fixture.submit()
            #expect(await fixture.engine.gate(.alreadyRunning, of: HostingFixture.identifier())?.verdict == .closed)
        }
        try await expectHeld(try fixture(memory.afterCrash()), until: process)
    }

    @Test("of several leftovers the last one counts")
    func several() async throws {
        let name = [CommandEnvironment.launchVariable: "memory.\(Self.run.number)"]
        let (first, second) = (try sleeper(name), try sleeper(name))
        let fixture = try fixture(try memory(try mark(first)))
        first.signalGroup(SIGKILL)
        _ = BlockingIO.wait(for: .reading, of: first.pidfd.raw)
        #expect(first.reap() == .signalled(SIGKILL))
        try await expectHeld(fixture, until: second)
    }

    @Test("somebody else's process is not taken for a leftover")
    func others() async throws {
        let process = try sleeper([CommandEnvironment.launchVariable: "memory.8"])
        defer {
            process.signalGroup(SIGKILL)
            _ = BlockingIO.wait(for: .reading, of: process.pidfd.raw)
            _ = process.reap()
        }
        var (later, otherBoot) = (try mark(process), try mark(process))
        later.startTime += 1
        otherBoot.bootIdentifier = BootIdentifier("another boot")
        for mark in [later, otherBoot] {
            let fixture = try fixture(try memory(mark))
            await fixture.submit()
            #expect(await fixture.notices.ended(where: { $0.run != Self.run }).state == .succeeded)
        }
        #expect(ProcessIdentity(pid: process.pid) != nil)
    }
}

extension Notices {
    func ended(where matches: @escaping @Sendable (RunRecord) -> Bool) async -> RunRecord {
        await wait { notices in
            notices.contains { if case .ended(let run) = $0 { matches(run) } else { false } }
        }
        guard let run = ended.first(where: matches) else { preconditionFailure("the run has not ended in time") }
        return run
    }
}
