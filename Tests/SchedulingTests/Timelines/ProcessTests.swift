import Scheduling
import Testing

/// The life of an app's process (01, *Processes*).
@Suite("Processes of apps")
struct ProcessTests {
    private let refresh = Fixture.task("refresh")
    private let export = Fixture.task("export")

    @Test("a process is started at once when it is not known what its bundle registers")
    func startsToRegister() {
        let timeline = Timeline.withProcess()
        #expect(timeline.starts.map(\.app) == [Fixture.app])
        #expect(timeline.appState == .starting)
    }

    @Test("a known bundle is not started before one of its requests is due, and answers submissions meanwhile")
    func startsWhenDue() {
        var timeline = Timeline.launchedProcess()
        timeline.stopIdleProcess()
        timeline.restart()
        #expect(timeline.starts.isEmpty)
        #expect(timeline.appState == .idle)
        #expect(timeline.submit(refresh, after: .seconds(30)).outcome == .submitted)
        #expect(timeline.submit(Fixture.task("jobs.one")).refusal == .notRegistered)
        timeline.wait(.seconds(29))
        #expect(timeline.starts.isEmpty)
        #expect(timeline.closedGates(refresh) == [.earliestBeginDate])
        timeline.wait(.seconds(1))
        #expect(timeline.starts.count == 1)
        #expect(timeline.closedGates(refresh) == [.launching])
        timeline.launchProcess(["refresh"])
        #expect(timeline.launches.map(\.identifier) == [refresh])
        #expect(timeline.launches.first?.process == timeline.process)
    }

    @Test("a launch goes to the process, and a command of the same bundle needs none")
    func mixesCommands() {
        let backup = TaskSettings(identifier: Fixture.task("export"), kind: .processing, hasCommand: true)
        var timeline = Timeline.launchedProcess(Fixture.plugin(tasks: [backup]), handlers: ["refresh"])
        timeline.stopIdleProcess()
        timeline.submit(export)
        #expect(timeline.launches.map(\.host) == [.commands])
        #expect(timeline.starts.count == 1)
        timeline.submit(refresh)
        #expect(timeline.starts.count == 2)
    }

    @Test("what is due before finishLaunching waits at launching, and goes then (B8)")
    func holdsUntilLaunched() {
        var timeline = Timeline.launchedProcess()
        timeline.stopIdleProcess()
        timeline.submit(refresh)
        timeline.connect()
        timeline.register(refresh.text)
        #expect(timeline.launches.isEmpty)
        #expect(timeline.appState == .registering)
        timeline.send(.launchFinished(Fixture.app))
        #expect(timeline.launches.map(\.identifier) == [refresh])
        #expect(timeline.appState == .launched)
    }

    @Test("a submission before the first launch waits for it, and is then judged")
    func submissionsWait() {
        var timeline = Timeline.withProcess()
        let known = timeline.begin {
            .requestSubmitted(TaskRequest(identifier: refresh), SubmissionOptions(), call: $0)
        }
        let unknown = timeline.begin {
            .requestSubmitted(TaskRequest(identifier: export), SubmissionOptions(), call: $0)
        }
        #expect(timeline.reply(to: known) == nil)
        timeline.launchProcess(["refresh"])
        #expect(timeline.reply(to: known).outcome == .submitted)
        #expect(timeline.reply(to: unknown).refusal == .notRegistered)
    }

    @Test("a submission that waits is judged when the first launch fails, with the reason")
    func waitingSubmissionsAreJudged() {
        var timeline = Timeline.withProcess()
        let call = timeline.begin {
            .requestSubmitted(TaskRequest(identifier: refresh), SubmissionOptions(), call: $0)
        }
        timeline.processGone(.code(3))
        #expect(timeline.reply(to: call).refusal == .notRegistered)
        #expect(timeline.reply(to: call).message?.contains("status 3") == true)
    }

    @Test("a submission that waits is refused when the bundle is removed meanwhile", arguments: [false, true])
    func waitingSubmissionsOfARemovedBundle(isOrderly: Bool) {
        var timeline = Timeline.withProcess()
        let call = timeline.begin {
            .requestSubmitted(TaskRequest(identifier: refresh), SubmissionOptions(), call: $0)
        }
        timeline.reload([])
        timeline.processGone(isOrderly ? .code(0) : .signal(9))
        #expect(timeline.appState == .missing)
        #expect(timeline.reply(to: call).refusal == .notPermitted)
    }

