import Scheduling
import Simulation
import Testing

/// B10 to B17: what a submission is checked for, what it replaces, and how it is cancelled.
struct SubmissionTests {
    private let refresh = Fixture.task("refresh")
    private let export = Fixture.task("export")

    // MARK: B10

    @Test("the first failing check wins (B10)")
    func checksComeInOrder() {
        var timeline = Timeline(
            apps: [Fixture.embedded(modes: [.processing])], handlers: [("refresh", .appRefresh)])
        // Not permitted, although the date is wrong as well.
        #expect(timeline.submit(Fixture.tool("x"), after: .days(-40_000)).refusal == .notPermitted)
        // Not registered, although the kind is wrong as well.
        #expect(timeline.submit(export, after: .days(-40_000), kind: .processing).refusal == .notRegistered)
        // The wrong kind, although its mode is declared and the date is wrong.
        #expect(timeline.submit(refresh, after: .days(-40_000), kind: .processing).refusal == .kindMismatch)
        // The mode, although the date is wrong.
        #expect(timeline.submit(refresh, after: .days(-40_000)).refusal == .backgroundModeMissing)
    }

    @Test("app refresh is unavailable while its switch is off, under a policy that has one (B10)")
    func refreshSwitchMakesRefreshUnavailable() {
        var policy = Policy.prompt
        policy.gates.refreshSwitch = true
        for (policy, isRefused) in [(policy, true), (.prompt, false)] {
            var timeline = Timeline(policy: policy)
            timeline.submit(refresh, after: .minutes(1))
            timeline.send(.refreshSwitched(Fixture.app, enabled: false, call: CallIdentifier(0)))
            #expect((timeline.submit(refresh).refusal == .unavailable) == isRefused)
            #expect(timeline.submit(export, after: .minutes(1)).outcome == .submitted)
        }
    }

    @Test("a request that was pending when the switch went off waits at backgroundRefreshDisabled (B10)")
    func pendingRefreshWaitsForTheSwitch() {
        var policy = Policy.prompt
        policy.gates.refreshSwitch = true
        var timeline = Timeline(policy: policy)
        timeline.submit(refresh, after: .minutes(1))
        timeline.send(.refreshSwitched(Fixture.app, enabled: false, call: CallIdentifier(0)))
        timeline.wait(.minutes(2))
        #expect(timeline.closedGates(refresh) == [.backgroundRefreshDisabled])
        timeline.send(.refreshSwitched(Fixture.app, enabled: true, call: CallIdentifier(0)))
        #expect(timeline.launches.map(\.identifier) == [refresh])
    }

    @Test("the kind is the registered one, else the manifest's, else app refresh (B10)")
    func kindsHaveDefaults() {
        let settings = TaskSettings(identifier: Fixture.task("upload"), kind: .processing)
        var timeline = Timeline(
            apps: [Fixture.embedded(tasks: [settings])],
            handlers: [("refresh", nil), ("export", .processing), ("upload", nil)])
        #expect(timeline.submit(refresh, after: .hours(1)).submission?.request.kind == .appRefresh)
        #expect(timeline.submit(export, after: .hours(1)).submission?.request.kind == .processing)
        #expect(timeline.submit(Fixture.task("upload"), after: .hours(1)).submission?.request.kind == .processing)
    }

    @Test("a handler that was registered without a kind takes any (B10)")
    func kindlessHandlersTakeAnyKind() {
        var timeline = Timeline()
        #expect(timeline.submit(refresh, after: .hours(1), kind: .processing).outcome == .submitted)
        #expect(timeline.submit(refresh, after: .hours(1), kind: .healthResearch).outcome == .replaced)
    }

    // MARK: B11, B12

    @Test("a new request replaces the old one, of whatever kind (B11)")
    func newRequestsReplaceOldOnes() {
        var timeline = Timeline()
        timeline.submit(refresh, after: .hours(1))
        let reply = timeline.submit(refresh, after: .minutes(5), kind: .processing, power: true)
        #expect(reply.outcome == .replaced)
        #expect(reply.submission?.previous?.kind == .appRefresh)
        #expect(timeline.scheduler.pendingCount == 1)
        #expect(timeline.pending(refresh)?.kind == .processing)
        #expect(timeline.store.requests.count == 1)
    }

