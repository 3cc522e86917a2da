import Scheduling
import Testing

/// What keeps an app's process from being started again without end, and without need (04, *Supervision*).
@Suite("Starts after starts")
struct RestartTests {
    private let refresh = Fixture.task("refresh")

    /// A process that submits while it starts, finishes its launch and exits with 0 before it took a launch.
    private func liveInVain(_ timeline: inout Timeline) {
        timeline.connect()
        timeline.register(refresh.text)
        timeline.submit(refresh, by: Fixture.app)
        timeline.send(.launchFinished(Fixture.app))
        timeline.processGone(.code(0))
    }

    @Test("a process that submits whenever it starts, and exits before it took the launch, ends in quarantine")
    func submitsAndExits() {
        var timeline = Timeline.withProcess()
        var lives = 0
        while timeline.appState == .starting, timeline.starts.count > lives, lives < 20 {
            liveInVain(&timeline)
            lives += 1
        }
        // Once a launch may have met an exit that was on its way.
        #expect(lives == 2)
        #expect(timeline.diagnostics.contains { $0.name == .processFailed && $0.message.contains("status 0") })
        #expect(timeline.closedGates(refresh).contains(.backoff))
        for _ in 0..<5 where timeline.appState != .quarantined {
            timeline.wait(.minutes(1))
            liveInVain(&timeline)
            lives += 1
        }
        #expect(timeline.appState == .quarantined)
        #expect(lives == 6)
    }

    @Test("a process that refuses its launch, submits again and exits has failed when it does so again")
    func refusesAndExits() {
        var timeline = Timeline.launchedProcess()
        timeline.submit(refresh)
        for life in 1...2 {
            timeline.send(.startFailed(timeline.launches[life - 1].run, reason: "it refused the launch"))
            timeline.submit(refresh, by: Fixture.app)
            timeline.processGone(.code(0))
            if life == 1 { timeline.launchProcess(["refresh"]) }
        }
        #expect(timeline.starts.count == 2)
        #expect(timeline.diagnostics.contains { $0.name == .processFailed })
        timeline.wait(.seconds(2))
        #expect(timeline.starts.count == 3)
    }

    @Test("a handler that is entered ends the row of exits")
    func entersBetween() {
        var timeline = Timeline.withProcess()
        liveInVain(&timeline)
        timeline.launchProcess(["refresh"])
        timeline.enter(refresh)
        timeline.complete(refresh, returns: false)
        timeline.processGone(.code(0))
        timeline.submit(refresh)
        liveInVain(&timeline)
        #expect(timeline.starts.count == 4)
        #expect(timeline.diagnostics.allSatisfy { $0.name != .processFailed })
    }

    @Test("a process whose backoff ends is not started for a request that was cancelled meanwhile")
    func nobodyWaitsAfterBackoff() {
        var timeline = Timeline.launchedProcess()
        timeline.processGone(.code(1))
        timeline.submit(refresh)
        #expect(timeline.closedGates(refresh) == [.launching])
        timeline.cancel(refresh)
        timeline.wait(.minutes(10))
        #expect(timeline.starts.count == 1)
        timeline.submit(refresh)
        #expect(timeline.starts.count == 2)
    }

    @Test("a process that waits for the end of a pause is not started for a request that was cancelled meanwhile")
    func nobodyWaitsAfterPause() {
        var timeline = Timeline.launchedProcess()
        timeline.stopIdleProcess()
        _ = timeline.ask { .paused(app: nil, call: $0) }
        timeline.submit(refresh)
        timeline.cancel(refresh)
        _ = timeline.ask { .resumed(app: nil, call: $0) }
        #expect(timeline.starts.count == 1)
        _ = timeline.ask { .paused(app: nil, call: $0) }
        timeline.submit(refresh)
        #expect(timeline.starts.count == 1)
        _ = timeline.ask { .resumed(app: nil, call: $0) }
        #expect(timeline.starts.count == 2)
    }