    @Test("a submission that waits is judged when another manifest makes its task a command meanwhile")
    func waitingSubmissionsOfACommand() {
        var timeline = Timeline.withProcess()
        let call = timeline.begin {
            .requestSubmitted(TaskRequest(identifier: refresh), SubmissionOptions(), call: $0)
        }
        var commands = Fixture.plugin(tasks: [TaskSettings(identifier: refresh, hasCommand: true)], hash: "2")
        commands.host = .commands
        timeline.reload([commands])
        timeline.processGone(.code(0))
        #expect(timeline.reply(to: call).outcome == .submitted)
    }

    @Test("a submission that waits is judged when a manifest comes back of which it is known what it registers")
    func waitingSubmissionsOfAKnownBundle() {
        var timeline = Timeline.launchedProcess()
        timeline.reload([Fixture.plugin(hash: "2")])
        timeline.processGone()
        let call = timeline.begin {
            .requestSubmitted(
                TaskRequest(identifier: Fixture.task("jobs.one")), SubmissionOptions(), call: $0)
        }
        #expect(timeline.reply(to: call) == nil)
        timeline.reload([Fixture.plugin(hash: "1")])
        timeline.processGone()
        #expect(timeline.appState == .idle)
        #expect(timeline.reply(to: call).refusal == .notRegistered)
    }

    @Test("a process that submits while it registers is answered at once, also for what it has not registered")
    func ownSubmissionsDoNotWait() {
        var timeline = Timeline.withProcess()
        timeline.connect()
        timeline.register(refresh.text)
        #expect(timeline.submit(export, by: Fixture.app).refusal == .notRegistered)
        let other = timeline.begin {
            .requestSubmitted(TaskRequest(identifier: export), SubmissionOptions(), call: $0)
        }
        #expect(timeline.reply(to: other) == nil)
        timeline.register(export.text)
        timeline.send(.launchFinished(Fixture.app))
        #expect(timeline.reply(to: other).outcome == .submitted)
    }

    @Test("what a process has registered can be submitted before it finishes launching")
    func submitsWhileRegistering() {
        var timeline = Timeline.withProcess()
        timeline.connect()
        timeline.register(refresh.text)
        #expect(timeline.submit(refresh, by: Fixture.app).outcome == .submitted)
        timeline.send(.launchFinished(Fixture.app))
        #expect(timeline.launches.map(\.identifier) == [refresh])
    }

    @Test(
        "the set of a finished launch replaces the earlier one; what is missing waits at handlerMissing, without a loop"
    )
    func replacesTheSet() {
        var timeline = Timeline.launchedProcess()
        timeline.stopIdleProcess()
        timeline.submit(refresh)
        timeline.launchProcess(["export"])
        #expect(timeline.closedGates(refresh).contains(.handlerMissing))
        #expect(timeline.diagnostics.contains { $0.name == .handlerMissing && $0.identifier == refresh })
        timeline.stopIdleProcess()
        let starts = timeline.starts.count
        timeline.wait(.hours(1))
        #expect(timeline.starts.count == starts)
        #expect(timeline.pending(refresh) != nil)
        timeline.reload([Fixture.plugin(hash: "2")])
        #expect(timeline.starts.count == starts + 1)
        timeline.launchProcess(["refresh"])
        #expect(timeline.launches.map(\.identifier) == [refresh])
    }

    @Test("registering twice in one process is refused, and again in the next is not (B6)")
    func registersOnce() {
        var timeline = Timeline.withProcess()
        timeline.connect()
        timeline.register(refresh.text)
        #expect(timeline.register(refresh.text).refusal == .alreadyRegistered)
        timeline.send(.launchFinished(Fixture.app))
        #expect(timeline.register(export.text).refusal == .registrationClosed)
        timeline.stopIdleProcess()
        timeline.submit(refresh)
        timeline.connect()
        #expect(timeline.register(refresh.text) == .done)
    }

    @Test("a process with nothing to do is stopped after 60 s, and not while something is due soon or runs")
    func stopsWhenIdle() {
        var timeline = Timeline.launchedProcess()
        timeline.submit(refresh, after: .seconds(90))
        timeline.wait(.seconds(89))
        #expect(timeline.stops.isEmpty)
        timeline.wait(.seconds(1))
        timeline.enter(refresh)
        timeline.wait(.seconds(20))
        #expect(timeline.stops.isEmpty)
        timeline.complete(refresh, returns: false)
        timeline.wait(.seconds(59))
        #expect(timeline.stops.isEmpty)
        timeline.wait(.seconds(1))
        #expect(timeline.stops == [.idle])
        #expect(timeline.appState == .stopping)
        timeline.processGone()
        #expect(timeline.appState == .idle)
        #expect(timeline.timeToWakeup == nil)
    }

