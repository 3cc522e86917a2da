import Scheduling
import Simulation
import Testing

/// B32 to B36: launching and expiring by hand.
struct SimulationTests {
    private let refresh = Fixture.task("refresh")
    private let export = Fixture.task("export")

    @Test("it runs the pending request now, whatever its gates say, and consumes it (B32)")
    func launchesWhatIsPending() {
        var timeline = Timeline()
        timeline.report(.externalPower, .flag(false))
        timeline.send(.paused(app: nil, call: CallIdentifier(0)))
        timeline.submit(refresh, after: .hours(10), power: true)
        let call = timeline.simulate(refresh)
        #expect(timeline.launches.map(\.origin) == [.simulated])
        #expect(timeline.reply(to: call) == nil)
        timeline.enter(refresh)
        #expect(timeline.reply(to: call).run?.state == .running)
        #expect(timeline.pending(refresh) == nil)
        timeline.complete(refresh)
        #expect(timeline.lastRun(refresh)?.origin == .simulated)
    }

    @Test("a start that fails answers launchFailed with its run, and the request comes back (B32)")
    func failedSimulationsAnswer() {
        var timeline = Timeline()
        timeline.submit(refresh, after: .hours(10))
        let call = timeline.simulate(refresh)
        timeline.failStart(refresh)
        guard case .refused(let refusal) = timeline.reply(to: call) else {
            Issue.record("the launch was not refused")
            return
        }
        #expect(refusal.kind == .launchFailed)
        #expect(refusal.run?.state == .crashed)
        #expect(timeline.pending(refresh) != nil)
    }

    @Test("without a pending request it says what became of the last one (B32)")
    func nothingPendingIsExplained() {
        var timeline = Timeline()
        timeline.submit(refresh)
        timeline.finish(refresh)
        let call = timeline.simulate(refresh)
        #expect(timeline.reply(to: call).refusal == .noPendingRequest)
        #expect(timeline.reply(to: call).message?.contains("Run 1 consumed") == true)
        timeline.submit(refresh, after: .days(-40_000))
        let second = timeline.simulate(refresh)
        #expect(timeline.reply(to: second).message?.contains("1970") == true)
    }

    /// A timeline in which a handler is registered that cannot say its kind.
    private func unsaid(_ modes: Set<BackgroundMode>, _ identifier: TaskIdentifier) -> Timeline {
        let app = Fixture.embedded(modes: modes)
        var timeline = Timeline(apps: [app], handlers: [], launched: false)
        timeline.send(.started(Fixture.startFacts(boot: timeline.boot, os: "12", runner: "1.0")))
        timeline.send(.appLoaded(app))
        timeline.send(.loadingFinished)
        timeline.register(identifier.text, infersKind: true)
        timeline.send(.launchFinished(Fixture.app))
        return timeline
    }

    /// The kind of the request that a simulated launch made up, or its refusal.
    private func madeUp(_ timeline: inout Timeline, _ identifier: TaskIdentifier) -> (TaskKind?, Reply?) {
        let call = timeline.simulate(identifier, submit: true)
        if timeline.reply(to: call) == nil { timeline.enter(identifier) }
        let reply = timeline.reply(to: call)
        return (reply.run?.request.kind, reply)
    }

    @Test("no request is made up for a handler that cannot say its kind where several are possible (B32)")
    func unsaidKinds() {
        var modeless = unsaid([], export)
        #expect(madeUp(&modeless, export).0 == .continuedProcessing)
        let job = Fixture.task("jobs.one")
        var wildcard = unsaid([.fetch, .processing], job)
        #expect(madeUp(&wildcard, job).0 == .continuedProcessing)
        for modes in [[.processing], [.fetch], [.fetch, .processing]] as [Set<BackgroundMode>] {
            var several = unsaid(modes, export)
            let refused = madeUp(&several, export).1
            #expect(refused.refusal == .kindMismatch)
            #expect(refused.message?.contains("submit a request with its kind first") == true)
        }
    }