    @Test("a refused replacement leaves the old request as it was (B11)")
    func refusedReplacementsChangeNothing() {
        var timeline = Timeline()
        timeline.submit(refresh, after: .hours(1))
        let before = timeline.pending(refresh)
        #expect(timeline.submit(refresh, after: .days(-40_000)).refusal == .invalidDate)
        #expect(timeline.pending(refresh) == before)
        #expect(timeline.store.requests[refresh] == before)
    }

    @Test("keep leaves the old request, whatever the new one asks for (B12)")
    func keepKeeps() {
        var timeline = Timeline()
        timeline.submit(refresh, after: .hours(1))
        let reply = timeline.submit(refresh, kind: .processing, ifPending: .keep)
        #expect(reply.outcome == .kept)
        #expect(reply.submission?.request == timeline.pending(refresh))
        #expect(timeline.submit(export, after: .hours(1), ifPending: .keep).outcome == .submitted)
    }

    /// A case of keepEarlier: the floors in seconds, `nil` for none.
    struct EarlierCase: Sendable {
        var old: Int?
        var new: Int?
        var outcome: SubmissionResult.Outcome
    }

    @Test(
        "keepEarlier leaves an old request that can start no later than 5 s after the new one (B12)",
        arguments: [
            EarlierCase(old: 60, new: 60, outcome: .kept), EarlierCase(old: 60, new: 90, outcome: .kept),
            EarlierCase(old: 65, new: 60, outcome: .kept), EarlierCase(old: 66, new: 60, outcome: .replaced),
            EarlierCase(old: 60, new: nil, outcome: .replaced), EarlierCase(old: 5, new: nil, outcome: .kept),
            EarlierCase(old: nil, new: nil, outcome: .kept), EarlierCase(old: nil, new: 60, outcome: .kept),
        ])
    func keepEarlierComparesFloors(example: EarlierCase) {
        var timeline = Timeline()
        timeline.send(.paused(app: nil, call: CallIdentifier(0)))
        timeline.submit(refresh, after: example.old.map { .seconds($0) })
        let reply = timeline.submit(refresh, after: example.new.map { .seconds($0) }, ifPending: .keepEarlier)
        #expect(reply.outcome == example.outcome)
    }

