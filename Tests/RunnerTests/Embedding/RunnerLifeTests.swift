import Platform
import Plugins
import RPC
import Scheduling
import TestSupport
import Testing

@testable import Runner

@Suite("The life of an embedded runner", .timeLimit(.minutes(1)))
struct RunnerLifeTests {
    private func idle(_ folder: TemporaryFolder = TemporaryFolder()) throws -> EmbeddedFixture {
        let fixture = try EmbeddedFixture(folder: folder)
        try fixture.runner.register(EmbeddedFixture.refresh) { (_: TaskContext) in }
        return fixture
    }

    @Test("a state folder has one runner; the second is told so, and may come when the first has ended")
    func oneRunner() async throws {
        let folder = TemporaryFolder()
        let (first, second) = (try idle(folder), try idle(folder))
        try await first.start()
        let error = try #require(throws: TaskRunnerError.self) { try second.runner.start() }
        #expect(error.kind == .alreadyRunning)
        try await first.stop()
        try await second.start()
        try await second.stop()
    }

    @Test("requests survive a stop and are there for the next runner")
    func survival() async throws {
        let folder = TemporaryFolder()
        let floor = WallTime(milliseconds: SystemClock.milliseconds(.wall) + 3_600_000)
        let first = try idle(folder)
        try await first.start()
        try await first.submit(floor: floor)
        try await first.stop()

        let second = try idle(folder)
        try await second.start()
        let pending = try await second.engine.scheduler.pending(EmbeddedFixture.refreshIdentifier)
        #expect(pending?.floor == floor)
        #expect(try await second.runner.cancel(EmbeddedFixture.refreshIdentifier))
        #expect(try await !second.runner.cancel(EmbeddedFixture.refreshIdentifier))
        try await second.stop()
    }

    @Test("run() returns after stop()")
    func stops() async throws {
        let fixture = try idle()
        try await fixture.start()
        let run = Task { try await fixture.runner.run() }
        fixture.runner.stop()
        try await run.value
        let error = await #expect(throws: TaskRunnerError.self) { try await fixture.runner.run() }
        #expect(error?.kind == .startedTwice)
    }

    @Test("run() returns when its task is cancelled, and lets what runs end")
    func cancellation() async throws {
        let fixture = try EmbeddedFixture()
        let (entered, goOn) = (Occurrence<Void>(), Occurrence<Void>())
        try fixture.runner.register(EmbeddedFixture.refresh) { (_: TaskContext) in
            entered.happen()
            await goOn.value
        }
        try await fixture.start()
        let run = Task { try await fixture.runner.run() }
        try await fixture.submit()
        await entered.value
        run.cancel()
        await fixture.notices.wait { $0.contains(.phaseChanged(.draining)) }
        #expect(fixture.notices.ended.isEmpty)
        goOn.happen()
        try await run.value
        #expect(fixture.notices.ended.map(\.state) == [.succeeded])
        #expect(fixture.notices.ended.first?.expirationReason == nil)
    }

    @Test("a second stop expires what still runs at once")
    func hurries() async throws {
        let fixture = try EmbeddedFixture()
        let entered = Occurrence<Void>()
        try fixture.runner.register(EmbeddedFixture.refresh) { (_: TaskContext) in
            entered.happen()
            let over = Occurrence<Void>()
            await withTaskCancellationHandler {
                await over.value
            } onCancel: {
                over.happen()
            }
        }
        try await fixture.start()
        try await fixture.submit()
        await entered.value
        fixture.runner.stop()
        try await fixture.stop()
        #expect(fixture.notices.ended.first?.expirationReason == .draining)
    }

    @Test("starting twice is refused")
    func startsTwice() async throws {
        let fixture = try idle()
        try await fixture.start()
        let error = try #require(throws: TaskRunnerError.self) { try fixture.runner.start() }
        #expect(error.kind == .startedTwice)
        try await fixture.stop()
    }