    @Test("the kind with which such a handler's last request was submitted is known, one by default is not (B32)")
    func submittedKinds() {
        var told = unsaid([.fetch, .processing], export)
        told.submit(export, after: .hours(1), kind: .processing)
        #expect(told.cancel(export).cancelled == true)
        #expect(madeUp(&told, export).0 == .processing)

        var untold = unsaid([.fetch, .processing], export)
        untold.submit(export, after: .hours(1))
        #expect(untold.cancel(export).cancelled == true)
        #expect(madeUp(&untold, export).1.refusal == .kindMismatch)
    }

    @Test("what was known of such a handler goes with it: the next version's may be for another kind (B32)")
    func forgottenKinds() {
        var timeline = unsaid([.fetch, .processing], export)
        timeline.submit(export, after: .hours(1), kind: .processing)
        #expect(timeline.cancel(export).cancelled == true)
        timeline.send(.appRemoved(Fixture.app))
        timeline.send(.appLoaded(Fixture.embedded(hash: "2")))
        timeline.register(export.text, infersKind: true)
        timeline.send(.launchFinished(Fixture.app))
        #expect(madeUp(&timeline, export).1.refusal == .kindMismatch)
    }

    @Test("while it runs it is alreadyRunning; without a handler notRegistered; unknown notPermitted (B32)")
    func refusals() {
        var timeline = Timeline(handlers: [("refresh", nil)])
        timeline.submit(refresh)
        timeline.enter(refresh)
        timeline.submit(refresh, after: .hours(1))
        #expect(timeline.simulateAndAnswer(refresh).refusal == .alreadyRunning)
        #expect(timeline.simulateAndAnswer(export).refusal == .notRegistered)
        #expect(timeline.simulateAndAnswer(Fixture.tool("x")).refusal == .notPermitted)
    }

    @Test("with submit, and nothing pending, a request of the registered kind comes first (B32)")
    func submitsFirst() {
        var timeline = Timeline()
        let call = timeline.simulate(export, submit: true)
        #expect(timeline.launches.map(\.kind) == [.processing])
        timeline.enter(export)
        #expect(timeline.reply(to: call).run?.request.floor == nil)
        #expect(timeline.store.wasPending(timeline.run(export)?.request.submission ?? 0))
    }

    @Test("an app that has not finished launching is waited for (B32)")
    func waitsForTheLaunch() {
        var timeline = Timeline(launched: false)
        timeline.send(.started(Fixture.startFacts()))
        timeline.send(.appLoaded(Fixture.embedded()))
        timeline.register(refresh.text)
        timeline.send(.loadingFinished)
        timeline.submit(refresh, after: .hours(1))
        let call = timeline.simulate(refresh)
        #expect(timeline.launches.isEmpty && timeline.reply(to: call) == nil)
        timeline.send(.launchFinished(Fixture.app))
        timeline.enter(refresh)
        #expect(timeline.reply(to: call).run?.state == .running)
    }

    @Test("one that came before loading was finished runs then (B32)")
    func waitsForLoading() {
        var timeline = Timeline(launched: false)
        timeline.send(.started(Fixture.startFacts()))
        timeline.send(.appLoaded(Fixture.embedded()))
        timeline.register(refresh.text)
        timeline.send(.launchFinished(Fixture.app))
        timeline.submit(refresh, after: .hours(1))
        timeline.simulate(refresh)
        #expect(timeline.launches.isEmpty)
        timeline.send(.loadingFinished)
        #expect(timeline.launches.count == 1)
    }

    @Test("one that waits for an app whose bundle goes is answered appMissing (B32)")
    func missingBundlesAnswer() {
        var timeline = Timeline(launched: false)
        timeline.send(.started(Fixture.startFacts()))
        timeline.send(.appLoaded(Fixture.embedded()))
        timeline.register(refresh.text)
        timeline.send(.loadingFinished)
        timeline.submit(refresh, after: .hours(1))
        let call = timeline.simulate(refresh)
        timeline.send(.appRemoved(Fixture.app))
        #expect(timeline.reply(to: call).refusal == .appMissing)
        #expect(timeline.simulateAndAnswer(refresh).refusal == .appMissing)
    }

