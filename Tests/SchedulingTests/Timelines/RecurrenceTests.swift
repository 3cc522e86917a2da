import Scheduling
import Simulation
import Testing

/// B37 to B39: recurring tasks.
struct RecurrenceTests {
    private let backup = Fixture.tool("backup")
    private let export = Fixture.task("export")

    private func recurring(
        every: Duration = .minutes(10), retries: Bool = false, kind: TaskKind? = nil
    ) -> Timeline {
        Timeline(apps: [
            Fixture.commands([Fixture.command("backup", kind: kind, every: every, retries: retries)])
        ])
    }

    private func seconds(_ request: PendingRequest?, from timeline: Timeline) -> Int64? {
        (request?.floor).map { ($0.milliseconds - timeline.now.wall.milliseconds) / 1_000 }
    }

    // MARK: B37

    /// A case of the formula, in seconds.
    struct FloorCase: Sendable {
        var last: Int64?
        var refusals = 0
        var floor: Int64
    }

    @Test(
        "the next floor is max(now + 60 s, min(last, now) + interval), stretched by refusals (B37)",
        arguments: [
            FloorCase(last: nil, floor: 60), FloorCase(last: 0, floor: 600), FloorCase(last: -300, floor: 300),
            FloorCase(last: -590, floor: 60), FloorCase(last: 5_000, floor: 600),
            FloorCase(last: nil, refusals: 1, floor: 300),
            FloorCase(last: 0, refusals: 1, floor: 1_200), FloorCase(last: 0, refusals: 2, floor: 2_400),
            FloorCase(last: 0, refusals: 40, floor: 14_400),
        ])
    func nextFloors(example: FloorCase) {
        let now = WallTime(milliseconds: 1_796_000_000_000)
        let floor = Recurrence.nextFloor(
            interval: .minutes(10), lastStart: example.last.map { now.advanced(by: .seconds($0)) }, now: now,
            refusals: example.refusals, timing: Timing())
        #expect(floor == now.advanced(by: .seconds(example.floor)))
    }

    @Test("an interval longer than four hours is not stretched past itself (B37)")
    func longIntervalsStay() {
        let now = WallTime(milliseconds: 1_796_000_000_000)
        let floor = Recurrence.nextFloor(interval: .days(1), lastStart: now, now: now, refusals: 5, timing: Timing())
        #expect(floor == now.advanced(by: .days(1)))
    }

    @Test("a refused re-arm is said, and tried again after 300 s (B37)")
    func refusedRearmsAreTriedAgain() {
        var policy = Policy.prompt
        policy.limits.allPerApp = 1
        var timeline = Timeline(
            policy: policy,
            apps: [Fixture.commands([Fixture.command("a", every: .hours(1)), Fixture.command("b", every: .hours(1))])])
        #expect(timeline.pending(Fixture.tool("a")) != nil)
        #expect(timeline.pending(Fixture.tool("b")) == nil)
        #expect(timeline.diagnostics.contains { $0.name == .recurrenceNotArmed })
        timeline.cancel(Fixture.tool("a"))
        timeline.cancel(Fixture.tool("a"))
        timeline.send(.paused(app: nil, call: CallIdentifier(0)))
        timeline.wait(.seconds(300))
        #expect(timeline.scheduler.pendingCount == 1)
    }

    // MARK: B38

    @Test("a declared recurrence is pending when its bundle is loaded, and runs again and again (B38)")
    func recurrencesRunForEver() {
        var timeline = recurring()
        #expect(seconds(timeline.pending(backup), from: timeline) == 60)
        timeline.wait(.seconds(60))
        for _ in 1...5 {
            #expect(seconds(timeline.pending(backup), from: timeline) == 600)
            timeline.finish(backup)
            timeline.wait(.minutes(10))
        }
        #expect(timeline.launches.count == 6)
        #expect(!timeline.diagnostics.contains { $0.name == .willNotRunAgain })
    }

