import Scheduling
import Simulation
import Testing

/// What becomes of apps whose processes fail (04, *Supervision*).
@Suite("Supervision of processes")
struct SupervisionTests {
    private let refresh = Fixture.task("refresh")
    private let export = Fixture.task("export")
    private let upload = Fixture.task("upload")

    @Test("a process that goes loses its entered runs as crashed, and its pending requests stay")
    func losesRuns() {
        var timeline = Timeline.launchedProcess()
        timeline.submit(refresh)
        timeline.enter(refresh)
        timeline.submit(export, after: .hours(1))
        timeline.processGone(.signal(4))
        let run = timeline.lastRun(refresh)
        #expect(run?.state == .crashed)
        #expect(run?.exit == .signal(4))
        #expect(run?.message == "it died of signal 4")
        #expect(run?.diagnostics.map(\.name).contains(.processCrashed) == true)
        #expect(timeline.pending(export) != nil)
    }

    @Test("a launch that its process did not take before it went comes back with one attempt more (B22)")
    func givesBack() {
        var timeline = Timeline.launchedProcess()
        timeline.submit(refresh)
        timeline.processGone(.code(1))
        #expect(timeline.lastRun(refresh)?.state == .crashed)
        #expect(timeline.pending(refresh)?.attempts == 1)
    }

    @Test("a launch that met a process which had just exited goes to the next one at once, and counts as no failure")
    func metAnExit() {
        var timeline = Timeline.launchedProcess()
        timeline.submit(refresh)
        timeline.submit(export, after: .hours(1))
        let call = timeline.simulate(export)
        timeline.processGone(.code(0))
        #expect(timeline.starts.count == 2)
        #expect(timeline.diagnostics.allSatisfy { $0.name != .processFailed })
        timeline.launchProcess(["refresh", "export"])
        #expect(timeline.launches.map(\.attempt) == [1, 1, 2, 2])
        timeline.enter(export)
        #expect(timeline.reply(to: call).run?.origin == .simulated)
        timeline.enter(refresh)
        #expect(timeline.run(refresh)?.state == .running)
    }

    @Test("a process that exits whenever it gets a launch does so once without a backoff")
    func meetsExitsAgain() {
        var timeline = Timeline.launchedProcess()
        timeline.submit(refresh)
        timeline.processGone(.code(0))
        timeline.launchProcess(["refresh"])
        timeline.processGone(.code(0))
        #expect(timeline.pending(refresh)?.attempts == 2)
        #expect(timeline.closedGates(refresh).contains(.backoff))
    }

    @Test("a process that exits with 0 while it runs a task has crashed it")
    func exitsInHandler() {
        var timeline = Timeline.launchedProcess()
        timeline.submit(refresh)
        timeline.enter(refresh)
        timeline.processGone(.code(0))
        #expect(timeline.lastRun(refresh)?.state == .crashed)
    }

    @Test("a completion that came before the exit counts (B26)")
    func completesAndExits() {
        var timeline = Timeline.launchedProcess()
        timeline.submit(refresh)
        timeline.enter(refresh)
        #expect(timeline.complete(refresh, returns: false).accepted == true)
        timeline.processGone(.code(0))
        #expect(timeline.lastRun(refresh)?.state == .succeeded)
        #expect(timeline.diagnostics.allSatisfy { $0.name != .processFailed })
    }

    @Test("a process that breaks the protocol is at fault, whatever its exit status")
    func breaksProtocol() {
        var timeline = Timeline.launchedProcess()
        timeline.submit(refresh)
        timeline.enter(refresh)
        timeline.processGone(.signal(15), problem: "it sent something that is not JSON")
        #expect(timeline.lastRun(refresh)?.message == "it sent something that is not JSON")
        #expect(timeline.lastRun(refresh)?.state == .crashed)
        #expect(timeline.diagnostics.contains { $0.name == .processFailed && $0.app == Fixture.app })
    }

    @Test("hello has to come within the launch time, and finishLaunching within another", arguments: [false, true])
    func launchTime(saysHello: Bool) {
        var timeline = Timeline.withProcess()
        if saysHello {
            timeline.wait(.seconds(4))
            timeline.connect()
            timeline.wait(.milliseconds(4_999))
        } else {
            timeline.wait(.milliseconds(4_999))
        }
        #expect(timeline.stops.isEmpty)
        timeline.wait(.milliseconds(1))
        #expect(timeline.stops == [.launchTime])
        timeline.processGone(.signal(15))
        #expect(timeline.diagnostics.last?.message.contains("did not finish launching within 5 s") == true)
    }