    @Test("before the start and after the end calls are refused, not kept waiting")
    func calls() async throws {
        let fixture = try idle()
        let early = await #expect(throws: Refusal.self) { try await fixture.submit() }
        #expect(early?.kind == .unavailable)
        try await fixture.start()
        try await fixture.stop()
        let late = await #expect(throws: Refusal.self) { try await fixture.submit() }
        #expect(late?.kind == .unavailable)
        let cancel = await #expect(throws: Refusal.self) {
            try await fixture.runner.cancel(EmbeddedFixture.refreshIdentifier)
        }
        #expect(cancel?.kind == .unavailable)
    }

    @Test("a handler that outlives its runner gets answers, not silence")
    func outlived() async throws {
        let fixture = try EmbeddedFixture { $0.policy.budgets.grace = .milliseconds(20) }
        let (entered, goOn, answers) = (Occurrence<Void>(), Occurrence<Void>(), Occurrence<(Bool, Refusal.Kind?)>())
        try fixture.runner.register(EmbeddedFixture.refresh) { (task: LaunchedTask) in
            task.expirationHandler = {}
            entered.happen()
            Task {
                await goOn.value
                let accepted = await task.complete(success: true)
                do throws(Refusal) {
                    try await task.context.submit(TaskRequest(identifier: task.identifier))
                    answers.happen((accepted, nil))
                } catch {
                    answers.happen((accepted, error.kind))
                }
            }
        }
        try await fixture.start()
        try await fixture.submit()
        await entered.value
        fixture.runner.stop()
        try await fixture.stop()
        #expect(fixture.notices.ended.map(\.state) == [.expired])
        goOn.happen()
        let (accepted, refusal) = await answers.value
        #expect(!accepted)
        #expect(refusal == .unavailable)
    }

    @Test("a start that failed leaves nothing behind and can be tried again")
    func failedStarts() async throws {
        let folder = TemporaryFolder()
        try folder.write("in the way", to: "control.sock")
        let fixture = try EmbeddedFixture(folder: folder) { $0.socket = .path(folder.file("control.sock")) }
        let done = Occurrence<Void>()
        try fixture.runner.register(EmbeddedFixture.refresh) { (_: TaskContext) in done.happen() }
        let error = try #require(throws: TaskRunnerError.self) { try fixture.runner.start() }
        #expect(error.kind == .socket)
        try folder.remove("control.sock")
        try await fixture.start()
        try await fixture.submit()
        await done.value
        try await fixture.stop()
    }

    @Test("a state folder that cannot be made is a clear error")
    func stateFolders() throws {
        let folder = TemporaryFolder()
        try folder.write("a file", to: "state")
        let fixture = try idle(folder)
        let error = try #require(throws: TaskRunnerError.self) { try fixture.runner.start() }
        #expect(error.kind == .stateFolder)
        #expect(error.description.contains(folder.file("state")))
    }

    @Test("a runner whose program has dropped it goes on, and keeps its state folder, until it is shut down")
    func dropped() async throws {
        let folder = TemporaryFolder()
        let path = folder.file("control.sock")
        weak var weakly: EmbeddedFixture?
        do {
            let fixture = try EmbeddedFixture(folder: folder) { $0.socket = .path(path) }
            try fixture.runner.register(EmbeddedFixture.refresh) { (_: TaskContext) in }
            try await fixture.start()
            weakly = fixture
        }
        #expect(weakly == nil)
        let second = try idle(folder)
        let error = try #require(throws: TaskRunnerError.self) { try second.runner.start() }
        #expect(error.kind == .alreadyRunning)
        let client = try ControlClient(path)
        #expect(try client.result("status")["phase"]?.string == "running")
        _ = try client.result("shutdown")
        #expect(try client.receiveLine() == nil)
        // The connection is closed just before the folder is given up.
        while true {
            do {
                try await second.start()
                break
            } catch let error as TaskRunnerError where error.kind == .alreadyRunning {
                await Task.yield()
            }
        }
        try await second.stop()
    }

    @Test("a program's own socket serves it, and its file goes with the runner")
    func sockets() async throws {
        let folder = TemporaryFolder()
        let path = folder.file("control.sock")
        let fixture = try EmbeddedFixture(folder: folder) {
            $0.socket = .path(path)
            $0.allowsSimulation = false
        }
        try fixture.runner.register(EmbeddedFixture.refresh) { (_: TaskContext) in }
        try await fixture.start()
        let client = try ControlClient(path)
        let registered = try client.result("registered")["identifiers"]?.array?.first
        #expect(registered?["identifier"]?.string == EmbeddedFixture.refresh)
        #expect(registered?["handler"]?.string == "embedded")
        let error = try client.error("simulateLaunch", #"{"identifier": "\#(EmbeddedFixture.refresh)"}"#)
        #expect(error.code == 20)
        try await fixture.stop()
        #expect(PlainFile.names(in: folder.path) == ["state"])
    }
}