    @Test("keepEarlier replaces a request of another kind or with other requirements (B12)")
    func keepEarlierComparesRequirements() {
        var timeline = Timeline()
        timeline.submit(refresh, after: .minutes(1))
        #expect(timeline.submit(refresh, after: .hours(1), power: true, ifPending: .keepEarlier).outcome == .replaced)
        #expect(
            timeline.submit(refresh, after: .hours(2), kind: .processing, power: true, ifPending: .keepEarlier).outcome
                == .replaced)
    }

    @Test("the checks come before a request is kept (B12)")
    func keptRequestsAreChecked() {
        var timeline = Timeline()
        timeline.submit(refresh, after: .hours(1))
        #expect(timeline.submit(refresh, after: .days(-40_000), ifPending: .keep).refusal == .invalidDate)
    }

    @Test("a floor that moves later again and again is reported as postponed (B12)")
    func postponementsAreCounted() {
        var timeline = Timeline()
        timeline.submit(refresh, after: .minutes(1))
        #expect(timeline.submit(refresh, after: .minutes(2)).submission?.postponed == 1)
        #expect(timeline.submit(refresh, after: .minutes(3)).submission?.postponed == 2)
        #expect(!timeline.diagnostics.contains { $0.name == .postponed })
        #expect(timeline.submit(refresh, after: .minutes(4)).submission?.postponed == 3)
        #expect(timeline.diagnostics.contains { $0.name == .postponed })
        #expect(timeline.submit(refresh, after: .minutes(1)).submission?.postponed == nil)
        #expect(timeline.pending(refresh)?.postponements == 0)
    }

    // MARK: B13

    @Test("limits count after replacement, and name what fills the slots (B13)")
    func limitsCountAfterReplacement() {
        var timeline = Timeline(
            policy: Policy(name: "test", limits: .apple), handlers: [("refresh", nil), ("export", nil)])
        timeline.submit(refresh, after: .hours(1))
        #expect(timeline.submit(refresh, after: .hours(2)).outcome == .replaced)
        let reply = timeline.submit(export, after: .hours(1))
        #expect(reply.refusal == .tooManyPendingTaskRequests)
        #expect(
            reply.message?.hasPrefix(
                "com.example.app may have 1 pending app refresh request and has as many already (\(refresh));") == true)
        #expect(timeline.submit(export, after: .hours(1), kind: .processing).outcome == .submitted)
    }

    @Test("ten processing requests are pending at most under the apple limits (B13)")
    func processingRequestsAreLimited() {
        let names = (0...10).map { "task\($0)" }
        var timeline = Timeline(
            policy: Policy(name: "test", limits: .apple), apps: [Fixture.embedded(names)],
            handlers: names.map { ($0, .processing) })
        for name in names.dropLast() {
            #expect(timeline.submit(Fixture.task(name), after: .hours(1)).outcome == .submitted)
        }
        #expect(timeline.submit(Fixture.task("task10"), after: .hours(1)).refusal == .tooManyPendingTaskRequests)
        timeline.cancel(Fixture.task("task3"))
        #expect(timeline.submit(Fixture.task("task10"), after: .hours(1)).outcome == .submitted)
    }

    @Test("an app and the runner have limits of their own (B13)", arguments: [true, false])
    func totalsAreLimited(perApp: Bool) {
        let limits = RequestLimits(
            name: "test", refreshPerApp: nil, processingPerApp: nil, allPerApp: perApp ? 2 : nil,
            inAll: perApp ? nil : 2)
        var timeline = Timeline(policy: Policy(name: "test", limits: limits))
        timeline.submit(refresh, after: .hours(1))
        timeline.submit(export, after: .hours(1))
        #expect(timeline.submit(Fixture.task("upload"), after: .hours(1)).refusal == .tooManyPendingTaskRequests)
        #expect(timeline.submit(export, after: .hours(2)).outcome == .replaced)
    }

    @Test("a manifest can lower a limit, and not raise it (B13)")
    func manifestsLowerLimits() {
        var description = Fixture.embedded()
        description.pendingRefreshLimit = 1
        var timeline = Timeline(apps: [description], handlers: [("refresh", nil), ("export", nil)])
        timeline.submit(refresh, after: .hours(1))
        #expect(timeline.submit(export, after: .hours(1)).refusal == .tooManyPendingTaskRequests)
    }

    // MARK: B14 to B16

    @Test("nothing starts before its floor, and what is due starts at it (B14)")
    func floorsHold() {
        var timeline = Timeline()
        timeline.submit(refresh, after: .seconds(90))
        timeline.wait(.milliseconds(89_999))
        #expect(timeline.launches.isEmpty)
        #expect(timeline.closedGates(refresh) == [.earliestBeginDate])
        timeline.wait(.milliseconds(1))
        #expect(timeline.launches.map(\.identifier) == [refresh])
        #expect(timeline.wakeups == 1)
    }

    @Test("no floor and a floor in the past start at once (B14)", arguments: [nil, -3_600])
    func pastFloorsAreLegal(seconds: Int?) {
        var timeline = Timeline()
        timeline.submit(refresh, after: seconds.map { .seconds($0) })
        #expect(timeline.launches.map(\.identifier) == [refresh])
    }

    @Test(
        "dates outside 1970 to 2200 are invalidDate (B14)",
        arguments: [(-1, false), (0, true), (7_258_118_400_000, true), (7_258_118_400_001, false)])
    func datesHaveARange(milliseconds: Int64, isLegal: Bool) {
        var timeline = Timeline()
        let request = TaskRequest(identifier: refresh, floor: WallTime(milliseconds: milliseconds))
        let reply = timeline.ask { .requestSubmitted(request, SubmissionOptions(), call: $0) }
        #expect((reply.outcome == .submitted) == isLegal)
        #expect((reply.refusal == .invalidDate) == !isLegal)
    }

    @Test("the request is persisted before it is acknowledged, and survives a crash (B15)")
    func acknowledgedRequestsSurvive() throws {
        var timeline = Timeline()
        timeline.submit(refresh, after: .hours(1), network: true, power: true)
        let persist = try #require(timeline.effects.lastIndex { if case .persist = $0 { true } else { false } })
        let reply = try #require(timeline.effects.lastIndex { if case .reply = $0 { true } else { false } })
        #expect(persist < reply)
        let before = timeline.pending(refresh)
        timeline.restart()
        #expect(timeline.pending(refresh) == before)
    }

    // MARK: B17

    @Test("a cancel removes the request and says whether there was one (B17)")
    func cancelsRemoveRequests() {
        var timeline = Timeline()
        timeline.submit(refresh, after: .hours(1))
        #expect(timeline.cancel(refresh).cancelled == true)
        #expect(timeline.cancel(refresh).cancelled == false)
        #expect(timeline.store.requests.isEmpty)
        timeline.wait(.hours(2))
        #expect(timeline.launches.isEmpty)
    }

    @Test("a cancel never touches a running task, and takes the next request away (B17)")
    func cancelsLeaveRunsAlone() {
        var timeline = Timeline()
        timeline.submit(refresh)
        timeline.enter(refresh)
        timeline.submit(refresh, after: .hours(1))
        #expect(timeline.cancel(refresh).cancelled == true)
        #expect(timeline.run(refresh)?.state == .running)
        #expect(timeline.expirations.isEmpty)
    }

    @Test("cancelling all counts what it removed, of one app or of all (B17)")
    func cancelAllCounts() {
        var timeline = Timeline(apps: [Fixture.embedded(), Fixture.commands([Fixture.command("report")])])
        timeline.submit(refresh, after: .hours(1))
        timeline.submit(export, after: .hours(1))
        timeline.submit(Fixture.tool("report"), after: .hours(1))
        #expect(timeline.ask { .allRequestsCancelled(app: Fixture.app, call: $0) } == .cancelledAll(2))
        #expect(timeline.ask { .allRequestsCancelled(app: nil, call: $0) } == .cancelledAll(1))
        let unknown = AppIdentifier(checked: "com.example.ap")
        #expect(timeline.ask { .allRequestsCancelled(app: unknown, call: $0) }.refusal == .noSuchApp)
    }

    @Test(
        "a stopped run that completes in its grace has its own state, else it is cancelled (B17)",
        arguments: [true, false])
    func stoppedRuns(completes: Bool) {
        var timeline = Timeline()
        timeline.submit(refresh)
        timeline.enter(refresh)
        let reply = timeline.ask { .stopAsked(identifier: refresh, run: nil, call: $0) }
        #expect(reply.run?.state == .expiring)
        #expect(timeline.expirations == [.stopped])
        if completes { timeline.complete(refresh) } else { timeline.wait(.seconds(6)) }
        #expect(timeline.lastRun(refresh)?.state == (completes ? .succeeded : .cancelled))
        #expect(timeline.lastRun(refresh)?.expirationReason == .stopped)
    }

    @Test("stopping what does not run is notRunning (B17), and a run that there never was is noSuchRun")
    func stoppingNothing() {
        var timeline = Timeline()
        #expect(timeline.ask { .stopAsked(identifier: refresh, run: nil, call: $0) }.refusal == .notRunning)
        #expect(timeline.ask { .stopAsked(identifier: nil, run: RunIdentifier(9), call: $0) }.refusal == .noSuchRun)
        #expect(timeline.ask { .stopAsked(identifier: nil, run: RunIdentifier(0), call: $0) }.refusal == .noSuchRun)
        timeline.submit(refresh)
        timeline.enter(refresh)
        let run = timeline.launches[0].run
        timeline.send(.runCompleted(run, .succeeded, message: nil, call: nil))
        #expect(timeline.ask { .stopAsked(identifier: nil, run: run, call: $0) }.refusal == .notRunning)
    }
}