    @Test("a machine that sleeps takes none of the launch time")
    func sleepTakesNothing() {
        var timeline = Timeline.withProcess()
        timeline.sleep(.hours(1))
        #expect(timeline.stops.isEmpty)
    }

    @Test("a launch that is not answered within 5 s ends the process, with its other runs")
    func unresponsive() {
        var timeline = Timeline.launchedProcess()
        timeline.submit(export)
        timeline.enter(export)
        timeline.submit(refresh)
        timeline.wait(.milliseconds(4_999))
        #expect(timeline.stops.isEmpty)
        timeline.wait(.milliseconds(1))
        #expect(timeline.stops == [.unresponsive])
        timeline.processGone(.signal(15))
        #expect(timeline.lastRun(export)?.state == .crashed)
        #expect(timeline.pending(refresh)?.attempts == 1)
    }

    @Test("a process that failed is started again on demand, after 1 s, 2 s, 4 s and up to a tenth more")
    func backsOff() {
        var timeline = Timeline.launchedProcess()
        timeline.submit(refresh)
        timeline.processGone(.code(1))
        // The request itself waits for 10 s after a failed start.
        timeline.submit(refresh)
        for seconds in [1, 2, 4] as [Int64] {
            let starts = timeline.starts.count
            timeline.wait(.milliseconds(seconds * 1_000 - 1))
            #expect(timeline.starts.count == starts)
            #expect(timeline.closedGates(refresh) == [.launching])
            timeline.wait(.milliseconds(seconds * 100 + 1))
            #expect(timeline.starts.count == starts + 1)
            timeline.processGone(.code(1))
        }
    }

    @Test("nobody starts a failed process that nobody needs")
    func staysDown() {
        var timeline = Timeline.launchedProcess()
        timeline.processGone(.code(1))
        timeline.wait(.hours(1))
        #expect(timeline.starts.count == 1)
        #expect(timeline.appState == .idle)
    }

    @Test("five failures within 10 min end in quarantine, which a person or other files end", arguments: [false, true])
    func quarantines(byFiles: Bool) {
        var timeline = Timeline.launchedProcess()
        timeline.submit(refresh)
        for failures in 0..<5 {
            timeline.processGone(.code(3))
            timeline.submit(refresh)
            timeline.wait(.milliseconds(1_100 << failures))
        }
        #expect(timeline.appState == .quarantined)
        #expect(timeline.closedGates(refresh).contains(.quarantined))
        #expect(timeline.diagnostics.contains { $0.name == .quarantined && $0.message.contains("status 3") })
        let starts = timeline.starts.count
        #expect(starts == 5)
        timeline.restart()
        timeline.wait(.hours(1))
        #expect(timeline.starts.isEmpty)
        if byFiles {
            timeline.reload([Fixture.plugin(hash: "2")])
        } else {
            _ = timeline.ask { .quarantineLifted(Fixture.app, call: $0) }
        }
        #expect(timeline.starts.count == 1)
        #expect(timeline.appState == .starting)
    }

    @Test("files that changed while the runner was down end a quarantine, and unchanged ones do not")
    func quarantineOverRestarts() {
        var timeline = Timeline.launchedProcess()
        timeline.submit(refresh)
        for failures in 0..<5 {
            timeline.processGone(.code(3))
            timeline.submit(refresh)
            timeline.wait(.milliseconds(1_100 << failures))
        }
        timeline.restart()
        #expect(timeline.appState == .quarantined)
        timeline.restart(with: [Fixture.plugin(hash: "2")])
        #expect(timeline.appState == .starting)
        #expect(timeline.starts.count == 1)
        timeline.restart()
        #expect(timeline.appState == .starting)
    }

    @Test("failures that are far apart do not add up")
    func forgetsOldFailures() {
        var timeline = Timeline.launchedProcess()
        for _ in 0..<8 {
            timeline.submit(refresh)
            timeline.processGone(.code(3))
            timeline.wait(.minutes(11))
            timeline.launchProcess(["refresh"])
        }
        #expect(timeline.appState != .quarantined)
    }

    @Test("a simulated launch starts an app in quarantine, since it waits for no gate but those of B32")
    func simulatesInQuarantine() {
        var timeline = Timeline.launchedProcess()
        timeline.submit(refresh)
        for failures in 0..<5 {
            timeline.processGone(.code(3))
            timeline.submit(refresh)
            timeline.wait(.milliseconds(1_100 << failures))
        }
        let call = timeline.simulate(refresh)
        timeline.launchProcess(["refresh"])
        timeline.enter(refresh)
        #expect(timeline.reply(to: call).run?.origin == .simulated)
    }