    @Test("the next occurrence is pending before the handler is called, in the transaction of the claim (B38)")
    func armsWithTheClaim() throws {
        var timeline = recurring()
        timeline.wait(.seconds(60))
        let launch = try #require(timeline.effects.lastIndex { if case .launch = $0 { true } else { false } })
        let arm = try #require(
            timeline.effects.lastIndex { if case .persist(.putRequest) = $0 { true } else { false } })
        #expect(arm < launch)
        #expect(timeline.pending(backup)?.maker == .recurrence)
    }

    /// How a run ends, and after how many seconds it comes again.
    struct EndCase: Sendable {
        var retries = false
        var exit: ProcessExit
        var again: Int64
    }

    @Test(
        "a crashed run comes again after a backoff, a failed one with retry (B38)",
        arguments: [
            EndCase(exit: .signal(11), again: 30), EndCase(exit: .code(1), again: 600),
            EndCase(retries: true, exit: .code(1), again: 30), EndCase(retries: true, exit: .code(0), again: 600),
        ])
    func retries(example: EndCase) {
        var timeline = recurring(retries: example.retries)
        timeline.wait(.seconds(60))
        timeline.enter(backup)
        timeline.send(.processExited(RunIdentifier(1), example.exit))
        timeline.wait(.seconds(example.again) - .milliseconds(1))
        #expect(timeline.launches.count == 1)
        timeline.wait(.milliseconds(1))
        #expect(timeline.launches.count == 2)
    }

    @Test("the backoff doubles, and is never longer than the interval (B38)")
    func retriesBackOff() {
        var timeline = recurring(every: .minutes(2))
        timeline.wait(.seconds(60))
        for backoff in [30, 60, 120, 120] {
            let launches = timeline.launches.count
            timeline.enter(backup)
            timeline.send(.processExited(timeline.launches.last?.run ?? RunIdentifier(0), .signal(9)))
            timeline.wait(.seconds(backoff) - .milliseconds(1))
            #expect(timeline.launches.count == launches)
            timeline.wait(.milliseconds(1))
            #expect(timeline.launches.count == launches + 1)
        }
        timeline.finish(backup)
        #expect(timeline.store.tasks[backup]?.retries == 0)
    }

    @Test("an interrupted run comes again after a backoff (B38)")
    func interruptedRunsComeAgain() {
        var timeline = recurring()
        timeline.wait(.seconds(60))
        timeline.enter(backup)
        timeline.restart()
        #expect(timeline.pending(backup)?.maker == .retry)
        timeline.wait(.seconds(30))
        #expect(timeline.launches.count == 1)
    }

    @Test("a reboot does not take the retry of an interrupted run away (B38, B39)")
    func rebootsKeepRetries() {
        var timeline = recurring()
        timeline.wait(.seconds(60))
        timeline.enter(backup)
        timeline.reboot()
        timeline.wait(.seconds(30))
        #expect(timeline.launches.count == 1)
    }

    @Test(
        "a run that lost its condition, or drained, comes again (B38)",
        arguments: [ExpirationReason.conditionLost, .draining, .appStopping, .budget])
    func expiredRunsComeAgain(reason: ExpirationReason) {
        var timeline = recurring()
        timeline.wait(.seconds(60))
        timeline.enter(backup)
        _ = timeline.ask { .expirationSimulated(backup, reason, call: $0) }
        timeline.wait(.seconds(5))
        timeline.send(.processExited(RunIdentifier(1), .signal(9)))
        timeline.wait(.seconds(30))
        #expect((timeline.launches.count == 2) == (reason != .budget))
    }

    @Test("a handler's own submit replaces the next occurrence (B38)")
    func handlersReplaceTheNext() {
        var timeline = recurring()
        timeline.wait(.seconds(60))
        timeline.enter(backup)
        #expect(timeline.submit(backup, after: .hours(3)).outcome == .replaced)
        timeline.complete(backup)
        timeline.wait(.hours(2))
        #expect(timeline.launches.count == 1)
        timeline.wait(.hours(1))
        #expect(timeline.launches.count == 2)
        #expect(timeline.pending(backup)?.maker == .recurrence)
    }

    @Test("a cancel skips one occurrence (B38)")
    func cancelsSkipOne() {
        var timeline = recurring()
        #expect(timeline.cancel(backup).cancelled == true)
        #expect(seconds(timeline.pending(backup), from: timeline) == 660)
        timeline.wait(.seconds(660))
        #expect(timeline.launches.count == 1)
    }

    @Test("a pause stops it, and what was due runs once when it is over (B38)")
    func pausesStopIt() {
        var timeline = recurring()
        timeline.send(.paused(app: Fixture.tools, call: CallIdentifier(0)))
        timeline.wait(.hours(5))
        #expect(timeline.launches.isEmpty)
        timeline.send(.resumed(app: Fixture.tools, call: CallIdentifier(0)))
        timeline.finish(backup)
        timeline.wait(.minutes(5))
        #expect(timeline.launches.count == 1)
    }

    @Test("loading again and again postpones nothing (B37)")
    func loadingPostponesNothing() {
        var timeline = recurring()
        for minute in 1...8 {
            timeline.wait(.seconds(7))
            timeline.reload([
                Fixture.commands([Fixture.command("backup", every: .minutes(10))], hash: "\(minute)")
            ])
        }
        #expect(seconds(timeline.pending(backup), from: timeline) == 4)
    }

    @Test("a manifest that asks for other conditions replaces the occurrence, and does not postpone it")
    func changedConditionsReplaceTheOccurrence() {
        var timeline = recurring()
        timeline.wait(.seconds(50))
        timeline.reload([
            Fixture.commands([Fixture.command("backup", every: .hours(10), needsPower: true)], hash: "2")
        ])
        #expect(timeline.pending(backup)?.requiresExternalPower == true)
        #expect(seconds(timeline.pending(backup), from: timeline) == 10)
    }

    // MARK: B39

    @Test("a reboot submits a fresh request once; another start of the runner does not (B39)")
    func rebootsSubmitAfresh() {
        var timeline = recurring(every: .hours(2))
        timeline.wait(.seconds(60))
        timeline.finish(backup)
        let first = timeline.pending(backup)
        timeline.restart()
        #expect(timeline.pending(backup)?.submission == first?.submission)
        timeline.reboot()
        let fresh = timeline.pending(backup)
        #expect(fresh?.submission != first?.submission)
        #expect(fresh?.floor == first?.floor)
        timeline.restart()
        #expect(timeline.pending(backup)?.submission == fresh?.submission)
    }
}
