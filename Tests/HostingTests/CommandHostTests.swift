import Glibc
import Platform
import Scheduling
import Storage
import SystemPlatform
import TestSupport
import Testing

@testable import Hosting
@testable import Plugins
@testable import Runner

@Suite("Command tasks", .timeLimit(.minutes(1)))
struct CommandHostTests {
    private func texts(_ lines: [LogPage.Line], _ stream: String = "stdout") -> [String] {
        lines.filter { $0.stream == stream }.map(\.text)
    }

    // MARK: - Ends

    @Test("a run ends as its command exits", arguments: [(0, RunState.succeeded), (3, .failed), (255, .failed)])
    func exits(status: Int, state: RunState) async throws {
        let (run, _) = try await HostingFixture.run("exit \(status)")
        #expect(run.state == state)
        #expect(run.exit == .code(Int32(status)))
        #expect(run.message == (status == 0 ? nil : "exit status \(status)"))
    }

    @Test("death by a signal that nobody sent for the run's end is a crash")
    func signals() async throws {
        let (run, _) = try await HostingFixture.run("kill -ABRT $$")
        #expect(run.state == .crashed)
        #expect(run.exit == .signal(SIGABRT))
        #expect(run.diagnostics.map(\.name).contains(.processCrashed))
        let (terminated, _) = try await HostingFixture.run("kill -TERM $$")
        #expect(terminated.state == .crashed)
    }

    @Test("a command that cannot be executed is tried three times, and then the run is crashed (B22)")
    func failedStarts() async throws {
        var policy = Policy.prompt
        policy.timing.startBackoff = .milliseconds(1)
        let fixture = try HostingFixture(policy: policy, [HostingFixture.command(["/nowhere/program"])])
        await fixture.submit()
        let last = await fixture.notices.ended(3)
        #expect(last.state == .crashed)
        #expect(fixture.notices.ended.map(\.attempt) == [1, 2, 3])
        #expect(last.message?.contains("/nowhere/program") == true)
        #expect(await fixture.engine.scheduler.pendingCount == 0)
    }

    @Test("a start that failed gives its request back, with a backoff")
    func givesBack() async throws {
        let fixture = try HostingFixture([HostingFixture.command(["/nowhere/program"])])
        await fixture.submit()
        _ = await fixture.notices.ended()
        #expect(await fixture.engine.scheduler.pending(HostingFixture.identifier())?.attempts == 1)
        #expect(await fixture.engine.gate(.backoff, of: HostingFixture.identifier())?.verdict == .closed)
    }

    @Test("a working directory that is not there is a failed start too")
    func failedDirectory() async throws {
        let fixture = try HostingFixture([HostingFixture.shell("exit 0", in: "/nowhere")])
        await fixture.submit()
        let run = await fixture.notices.ended()
        #expect(run.state == .crashed)
        #expect(run.attempt == 1)
    }

    @Test("a process that cannot be watched is ended and reaped, and its start has failed")
    func unwatched() async throws {
        let fixture = try HostingFixture()
        let process = try ChildProcess.spawn(SpawnOptions(executable: "/bin/sleep", arguments: ["1000"]))
        let closed = OwnedDescriptor(-1)
        let order = try await fixture.order()
        await fixture.with { commands, _ in commands.host.follow(process, [(.output, closed)], order) }
        // A process that waits to be reaped could still be signalled.
        #expect(kill(process.pid, 0) == -1)
        #expect(process.reap() == .signalled(SIGKILL))
    }

    // MARK: - Expiration