    @Test("a run that goes on after its grace period ends its process; its other runs are told first (B24)")
    func graceEnds() {
        var timeline = Timeline.launchedProcess()
        timeline.submit(refresh)
        timeline.enter(refresh)
        timeline.submit(upload, kind: .processing)
        timeline.enter(upload)
        timeline.wait(.seconds(30))
        #expect(timeline.expirations == [.budget])
        timeline.wait(.seconds(5))
        #expect(timeline.lastRun(refresh)?.state == .expired)
        #expect(timeline.expirations == [.budget, .appStopping])
        #expect(timeline.stops.isEmpty)
        timeline.complete(upload, returns: false)
        #expect(timeline.stops == [.graceEnded])
        #expect(timeline.lastRun(upload)?.state == .succeeded)
        timeline.submit(refresh)
        #expect(timeline.launches.count == 2)
        timeline.processGone(.signal(9))
        #expect(timeline.diagnostics.allSatisfy { $0.name != .processFailed })
        #expect(timeline.starts.count == 2)
    }

    @Test("a late completion says that the code is over, and the process lives on")
    func lateCompletion() {
        var timeline = Timeline.launchedProcess()
        timeline.submit(refresh)
        timeline.enter(refresh)
        let run = timeline.launches[0].run
        _ = timeline.ask { .expirationSimulated(refresh, .simulated, call: $0) }
        _ = timeline.ask { .runCompleted(run, .noExpirationHandler, message: nil, call: $0) }
        #expect(timeline.lastRun(refresh)?.state == .expired)
        timeline.submit(refresh)
        #expect(timeline.closedGates(refresh) == [.alreadyRunning])
        #expect(timeline.ask { .runCompleted(run, .succeeded, message: nil, call: $0) }.accepted == false)
        #expect(timeline.launches.count == 2)
        #expect(timeline.stops.isEmpty)
    }

    @Test("code without an expiration handler that goes on after the grace period ends its process")
    func goesOnWithoutHandler() {
        var timeline = Timeline.launchedProcess()
        timeline.submit(refresh)
        timeline.enter(refresh)
        let run = timeline.launches[0].run
        _ = timeline.ask { .expirationSimulated(refresh, .simulated, call: $0) }
        _ = timeline.ask { .runCompleted(run, .noExpirationHandler, message: nil, call: $0) }
        timeline.wait(.seconds(5))
        #expect(timeline.stops == [.graceEnded])
        timeline.processGone(.signal(15))
        timeline.submit(refresh)
        #expect(timeline.starts.count == 2)
    }

    @Test("completing twice changes nothing and is noted (B26)")
    func completesTwice() {
        var timeline = Timeline.launchedProcess()
        timeline.submit(refresh)
        timeline.enter(refresh)
        let run = timeline.launches[0].run
        timeline.complete(refresh, returns: false)
        #expect(timeline.ask { .runCompleted(run, .failed, message: nil, call: $0) }.accepted == false)
        #expect(timeline.lastRun(refresh)?.state == .succeeded)
        #expect(timeline.lastRun(refresh)?.diagnostics.map(\.name).contains(.duplicateCompletion) == true)
    }

    @Test("what an earlier process says or how it ended says nothing of the one that runs now")
    func earlierProcesses() {
        var timeline = Timeline.launchedProcess()
        let first = timeline.process
        timeline.processGone(.code(1))
        timeline.submit(refresh)
        timeline.wait(.seconds(2))
        timeline.send(.appConnected(Fixture.app, first))
        #expect(timeline.appState == .starting)
        timeline.send(.processGone(Fixture.app, first, ProcessEnd(.code(9))))
        #expect(timeline.appState == .starting)
        timeline.launchProcess(["refresh"])
        timeline.enter(refresh)
        timeline.send(.processGone(Fixture.app, first, ProcessEnd(.code(9))))
        #expect(timeline.run(refresh)?.state == .running)
    }

    @Test("a failed commit forgets neither what a process registered nor that it is there")
    func failedCommit() {
        var timeline = Timeline.withProcess()
        timeline.connect()
        timeline.register(refresh.text)
        _ = timeline.handleWithoutCommit(.launchFinished(Fixture.app))
        timeline.reloadFromStore()
        timeline.send(.timePassed)
        timeline.restart()
        #expect(timeline.starts.isEmpty)
        #expect(timeline.submit(refresh, after: .hours(1)).outcome == .submitted)
    }

    @Test("a process that could not be started at all has failed")
    func cannotStart() {
        var timeline = Timeline.withProcess()
        timeline.send(.processStartFailed(Fixture.app, timeline.process, reason: "there is no such file"))
        #expect(timeline.diagnostics.last?.message.contains("there is no such file") == true)
        timeline.wait(.seconds(2))
        #expect(timeline.starts.count == 2)
    }
}