    @Test("a draining runner and a broken store refuse it (B32)")
    func drainingAndBrokenStoresRefuse() {
        var timeline = Timeline()
        timeline.submit(refresh, after: .hours(1))
        timeline.send(.storeFailed(StoreFailure(.full, "The disk is full.")))
        #expect(timeline.simulateAndAnswer(refresh).refusal == .storeUnavailable)
        timeline.send(.storeRecovered)
        timeline.send(.drainBegan(grace: .seconds(1)))
        #expect(timeline.simulateAndAnswer(refresh).refusal == .draining)
    }

    @Test("a simulated run has no budget unless it is asked for (B33)", arguments: [false, true])
    func budgetsAreOptional(budget: Bool) {
        var timeline = Timeline()
        timeline.submit(refresh, after: .hours(1))
        timeline.simulate(refresh, budget: budget)
        #expect(timeline.launches.first?.budget == (budget ? .seconds(30) : nil))
        timeline.enter(refresh)
        timeline.wait(.minutes(10))
        #expect(timeline.expirations == (budget ? [.budget] : []))
    }

    @Test("an expiration can be simulated for any run, with any reason (B34)", arguments: ExpirationReason.allCases)
    func expiresWithAnyReason(reason: ExpirationReason) {
        var timeline = Timeline()
        timeline.submit(refresh)
        timeline.enter(refresh)
        let reply = timeline.ask { .expirationSimulated(refresh, reason, call: $0) }
        #expect(reply.run?.state == .expiring)
        #expect(timeline.expirations == [reason])
        let again = timeline.ask { .expirationSimulated(refresh, .simulated, call: $0) }
        #expect(again.run?.expirationReason == reason)
        #expect(timeline.expirations == [reason])
    }

    @Test("without a run it is notRunning (B34)")
    func nothingToExpire() {
        var timeline = Timeline()
        #expect(timeline.ask { .expirationSimulated(refresh, .simulated, call: $0) }.refusal == .notRunning)
    }

    @Test("an expiration that comes while the handler is being started is delivered at its entry (B34)")
    func earlyExpirationsWait() {
        var timeline = Timeline()
        timeline.submit(refresh)
        _ = timeline.ask { .expirationSimulated(refresh, .simulated, call: $0) }
        #expect(timeline.expirations.isEmpty)
        timeline.enter(refresh)
        #expect(timeline.expirations == [.simulated])
    }

    @Test("simulated runs take no slot, and count in no budget, usage, misbehaviour or anchor (B30, B35)")
    func countNowhere() {
        var policy = Policy.prompt
        policy.concurrency = 1
        policy.gates.runTimePerDay = .seconds(1)
        policy.gates.refreshInterval = .hours(1)
        let every = TaskSettings(identifier: refresh, every: .hours(2))
        var timeline = Timeline(policy: policy, apps: [Fixture.embedded(tasks: [every])])
        timeline.simulate(refresh, budget: true)
        timeline.submit(export)
        #expect(timeline.launches.map(\.identifier) == [refresh, export])
        timeline.enter(refresh)
        timeline.wait(.minutes(1))
        #expect(timeline.lastRun(refresh)?.state == .expired)
        #expect(timeline.store.apps[Fixture.app]?.misbehaviours.isEmpty == true)
        #expect(timeline.store.apps[Fixture.app]?.usedMilliseconds == 0)
        #expect(timeline.store.tasks[refresh]?.lastScheduledStart == nil)
    }
}

extension Timeline {
    /// A simulated launch that is answered at once.
    fileprivate mutating func simulateAndAnswer(_ identifier: TaskIdentifier) -> Reply? {
        let call = simulate(identifier)
        return reply(to: call)
    }
}