    @Test(
        "dying of SIGTERM, or exiting 143 after it, is expired without misbehaviour, and cancelled after stop",
        arguments: ["", "trap 'exit 143' TERM; "], [ExpirationReason.budget, .stopped])
    func terminates(trap: String, reason: ExpirationReason) async throws {
        let fixture = try HostingFixture([
            HostingFixture.shell(trap + #"echo '{"fraction": 0}' >&3; while :; do sleep 0.01; done"#)
        ])
        await fixture.submit()
        await fixture.notices.progress(0)
        await fixture.expire(reason)
        let run = await fixture.notices.ended()
        #expect(run.state == (reason == .stopped ? .cancelled : .expired))
        #expect(run.expirationReason == reason)
        #expect(run.exit == (trap.isEmpty ? .signal(SIGTERM) : .code(143)))
        #expect(!run.diagnostics.map(\.name).contains(.graceEnded))
    }

    @Test("a command that ends its work on SIGTERM has the state that it reports, and the reason (B24)")
    func finishes() async throws {
        let fixture = try HostingFixture([
            HostingFixture.shell(
                #"trap 'echo done; exit 0' TERM; echo '{"fraction": 0}' >&3; while :; do sleep 0.01; done"#)
        ])
        await fixture.submit()
        await fixture.notices.progress(0)
        await fixture.expire(.draining)
        let run = await fixture.notices.ended()
        #expect(run.state == .succeeded)
        #expect(run.expirationReason == .draining)
        #expect(texts(await fixture.lines(run)) == ["done"])
    }

    @Test("a command that ignores SIGTERM gets SIGKILL at the end of its grace, and that is a misbehaviour")
    func ignores() async throws {
        var task = HostingFixture.shell(
            #"trap '' TERM; echo $$; echo '{"fraction": 0}' >&3; while :; do sleep 0.01; done"#)
        task.settings.grace = .milliseconds(50)
        let fixture = try HostingFixture([task])
        await fixture.submit()
        await fixture.notices.progress(0)
        await fixture.expire(.budget)
        let run = await fixture.notices.ended()
        #expect(run.state == .expired)
        #expect(run.diagnostics.map(\.name).contains(.graceEnded))
        // The next start waits for the end of the old process.
        await fixture.submit()
        await fixture.notices.progress(0, count: 2)
        let pid = try #require(Int32(texts(await fixture.lines(run)).first ?? ""))
        #expect(ProcessIdentity(pid: pid) == nil)
        await fixture.expire(.stopped)
        _ = await fixture.notices.ended(2)
    }

    @Test("the budget's end is an expiration (B23)")
    func budgets() async throws {
        var task = HostingFixture.shell("exec sleep 1000")
        task.settings.budget = .milliseconds(50)
        let fixture = try HostingFixture([task])
        await fixture.submit()
        let run = await fixture.notices.ended()
        #expect(run.state == .expired)
        #expect(run.expirationReason == .budget)
        #expect(run.budgetMilliseconds == 50)
    }

    @Test("what a command leaves in its group ends with it")
    func grandchildren() async throws {
        let (run, lines) = try await HostingFixture.run("sleep 1000 & echo $!; exit 0")
        #expect(run.state == .succeeded)
        let pid = try #require(Int32(texts(lines).first ?? ""))
        if let identity = ProcessIdentity(pid: pid), let pidfd = ProcessTable.openPidfd(identity) {
            let deadline = SystemClock.milliseconds(.awake) + 20_000
            #expect(BlockingIO.wait(for: .reading, of: pidfd.raw, until: deadline))
        }
    }

    @Test("a run ends only when nothing of its group is left, however long its memory takes to be given back")
    func slowEnds() async throws {
        let folder = TemporaryFolder()
        let group = Locked<Int32>(0)
        let left = Locked<[ProcessIdentity]?>(nil)
        let fixture = try HostingFixture([HostingFixture.shell(LargeProcess.script + "exit 0", in: folder.path)]) {
            switch $0 {
            case .handlerEntered(_, let mark): group.withLock { $0 = mark?.group ?? 0 }
            case .processExited: left.withLock { $0 = ProcessTable.members(ofGroup: group.withLock { $0 }) }
            default: break
            }
        }
        await fixture.submit()
        #expect(await fixture.notices.ended().state == .succeeded)
        #expect(left.withLock { $0 } == [])
    }

    @Test("SIGTERM reaches the whole group")
    func groups() async throws {
        let fixture = try HostingFixture([
            HostingFixture.shell(
                #"(trap 'echo child; exit' TERM; echo '{"fraction": 1}' >&3; while :; do sleep 0.01; done) & "#
                    + #"trap 'wait; echo parent; exit 0' TERM; echo '{"fraction": 0}' >&3; wait"#)
        ])
        await fixture.submit()
        await fixture.notices.progress(0)
        await fixture.notices.progress(1)
        await fixture.expire(.stopped)
        let run = await fixture.notices.ended()
        #expect(texts(await fixture.lines(run)).sorted() == ["child", "parent"])
    }

    // MARK: - Surroundings

    @Test("the environment is clean: what is inherited by name, what the manifest adds, and the run's own")
    func environments() async throws {
        var task = HostingFixture.command(["/usr/bin/env", "-0"], in: "/")
        task.environment = ["GREETING": "hello world", "RUNNER_RUN": "forged", "LANG": "C.UTF-8"]
        let variables = [
            "PATH": "/usr/bin:/bin", "HOME": "/nowhere/tests", "USER": "tests", "TMPDIR": "/tmp", "LANG": "de_DE.UTF-8",
            "TZ": "UTC", "LD_PRELOAD": "/evil.so", "NOTIFY_SOCKET": "/run/notify", "SHELL": "/bin/sh",
        ]
        let fixture = try HostingFixture(variables: variables, [task])
        await fixture.submit()
        let run = await fixture.notices.ended()
        let text = await fixture.lines(run).map(\.text).joined()
        var seen: [String: String] = [:]
        for entry in text.split(separator: "\0") {
            let parts = entry.split(separator: "=", maxSplits: 1).map(String.init)
            seen[parts[0]] = parts.count == 2 ? parts[1] : ""
        }
        let deadline = seen.removeValue(forKey: "RUNNER_DEADLINE")
        #expect(deadline?.hasSuffix("Z") == true)
        #expect(
            seen == [
                "PATH": "/usr/bin:/bin", "HOME": "/nowhere/tests", "USER": "tests", "TMPDIR": "/tmp",
                "LANG": "C.UTF-8", "TZ": "UTC", "GREETING": "hello world",
                "RUNNER_TASK_IDENTIFIER": "com.example.shell.task", "RUNNER_RUN": "\(run.run.number)",
                "RUNNER_TASK_KIND": "processing", "RUNNER_ORIGIN": "scheduled", "RUNNER_ATTEMPT": "1",
                "RUNNER_SOCKET": "/run/control.sock", "RUNNER_LAUNCH": "memory.\(run.run.number)",
            ])
    }

    @Test("a command has the descriptors 0 to 3 and no others, and reads nothing")
    func descriptors() async throws {
        let (run, lines) = try await HostingFixture.run("ls /proc/$$/fd; cat; readlink /proc/$$/fd/0")
        #expect(run.state == .succeeded)
        #expect(texts(lines) == ["0", "1", "2", "3", "/dev/null"])
    }

    @Test("a command runs in its working directory, and leads its own group")
    func directories() async throws {
        let folder = TemporaryFolder()
        let (_, lines) = try await HostingFixture.run("pwd -P; ps -o pgid= -p $$ | tr -d ' '; echo $$", in: folder.path)
        let texts = texts(lines)
        try #require(texts.count == 3)
        #expect(texts[0] == folder.path)
        #expect(texts[1] == texts[2])
    }

    @Test("the limits of the bundle are those of its commands")
    func limits() async throws {
        var limits = ManifestLimits()
        limits.openFiles = 17
        limits.cpuSeconds = 60
        let fixture = try HostingFixture([HostingFixture.shell("ulimit -n; ulimit -t; ulimit -c")], limits: limits)
        await fixture.submit()
        let run = await fixture.notices.ended()
        #expect(texts(await fixture.lines(run)) == ["17", "60", "0"])
    }

    // MARK: - Output

    @Test("output is kept line by line with its stream, also the last line without an end")
    func output() async throws {
        let (_, lines) = try await HostingFixture.run(#"echo one; echo "two  2"; echo bad >&2; echo; printf last"#)
        #expect(texts(lines) == ["one", "two  2", "", "last"])
        #expect(texts(lines, "stderr") == ["bad"])
        #expect(lines.allSatisfy { $0.at.milliseconds > 1_700_000_000_000 })
    }

    @Test("a long line is cut at 8 KiB")
    func longLines() async throws {
        let (_, lines) = try await HostingFixture.run(
            "head -c 8192 /dev/zero | tr '\\0' x; echo; head -c 8193 /dev/zero | tr '\\0' y; echo; echo z")
        #expect(
            texts(lines) == [
                String(repeating: "x", count: 8_192), String(repeating: "y", count: 8_192) + "…", "z",
            ])
    }

    @Test("of a run so much output is kept and no more, and the log says so")
    func muchOutput() async throws {
        let fixture = try HostingFixture(bytesPerRun: 2_000, [HostingFixture.shell("seq 1 1000; exit 0")])
        await fixture.submit()
        let run = await fixture.notices.ended()
        let lines = await fixture.lines(run)
        #expect(run.state == .succeeded)
        #expect(lines.first?.text == "1")
        #expect(lines.last?.stream == "runner")
        #expect(lines.last?.text.contains("2000") == true)
        #expect(PlainFile.size(fixture.folder.file("logs/com.example.shell/\(run.run.number).log")) < 2_200)
    }

    @Test("lines on descriptor 3 are progress; what cannot be read is left out")
    func progress() async throws {
        let script = """
            echo '{"fraction": 0.25, "title": "Copying", "extra": true}' >&3
            echo 'half' >&3
            echo '{"fraction": "0.5"}' >&3
            echo '{"title": "no fraction"}' >&3
            printf '{"fraction": 7, "subtitle": "end"}' >&3
            """
        let (run, lines) = try await HostingFixture.run(script)
        #expect(run.state == .succeeded)
        #expect(run.progress == RunProgress(fraction: 1, title: "Copying", subtitle: "end"))
        #expect(lines.isEmpty)
    }

    @Test("what was written before the exit counts, however much it is")
    func writtenBeforeTheExit() async throws {
        let (run, lines) = try await HostingFixture.run("seq 1 20000; echo '{\"fraction\": 0.5}' >&3")
        #expect(texts(lines).count == 20_000)
        #expect(texts(lines).last == "20000")
        #expect(run.progress?.fraction == 0.5)
    }
}

extension HostingFixture {
    /// An order for a run that the scheduler knows nothing of.
    func order() async throws -> LaunchOrder {
        let request = PendingRequest(
            identifier: Self.identifier(), app: Self.app, kind: .processing, submittedAt: WallTime(milliseconds: 0),
            submittedBoot: BootTime(milliseconds: 0), bootIdentifier: BootIdentifier("boot"), submission: 1)
        let record = RunRecord(
            run: RunIdentifier(99), request: request, origin: .scheduled, attempt: 1, state: .starting,
            startedAt: WallTime(milliseconds: 0), startedBoot: BootTime(milliseconds: 0))
        return LaunchOrder(record: record, budget: nil, recovered: nil)
    }
}

extension Notices {
    /// Waits until runs have reported this progress so many times.
    func progress(_ fraction: Double, count: Int = 1) async {
        await wait { notices in
            notices.count { if case .progressed(let run) = $0 { run.progress?.fraction == fraction } else { false } }
                >= count
        }
    }
}
