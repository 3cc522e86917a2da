import Scheduling
import Simulation
import Testing

/// B42: manifests that change while requests are pending and runs go on.
struct ManifestChangeTests {
    private let refresh = Fixture.task("refresh")
    private let report = Fixture.tool("report")
    private let backup = Fixture.tool("backup")
    private let both = Fixture.commands([Fixture.command("report"), Fixture.command("backup")])
    private let backupOnly = Fixture.commands([Fixture.command("backup")], hash: "2")

    @Test("a request that is no longer permitted waits at notPermitted, and goes when it is again (B42)")
    func unpermittedRequestsWait() {
        var timeline = Timeline(apps: [both])
        timeline.submit(report, after: .minutes(1))
        timeline.reload([backupOnly])
        timeline.wait(.hours(1))
        #expect(timeline.closedGates(report).first == .notPermitted)
        #expect(timeline.submit(report).refusal == .notPermitted)
        timeline.reload([both])
        #expect(timeline.launches.map(\.identifier) == [report])
        #expect(timeline.store.tasks[report] == nil)
    }

    @Test("a request whose bundle is gone waits at appMissing, over restarts (B42)")
    func orphansWait() {
        var timeline = Timeline(apps: [both])
        timeline.submit(report)
        timeline.finish(report)
        timeline.submit(report, after: .minutes(1))
        timeline.reload([])
        timeline.wait(.hours(1))
        timeline.restart()
        #expect(timeline.closedGates(report).first == .appMissing)
        #expect(timeline.scheduler.findings(at: timeline.now).contains { $0.name == "appMissing" })
        timeline.reload([both])
        #expect(timeline.launches.count == 1)
    }

    @Test("stranded requests count in no limit (B42)")
    func strandedRequestsCountInNoLimit() {
        var policy = Policy.prompt
        policy.limits = RequestLimits(name: "test", refreshPerApp: 1, processingPerApp: nil, allPerApp: 1, inAll: 1)
        var timeline = Timeline(policy: policy, apps: [both])
        timeline.submit(report, after: .hours(1))
        #expect(timeline.submit(backup, after: .hours(1)).refusal == .tooManyPendingTaskRequests)
        timeline.reload([backupOnly])
        #expect(timeline.submit(backup, after: .hours(1)).outcome == .submitted)
        #expect(timeline.scheduler.pendingCount == 2)
    }

    @Test("a stranded request can be cancelled (B42)")
    func strandedRequestsCanBeCancelled() {
        var timeline = Timeline(apps: [both])
        timeline.submit(report, after: .hours(1))
        timeline.reload([])
        #expect(timeline.cancel(report).cancelled == true)
        #expect(timeline.store.requests.isEmpty)
    }

    @Test("after 30 days a stranded request is dropped, with a diagnostic (B42)", arguments: [true, false])
    func strandedRequestsAreDropped(restarts: Bool) {
        var timeline = Timeline(apps: [both])
        timeline.submit(report, after: .hours(1))
        timeline.reload([])
        timeline.wait(.days(15))
        if restarts { timeline.restart() }
        timeline.wait(.days(15) - .milliseconds(1))
        #expect(timeline.pending(report) != nil)
        timeline.wait(.milliseconds(1))
        #expect(timeline.pending(report) == nil)
        #expect(timeline.store.requests.isEmpty && timeline.store.tasks.isEmpty)
        #expect(timeline.diagnostics.contains { $0.name == .requestDropped })
    }

    @Test("a bundle that comes back in time starts the 30 days anew (B42)")
    func returnsStartAnew() {
        var timeline = Timeline(apps: [both])
        timeline.submit(report, after: .days(365))
        timeline.reload([])
        timeline.wait(.days(29))
        timeline.reload([both])
        timeline.reload([])
        timeline.wait(.days(29))
        #expect(timeline.pending(report) != nil)
    }

    @Test("an app switches when its last run has ended, and starts nothing new until then (B42)")
    func appsSwitchBetweenRuns() {
        var timeline = Timeline(apps: [both])
        timeline.submit(report)
        timeline.enter(report)
        timeline.reload([backupOnly])
        timeline.submit(backup)
        #expect(timeline.closedGates(backup) == [.launching])
        timeline.submit(report, after: .minutes(1))
        timeline.send(.processExited(RunIdentifier(1), .code(0)))
        #expect(timeline.launches.map(\.identifier) == [report, backup])
        #expect(timeline.closedGates(report).first == .notPermitted)
    }

    @Test("of several changes that wait the last one counts (B42)")
    func lastChangeCounts() {
        var timeline = Timeline(apps: [both])
        timeline.submit(report)
        timeline.enter(report)
        timeline.reload([backupOnly])
        timeline.reload([])
        timeline.send(.processExited(RunIdentifier(1), .code(0)))
        #expect(timeline.submit(backup).refusal == .notPermitted)
        #expect(timeline.scheduler.allApps.first?.state == .missing)
    }

    @Test("a change that is taken back before the run ends changes nothing (B42)")
    func takenBackChangesAreForgotten() {
        var timeline = Timeline(apps: [both])
        timeline.submit(report)
        timeline.enter(report)
        timeline.reload([backupOnly])
        timeline.submit(backup)
        timeline.reload([both])
        #expect(timeline.launches.map(\.identifier) == [report, backup])
        timeline.finishCommand(1)
        #expect(timeline.submit(report, after: .hours(1)).outcome == .submitted)
    }

    @Test("a reload that changes nothing changes nothing")
    func idleReloadsDoNothing() {
        var timeline = Timeline(apps: [both])
        timeline.submit(report, after: .hours(1))
        #expect(timeline.send(.appLoaded(both)).isEmpty)
    }

    @Test("handlers that a pattern admitted go with the manifest that had it (B42)")
    func patternHandlersGo() {
        let job = Fixture.task("jobs.one")
        var timeline = Timeline(launched: false)
        timeline.send(.started(Fixture.startFacts()))
        timeline.send(.appLoaded(Fixture.embedded()))
        timeline.register(job.text)
        timeline.send(.loadingFinished)
        timeline.send(.launchFinished(Fixture.app))
        timeline.submit(job, after: .hours(1))
        timeline.send(.appLoaded(Fixture.embedded(patterns: [], hash: "2")))
        timeline.send(.launchFinished(Fixture.app))
        timeline.wait(.hours(2))
        #expect(timeline.closedGates(job).first == .notPermitted)
        #expect(timeline.scheduler.registeredCount == 0)
    }

    @Test(
        "an identifier that moves to another app takes its request along, in whatever order the two are read (B3, B42)",
        arguments: [true, false])
    func identifiersMove(newOwnerFirst: Bool) {
        let other = AppIdentifier(checked: "com.example.other")
        let taker = AppDescription(
            app: other, host: .commands, permitted: [.exact(report)], modes: [.fetch, .processing],
            tasks: [TaskSettings(identifier: report, hasCommand: true)])
        var timeline = Timeline(apps: [both])
        timeline.submit(report, after: .minutes(1))
        timeline.reload(newOwnerFirst ? [taker, backupOnly] : [backupOnly, taker])
        #expect(timeline.pending(report)?.app == other)
        timeline.wait(.minutes(1))
        #expect(timeline.launches.map(\.app) == [other])
    }
}

extension Timeline {
    /// A command ends well.
    fileprivate mutating func finishCommand(_ run: Int64) {
        send(.processExited(RunIdentifier(run), .code(0)))
    }
}