    @Test("a request that becomes due while its process stops is launched in the next process")
    func dueWhileStopping() {
        var timeline = Timeline.launchedProcess()
        timeline.wait(.seconds(60))
        #expect(timeline.stops == [.idle])
        timeline.submit(refresh)
        #expect(timeline.starts.count == 1)
        timeline.processGone()
        #expect(timeline.starts.count == 2)
        timeline.launchProcess(["refresh"])
        #expect(timeline.launches.count == 1)
    }

    @Test("a simulated launch starts the process, waits for it, and is answered when the handler was entered (B32)")
    func simulates() {
        var timeline = Timeline.launchedProcess()
        timeline.stopIdleProcess()
        timeline.submit(refresh, after: .hours(1))
        let call = timeline.simulate(refresh)
        #expect(timeline.starts.count == 2)
        timeline.launchProcess(["refresh"])
        #expect(timeline.reply(to: call) == nil)
        timeline.enter(refresh)
        #expect(timeline.reply(to: call).run?.state == .running)
    }

    @Test("a simulated launch whose process fails is refused, and its request stays (B22)")
    func simulationFails() {
        var timeline = Timeline.launchedProcess()
        timeline.stopIdleProcess()
        timeline.submit(refresh, after: .hours(1))
        let call = timeline.simulate(refresh)
        timeline.processGone(.signal(11))
        #expect(timeline.reply(to: call).refusal == .launchFailed)
        #expect(timeline.pending(refresh) != nil)
    }

    @Test("nothing is started to simulate what is not pending")
    func simulatesNothing() {
        var timeline = Timeline.launchedProcess()
        timeline.stopIdleProcess()
        let call = timeline.simulate(refresh)
        #expect(timeline.reply(to: call).refusal == .noPendingRequest)
        #expect(timeline.starts.count == 1)
    }

    @Test("a reload stops the process of a changed bundle after its runs, and no other's (B42)")
    func reloads() {
        var timeline = Timeline.launchedProcess()
        timeline.submit(refresh)
        timeline.enter(refresh)
        timeline.reload([Fixture.plugin(hash: "2")])
        #expect(timeline.stops.isEmpty)
        timeline.complete(refresh, returns: false)
        #expect(timeline.stops == [.bundleChanged])
        timeline.processGone()
        #expect(timeline.starts.count == 2)
        #expect(timeline.starts.last?.bundleHash == "2")
        timeline.reload([Fixture.plugin(hash: "2")])
        #expect(timeline.stops == [.bundleChanged])
    }

    @Test("while a command holds up a changed manifest, no process is started by the old one (B42)")
    func waitsForManifest() {
        let backup = TaskSettings(identifier: export, kind: .processing, hasCommand: true)
        var timeline = Timeline.launchedProcess(Fixture.plugin(tasks: [backup]), handlers: ["refresh"])
        timeline.stopIdleProcess()
        timeline.submit(export)
        timeline.enter(export)
        timeline.reload([Fixture.plugin(tasks: [backup], hash: "2")])
        timeline.submit(refresh)
        #expect(timeline.starts.count == 1)
        timeline.send(.processExited(timeline.launches[0].run, .code(0)))
        #expect(timeline.starts.map(\.bundleHash) == ["1", "2"])
        timeline.launchProcess(["refresh"])
        #expect(timeline.launches.last?.identifier == refresh)
    }

    @Test("a bundle that is gone takes its process along, and its requests wait at appMissing (B42)")
    func bundleGone() {
        var timeline = Timeline.launchedProcess()
        timeline.submit(refresh, after: .hours(1))
        timeline.reload([])
        #expect(timeline.stops == [.bundleRemoved])
        timeline.processGone()
        #expect(timeline.appState == .missing)
        #expect(timeline.closedGates(refresh).contains(.appMissing))
        timeline.wait(.hours(2))
        #expect(timeline.starts.count == 1)
    }