    @Test("what the runner itself lacks makes no app guilty: it waits longer and longer, and is never in quarantine")
    func shortage() {
        var timeline = Timeline.launchedProcess()
        timeline.stopIdleProcess()
        timeline.submit(refresh)
        let restarts = timeline.scheduler.allApps.first { $0.app == Fixture.app }?.restarts
        var waits: [Int64] = []
        for _ in 0..<8 {
            let began = timeline.now.boot.milliseconds
            let starts = timeline.starts.count
            timeline.send(
                .processStartFailed(
                    Fixture.app, timeline.process, reason: "too many open files", remedy: "Raise LimitNOFILE=."))
            #expect(timeline.closedGates(refresh) == [.launching])
            #expect(
                timeline.scheduler.explain(refresh, at: timeline.now).summary.contains(
                    "could not be started (too many open files)"))
            while timeline.starts.count == starts, waits.count < 8, let next = timeline.timeToWakeup {
                timeline.wait(.milliseconds(next))
            }
            waits.append(timeline.now.boot.milliseconds - began)
        }
        #expect(timeline.appState == .starting)
        #expect(
            zip(waits, [1, 2, 4, 8, 16, 32, 64, 128]).allSatisfy { $0 >= $1 * 1_000 && $0 <= $1 * 1_100 }, "\(waits)")
        let diagnostic = timeline.diagnostics.last
        #expect(diagnostic?.name == .resourcesExhausted)
        #expect(diagnostic?.message.contains("too many open files") == true)
        #expect(diagnostic?.fix?.contains("LimitNOFILE=") == true)
        timeline.launchProcess(["refresh"])
        timeline.enter(refresh)
        #expect(timeline.run(refresh)?.state == .running)
        // Nothing has crashed.
        #expect(timeline.starts.last?.recovered == nil)
        #expect(timeline.scheduler.allApps.first { $0.app == Fixture.app }?.restarts == restarts)
    }

    @Test("who submits while the runner cannot start the process that would register hears why, and what to raise")
    func submissionsDuringAShortage() {
        var timeline = Timeline.withProcess()
        let waiting = timeline.begin {
            .requestSubmitted(TaskRequest(identifier: refresh), SubmissionOptions(), call: $0)
        }
        timeline.send(
            .processStartFailed(
                Fixture.app, timeline.process, reason: "too many open files", remedy: "Raise LimitNOFILE=."))
        let later = timeline.begin {
            .requestSubmitted(TaskRequest(identifier: refresh), SubmissionOptions(), call: $0)
        }
        for call in [waiting, later] {
            #expect(timeline.reply(to: call).refusal == .launchFailed)
            #expect(timeline.reply(to: call).message?.contains("could not be started: too many open files") == true)
            #expect(timeline.reply(to: call).message?.contains("Raise LimitNOFILE=.") == true)
        }
        // When it has launched, what it did not register is its own affair.
        timeline.wait(.seconds(2))
        timeline.launchProcess(["refresh"])
        #expect(timeline.submit(refresh).outcome == .submitted)
        #expect(timeline.submit(Fixture.task("export")).refusal == .notRegistered)
        #expect(timeline.submit(Fixture.task("export")).message?.contains("register one in the plugin") == true)
    }

    @Test("a failure that is over is not the reason why a handler is missing")
    func failureThatIsOver() {
        var timeline = Timeline.withProcess()
        timeline.processGone(.code(3))
        timeline.wait(.seconds(2))
        timeline.launchProcess(["refresh"])
        let message = timeline.submit(Fixture.task("export")).message
        #expect(message?.contains("register one in the plugin") == true, "\(message ?? "")")
    }

    @Test("a command that the runner cannot start for want of something is tried again however often")
    func commandShortage() {
        let tool = Fixture.tool("sync")
        var timeline = Timeline(apps: [Fixture.commands([Fixture.command("sync")])], handlers: [])
        timeline.submit(tool)
        for attempt in 1...8 {
            guard let run = timeline.run(tool) else {
                Issue.record("nothing is started in attempt \(attempt)")
                return
            }
            #expect(timeline.launches.last?.attempt == 1)
            timeline.send(.startFailed(run.run, reason: "too many open files", remedy: "Raise LimitNOFILE=."))
            #expect(timeline.lastRun(tool)?.state == .interrupted)
            #expect(timeline.closedGates(tool) == [.backoff])
            timeline.wait(.seconds(11))
        }
        #expect(timeline.diagnostics.last?.name == .resourcesExhausted)
        #expect(timeline.diagnostics.last?.fix == "Raise LimitNOFILE=.")
        timeline.enter(tool)
        #expect(timeline.run(tool)?.state == .running)
    }

    @Test("who simulates a launch that the runner cannot start hears what to raise")
    func simulatedShortage() {
        let tool = Fixture.tool("sync")
        var timeline = Timeline(apps: [Fixture.commands([Fixture.command("sync")])], handlers: [])
        let call = timeline.simulate(tool, submit: true)
        timeline.send(
            .startFailed(
                timeline.run(tool)?.run ?? RunIdentifier(0), reason: "too many open files",
                remedy: "Raise LimitNOFILE=."))
        #expect(timeline.reply(to: call).refusal == .launchFailed)
        #expect(timeline.reply(to: call).message?.contains("Raise LimitNOFILE=.") == true)
    }

    @Test("a process that takes one launch a life and exits is no failure, however many are due at once")
    func oneLaunchALife() {
        let names = ["refresh", "export", "upload", "jobs.a"]
        var timeline = Timeline.launchedProcess(handlers: names)
        for name in names { timeline.submit(Fixture.task(name)) }
        var taken: [TaskIdentifier] = []
        for life in 1...names.count {
            if life > 1 { timeline.launchProcess(names) }
            guard let first = timeline.scheduler.activeRuns.min(by: { $0.run < $1.run }) else { break }
            timeline.enter(first.identifier)
            timeline.complete(first.identifier, returns: false)
            taken.append(first.identifier)
            timeline.processGone(.code(0))
        }
        #expect(Set(taken).count == names.count)
        #expect(taken.allSatisfy { timeline.lastRun($0)?.state == .succeeded })
        #expect(timeline.diagnostics.allSatisfy { $0.name != .startFailed && $0.name != .processFailed })
    }

    @Test("other files end a quarantine, also when the app has become one of commands", arguments: [false, true])
    func quarantineOfCommands(restarts: Bool) {
        var timeline = Timeline.launchedProcess()
        for _ in 0..<5 {
            timeline.submit(refresh)
            timeline.processGone(.code(1))
            timeline.wait(.seconds(40))
            if timeline.appState != .quarantined { timeline.launchProcess(["refresh"]) }
        }
        #expect(timeline.appState == .quarantined)
        let commands = AppDescription(
            app: Fixture.app, host: .commands, permitted: [.exact(refresh)], modes: [.fetch, .processing],
            tasks: [TaskSettings(identifier: refresh, hasCommand: true)], bundleHash: "2")
        timeline.reload([commands])
        if restarts {
            timeline.restart()
            // The start that the runner's end cut off is tried again.
            timeline.wait(.seconds(11))
        }
        #expect(timeline.appState == .launched)
        #expect(timeline.run(refresh) != nil)
    }

    @Test("shortages before a failure do not lengthen its backoff, and are over with the first start")
    func shortageAndFailure() {
        var timeline = Timeline.launchedProcess()
        timeline.stopIdleProcess()
        timeline.submit(refresh)
        for _ in 0..<3 {
            timeline.send(
                .processStartFailed(Fixture.app, timeline.process, reason: "no memory", remedy: "Free some."))
            timeline.wait(.seconds(5))
        }
        timeline.send(.processStarted(Fixture.app, timeline.process, nil))
        let starts = timeline.starts.count
        timeline.processGone(.code(1))
        timeline.wait(.milliseconds(1_100))
        #expect(timeline.starts.count == starts + 1)
        timeline.send(.processStartFailed(Fixture.app, timeline.process, reason: "no memory", remedy: "Free some."))
        timeline.wait(.milliseconds(1_100))
        #expect(timeline.starts.count == starts + 2)
    }
}
