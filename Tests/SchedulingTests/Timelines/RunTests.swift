import Scheduling
import Simulation
import Testing

/// B22 to B31 and *Launching has two steps*: how runs start, expire and end.
struct RunTests {
    private let refresh = Fixture.task("refresh")
    private let export = Fixture.task("export")
    private let report = Fixture.tool("report")

    private func commands() -> Timeline {
        Timeline(apps: [Fixture.commands([Fixture.command("report"), Fixture.command("backup")])])
    }

    // MARK: B22

    @Test("a launch claims the request and records the run in one transaction, before it leaves (B22)")
    func launchesClaim() throws {
        var timeline = Timeline()
        timeline.submit(refresh)
        let launch = try #require(timeline.effects.firstIndex { if case .launch = $0 { true } else { false } })
        let run = try #require(
            timeline.effects.firstIndex { if case .persist(.putRun) = $0 { true } else { false } })
        let remove = try #require(
            timeline.effects.firstIndex { if case .persist(.removeRequest) = $0 { true } else { false } })
        #expect(run < launch && remove < launch)
        #expect(timeline.lastRun(refresh)?.state == .starting)
        #expect(timeline.pending(refresh) == nil)
    }

    @Test("the budget begins when the handler was entered (B22, B23)")
    func budgetsBeginAtEntry() {
        var timeline = Timeline()
        timeline.submit(refresh)
        timeline.wait(.minutes(1))
        #expect(timeline.run(refresh)?.state == .starting)
        timeline.enter(refresh)
        timeline.wait(.milliseconds(29_999))
        #expect(timeline.expirations.isEmpty)
        timeline.wait(.milliseconds(1))
        #expect(timeline.expirations == [.budget])
    }

    @Test("a handler may submit its next request first, and that stays pending (B22)")
    func nextRequestsStayPending() {
        var timeline = Timeline()
        timeline.submit(refresh)
        timeline.enter(refresh)
        timeline.submit(refresh)
        #expect(timeline.closedGates(refresh) == [.alreadyRunning])
        #expect(timeline.launches.count == 1)
        timeline.complete(refresh)
        #expect(timeline.launches.count == 2)
    }

    @Test("a start that fails gives the request back with a backoff, three times at most (B22)")
    func failedStartsComeBack() throws {
        var timeline = Timeline()
        timeline.submit(refresh, after: .zero, power: true)
        let floor = try #require(timeline.run(refresh)?.request.floor)
        for attempt in 1...2 {
            timeline.failStart(refresh)
            let pending = try #require(timeline.pending(refresh))
            #expect(pending.attempts == attempt)
            #expect(pending.floor == floor && pending.requiresExternalPower)
            #expect(timeline.closedGates(refresh) == [.backoff])
            #expect(timeline.store.requests[refresh] == pending)
            timeline.wait(.seconds(10 << (attempt - 1)) - .milliseconds(1))
            #expect(timeline.run(refresh) == nil)
            timeline.wait(.milliseconds(1))
            #expect(timeline.run(refresh)?.attempt == attempt + 1)
        }
        timeline.failStart(refresh)
        #expect(timeline.pending(refresh) == nil)
        #expect(timeline.lastRun(refresh)?.state == .crashed)
        #expect(timeline.lastRun(refresh)?.diagnostics.map(\.name) == [.startFailed, .willNotRunAgain])
    }

    @Test("a cancel removes a claim: a start that fails then gives nothing back (01)")
    func cancelsRemoveClaims() {
        var timeline = Timeline()
        timeline.submit(refresh)
        #expect(timeline.cancel(refresh).cancelled == true)
        #expect(timeline.cancel(refresh).cancelled == false)
        timeline.failStart(refresh)
        #expect(timeline.pending(refresh) == nil)
        #expect(timeline.lastRun(refresh)?.state == .cancelled)
    }

    @Test("a newer submission wins over a claim that comes back (01)")
    func newerSubmissionsWin() {
        var timeline = Timeline()
        timeline.submit(refresh)
        let newer = timeline.submit(refresh, after: .hours(1)).submission?.request
        timeline.failStart(refresh)
        #expect(timeline.pending(refresh) == newer)
    }

    @Test("a run that completes although its host never said that it was entered has ended well (01)")
    func completionsImplyEntry() {
        var timeline = Timeline()
        timeline.submit(refresh)
        #expect(timeline.complete(refresh).accepted == true)
        #expect(timeline.lastRun(refresh)?.state == .succeeded)
    }

    // MARK: B23, B24

    @Test("app refresh has 30 s, processing 10 min, and the manifest may say otherwise (B23)")
    func budgetsDependOnTheKind() {
        var timeline = Timeline(
            apps: [
                Fixture.embedded(), Fixture.commands([Fixture.command("report", budget: .seconds(7))]),
            ])
        for identifier in [refresh, export, report] { timeline.submit(identifier) }
        #expect(timeline.launches.map(\.budget) == [.seconds(30), .minutes(10), .seconds(7)])
        timeline.enter(export)
        timeline.wait(.minutes(4))
        let run = timeline.run(export)?.run ?? RunIdentifier(0)
        #expect(timeline.scheduler.remaining(of: run, at: timeline.now) == .minutes(6))
    }

    @Test(
        "an expired run that completes in its grace has its own state and the reason (B24)",
        arguments: RunResult.allCases)
    func completionsInTheGraceCount(result: RunResult) {
        var timeline = Timeline()
        timeline.submit(refresh)
        timeline.enter(refresh)
        timeline.wait(.seconds(34))
        timeline.complete(refresh, result)
        let states: [RunResult: RunState] = [
            .succeeded: .succeeded, .failed: .failed, .abandoned: .abandoned, .noExpirationHandler: .expired,
        ]
        #expect(timeline.lastRun(refresh)?.state == states[result])
        #expect(timeline.lastRun(refresh)?.expirationReason == .budget)
        #expect(timeline.expirations.count == 1)
    }

    @Test("one that does not is expired, counts as misbehaviour and holds alreadyRunning until it returns (B24)")
    func overrunsHoldTheTask() {
        var timeline = Timeline()
        timeline.submit(refresh)
        timeline.enter(refresh)
        timeline.wait(.seconds(35))
        #expect(timeline.lastRun(refresh)?.state == .expired)
        #expect(timeline.lastRun(refresh)?.diagnostics.contains { $0.name == .overran } == true)
        #expect(timeline.terminations == 1)
        #expect(timeline.store.apps[Fixture.app]?.misbehaviours.count == 1)
        timeline.submit(refresh)
        timeline.wait(.hours(1))
        #expect(timeline.closedGates(refresh) == [.alreadyRunning])
        timeline.send(.handlerReturned(RunIdentifier(1)))
        #expect(timeline.launches.count == 2)
    }

    @Test("a command that ignores its SIGTERM is terminated at the end of the grace (B24)")
    func commandsAreTerminated() {
        var timeline = commands()
        timeline.submit(report)
        timeline.enter(report)
        timeline.wait(.seconds(35))
        #expect(timeline.lastRun(report)?.diagnostics.contains { $0.name == .graceEnded } == true)
        #expect(timeline.terminations == 1)
        timeline.submit(report)
        #expect(timeline.closedGates(report) == [.alreadyRunning])
        timeline.send(.processExited(RunIdentifier(1), .signal(9)))
        #expect(timeline.launches.count == 2)
    }

    @Test("a condition, a person, a drain: the handler is called once, with the first reason (B24)")
    func expirationsComeOnce() {
        var timeline = Timeline()
        timeline.submit(refresh)
        timeline.enter(refresh)
        _ = timeline.ask { .stopAsked(identifier: refresh, run: nil, call: $0) }
        _ = timeline.ask { .expirationSimulated(refresh, .budget, call: $0) }
        timeline.send(.drainBegan(grace: .zero))
        timeline.wait(.seconds(1))
        #expect(timeline.expirations == [.stopped])
    }

    @Test("a run without an expiration handler is closed at once, and says so (B25)", arguments: [false, true])
    func missingExpirationHandlersCloseRuns(simulated: Bool) {
        var timeline = Timeline()
        timeline.submit(refresh)
        timeline.enter(refresh)
        if simulated {
            _ = timeline.ask { .expirationSimulated(refresh, .simulated, call: $0) }
        } else {
            timeline.wait(.seconds(30))
        }
        timeline.complete(refresh, .noExpirationHandler, returns: false)
        #expect(timeline.lastRun(refresh)?.state == .expired)
        #expect(timeline.lastRun(refresh)?.diagnostics.contains { $0.name == .noExpirationHandler } == true)
        timeline.submit(refresh)
        #expect(timeline.closedGates(refresh) == [.alreadyRunning])
        timeline.send(.handlerReturned(RunIdentifier(1)))
        #expect(timeline.launches.count == 2)
    }

    // MARK: B26 to B28

    @Test("the first completion wins; a later one changes nothing and is noted with both times (B26)")
    func completionsCountOnce() {
        var timeline = Timeline()
        timeline.submit(refresh)
        timeline.enter(refresh)
        #expect(timeline.complete(refresh, .succeeded, returns: false).accepted == true)
        timeline.wait(.milliseconds(250))
        let late = timeline.ask { .runCompleted(RunIdentifier(1), .failed, message: nil, call: $0) }
        #expect(late.accepted == false)
        #expect(timeline.lastRun(refresh)?.state == .succeeded)
        let diagnostic = timeline.lastRun(refresh)?.diagnostics.last
        #expect(diagnostic?.name == .duplicateCompletion)
        #expect(diagnostic?.message.contains("250 ms") == true)
    }

    @Test("a completion after the grace is late (B26)")
    func lateCompletionsAreNoted() {
        var timeline = Timeline()
        timeline.submit(refresh)
        timeline.enter(refresh)
        timeline.wait(.seconds(40))
        let late = timeline.ask { .runCompleted(RunIdentifier(1), .succeeded, message: nil, call: $0) }
        #expect(late.accepted == false)
        #expect(timeline.lastRun(refresh)?.state == .expired)
        #expect(timeline.lastRun(refresh)?.diagnostics.last?.name == .lateCompletion)
    }

    @Test("an expiration that comes after the completion is not delivered (B26)")
    func expirationsAfterCompletionAreDropped() {
        var timeline = Timeline()
        timeline.submit(refresh)
        timeline.enter(refresh)
        timeline.complete(refresh, returns: false)
        timeline.wait(.minutes(1))
        #expect(timeline.expirations.isEmpty)
    }

    @Test("code that is over without a completion was abandoned (B27)")
    func droppedTasksAreAbandoned() {
        var timeline = Timeline()
        timeline.submit(refresh)
        timeline.enter(refresh)
        timeline.send(.handlerReturned(RunIdentifier(1)))
        #expect(timeline.lastRun(refresh)?.state == .abandoned)
        #expect(timeline.lastRun(refresh)?.diagnostics.first?.name == .abandoned)
    }

    /// How a command ends, before and after it was expired.
    struct ExitCase: Sendable {
        var exit: ProcessExit
        var isExpiring: Bool
        var state: RunState
    }

    @Test(
        "an exit status is a command's completion (B28, B31)",
        arguments: [
            ExitCase(exit: .code(0), isExpiring: false, state: .succeeded),
            ExitCase(exit: .code(3), isExpiring: false, state: .failed),
            ExitCase(exit: .code(143), isExpiring: false, state: .failed),
            ExitCase(exit: .signal(15), isExpiring: false, state: .crashed),
            ExitCase(exit: .signal(11), isExpiring: true, state: .crashed),
            ExitCase(exit: .code(0), isExpiring: true, state: .succeeded),
            ExitCase(exit: .code(143), isExpiring: true, state: .expired),
            ExitCase(exit: .signal(15), isExpiring: true, state: .expired),
        ])
    func exitsCompleteCommands(example: ExitCase) {
        var timeline = commands()
        timeline.submit(report)
        timeline.enter(report)
        if example.isExpiring { timeline.wait(.seconds(30)) }
        timeline.send(.processExited(RunIdentifier(1), example.exit))
        let run = timeline.lastRun(report)
        #expect(run?.state == example.state)
        #expect(run?.exit == example.exit)
        #expect(timeline.store.apps[Fixture.tools]?.misbehaviours.isEmpty == true)
    }

    // MARK: B30, B31

    @Test("at most four runs at once; the waiting go by floor, then by submission (B30)")
    func runsTakeSlots() {
        let names = (0..<8).map { "t\($0)" }
        var timeline = Timeline(apps: [Fixture.commands(names.map { Fixture.command($0) })])
        timeline.send(.paused(app: nil, call: CallIdentifier(0)))
        // Floors of 7, 6, 5 … seconds, but the last two have none.
        for (index, name) in names.enumerated() {
            timeline.submit(Fixture.tool(name), after: index < 6 ? .seconds(7 - index) : nil)
        }
        timeline.wait(.seconds(10))
        timeline.send(.resumed(app: nil, call: CallIdentifier(0)))
        #expect(timeline.launches.map(\.identifier.text.last) == ["6", "7", "5", "4"])
        #expect(timeline.closedGates(Fixture.tool("t3")) == [.concurrency])
        timeline.finish(Fixture.tool("t7"))
        #expect(timeline.launches.map(\.identifier.text.last) == ["6", "7", "5", "4", "3"])
    }

    @Test("a run keeps who, what, when and why (B31)")
    func runsKeepEverything() throws {
        var timeline = commands()
        timeline.submit(report, after: .seconds(20))
        timeline.wait(.seconds(25))
        timeline.enter(report)
        let started = try #require(timeline.run(report)?.startedAt)
        timeline.wait(.seconds(3))
        timeline.send(.processExited(RunIdentifier(1), .code(2)))
        let run = try #require(timeline.lastRun(report))
        #expect(run.app == Fixture.tools && run.request.kind == .appRefresh && run.origin == .scheduled)
        #expect(run.attempt == 1 && run.budgetMilliseconds == 30_000)
        #expect(run.request.floor == started)
        #expect(run.endedAt == timeline.now.wall && run.endedBoot == timeline.now.boot)
        #expect(run.waitedMilliseconds == 20_000)
        #expect(run.waits == [GateWait(gate: .earliestBeginDate, milliseconds: 20_000)])
        #expect(run.message == "exit status 2")
    }

    @Test("a run that the runner left is interrupted, and its request is not run again (B31)")
    func leftRunsAreInterrupted() {
        var timeline = Timeline()
        timeline.submit(refresh)
        timeline.enter(refresh)
        timeline.restart()
        #expect(timeline.lastRun(refresh)?.state == .interrupted)
        #expect(timeline.pending(refresh) == nil)
        #expect(timeline.launches.isEmpty)
    }

    @Test("a claim that the runner left goes back with one attempt more (01)")
    func leftClaimsComeBack() {
        var timeline = Timeline()
        timeline.submit(refresh)
        timeline.restart()
        #expect(timeline.lastRun(refresh)?.state == .interrupted)
        #expect(timeline.pending(refresh)?.attempts == 1)
        timeline.wait(.seconds(10))
        #expect(timeline.launches.map(\.attempt) == [2])
    }

    @Test("a claim of an app whose bundle is gone goes back under appMissing (01, B42)")
    func claimsOfMissingAppsComeBack() {
        var timeline = commands()
        timeline.submit(report)
        timeline.restart(launched: false)
        timeline.send(.started(Fixture.startFacts()))
        timeline.send(.loadingFinished)
        #expect(timeline.pending(report)?.attempts == 1)
        #expect(timeline.closedGates(report).first == .appMissing)
        #expect(timeline.store.requests[report] == timeline.pending(report))
    }

    @Test("what an earlier run left behind holds alreadyRunning until it is gone")
    func leftoversHoldTheTask() {
        var timeline = commands()
        timeline.submit(report)
        timeline.enter(report)
        timeline.submit(report)
        timeline.restart(launched: false)
        timeline.send(.started(Fixture.startFacts()))
        let leftovers = timeline.store.contents.leftovers
        #expect(leftovers.map(\.identifier) == [report])
        timeline.send(.leftoverFound(leftovers[0]))
        timeline.send(.appLoaded(Fixture.commands([Fixture.command("report")])))
        timeline.send(.loadingFinished)
        #expect(timeline.closedGates(report) == [.alreadyRunning])
        let gate = timeline.scheduler.explain(report, at: timeline.now).gates.first { $0.gate == .alreadyRunning }
        #expect(gate?.source == "leftover process")
        timeline.send(.leftoverGone(report))
        #expect(timeline.launches.count == 1)
        #expect(timeline.store.contents.runner.leftovers.isEmpty)
    }

    @Test("what an earlier run left behind is looked for again by the start after the next, though its run has ended")
    func leftoversAreRemembered() {
        var timeline = commands()
        timeline.submit(report)
        timeline.enter(report)
        for _ in 0..<2 {
            timeline.restart(launched: false)
            timeline.send(.started(Fixture.startFacts()))
            #expect(timeline.store.contents.leftovers.map(\.identifier) == [report])
            for leftover in timeline.store.contents.leftovers { timeline.send(.leftoverFound(leftover)) }
            timeline.send(.appLoaded(Fixture.commands([Fixture.command("report")])))
            timeline.send(.loadingFinished)
            timeline.submit(report)
            #expect(timeline.closedGates(report) == [.alreadyRunning])
            #expect(timeline.store.contents.unfinishedRuns.isEmpty)
        }
        // The third start finds nothing any more.
        timeline.restart(launched: false)
        timeline.send(.started(Fixture.startFacts()))
        timeline.send(.appLoaded(Fixture.commands([Fixture.command("report")])))
        timeline.send(.loadingFinished)
        #expect(timeline.launches.count == 1)
        #expect(timeline.store.contents.leftovers.map(\.run) == timeline.store.contents.unfinishedRuns.map(\.run))
        #expect(timeline.store.contents.runner.leftovers.isEmpty)
    }
}