    @Test("draining asks processes to exit, and is over when they are gone")
    func drains() {
        var timeline = Timeline.launchedProcess()
        timeline.submit(refresh)
        timeline.enter(refresh)
        timeline.send(.drainBegan(grace: .seconds(10)))
        #expect(timeline.stops.isEmpty)
        timeline.complete(refresh, returns: false)
        #expect(timeline.stops == [.draining])
        #expect(!timeline.effects.contains(.drained))
        timeline.processGone()
        #expect(timeline.effects.contains(.drained))
    }

    @Test("a process that still lives when a runner starts keeps the next one from being started")
    func leftovers() {
        var timeline = Timeline.launchedProcess()
        timeline.stopIdleProcess()
        timeline.submit(refresh, after: .seconds(5))
        timeline.restart()
        timeline.send(.appLeftoverFound(Fixture.app))
        timeline.wait(.minutes(1))
        #expect(timeline.starts.isEmpty)
        #expect(timeline.closedGates(refresh) == [.launching])
        timeline.send(.appLeftoverGone(Fixture.app))
        #expect(timeline.starts.count == 1)
    }

    @Test(
        "that a left process is gone starts nothing while the apps are loaded; only an unknown app is started then",
        arguments: [true, false])
    func leftoverGoneWhileLoading(isKnown: Bool) {
        var timeline = Timeline.launchedProcess()
        timeline.stopIdleProcess()
        timeline.restart(launched: false)
        timeline.send(.started(Fixture.startFacts()))
        timeline.send(.appLoaded(Fixture.plugin(hash: isKnown ? "1" : "2")))
        timeline.send(.appLeftoverGone(Fixture.app))
        #expect(timeline.starts.isEmpty)
        timeline.send(.loadingFinished)
        #expect(timeline.starts.count == (isKnown ? 0 : 1))
        #expect(timeline.appState == (isKnown ? .idle : .starting))
    }

    @Test("a simulated launch beside a process that still lives is refused, and does not wait for its end")
    func simulatesBesideLeftover() {
        var timeline = Timeline.launchedProcess()
        timeline.stopIdleProcess()
        timeline.submit(refresh, after: .hours(1))
        timeline.restart()
        timeline.send(.appLeftoverFound(Fixture.app))
        let refused = timeline.simulate(refresh)
        #expect(timeline.reply(to: refused).refusal == .alreadyRunning)
        #expect(timeline.pending(refresh) != nil)
        timeline.send(.appLeftoverGone(Fixture.app))
        #expect(timeline.starts.isEmpty)
        let accepted = timeline.simulate(refresh)
        #expect(timeline.reply(to: accepted) == nil)
        #expect(timeline.starts.count == 1)
    }

    @Test("continued processing that still waits ends with its process (B29)")
    func continuedEndsWithProcess() {
        var policy = Policy.prompt
        policy.concurrency = 1
        var timeline = Timeline.launchedProcess(handlers: ["refresh", "jobs.render"], policy: policy)
        timeline.submit(refresh)
        timeline.enter(refresh)
        timeline.submit(
            Fixture.task("jobs.render"), kind: .continuedProcessing, title: "Render", strategy: .queue)
        timeline.processGone(.code(1))
        #expect(timeline.pending(Fixture.task("jobs.render")) == nil)
        #expect(timeline.withdrawals == [Fixture.task("jobs.render")])
    }

    @Test("handlers hear of a reboot once, though the runner was started again before their process was")
    func hearsOfReboot() {
        var timeline = Timeline.launchedProcess()
        timeline.stopIdleProcess()
        timeline.submit(refresh, after: .minutes(10))
        timeline.reboot()
        timeline.restart()
        timeline.wait(.minutes(9))
        #expect(timeline.starts.map(\.recovered) == [.reboot])
        timeline.launchProcess(["refresh"])
        #expect(timeline.launches.first?.recovered == .reboot)
        timeline.finish(refresh)
        timeline.stopIdleProcess()
        timeline.submit(refresh)
        #expect(timeline.starts.last?.recovered == nil)
    }

    @Test("a declared recurrence of a process is armed when its handler is known (B38)")
    func armsRecurrences() {
        let every = TaskSettings(identifier: refresh, kind: .appRefresh, every: .minutes(15))
        var timeline = Timeline.withProcess(Fixture.plugin(tasks: [every]))
        #expect(timeline.pending(refresh) == nil)
        timeline.launchProcess(["refresh"])
        #expect(timeline.pending(refresh)?.maker == .recurrence)
        timeline.stopIdleProcess()
        timeline.restart()
        #expect(timeline.pending(refresh) != nil)
        timeline.wait(.minutes(2))
        #expect(timeline.starts.count == 1)
    }
}
