import Scheduling
import Simulation
import Testing

/// 01, *Recovery* and stopping: what a start knows of the last one, and how a runner drains.
struct LifeCycleTests {
    private let refresh = Fixture.task("refresh")

    @Test("draining starts nothing, lets runs finish, and then says that it is done")
    func drainsLetRunsFinish() {
        var timeline = Timeline()
        timeline.submit(refresh)
        timeline.enter(refresh)
        timeline.send(.drainBegan(grace: .seconds(10)))
        timeline.submit(Fixture.task("export"))
        #expect(timeline.closedGates(Fixture.task("export")) == [.draining])
        timeline.wait(.seconds(9))
        #expect(timeline.expirations.isEmpty)
        timeline.complete(refresh)
        #expect(timeline.effects.count { $0 == .drained } == 1)
        #expect(timeline.store.runner.stoppedCleanly)
    }

    @Test(
        "runs that go on after the drain's grace are expired with the reason draining (B24)", arguments: [true, false])
    func drainsExpireRuns(hurried: Bool) {
        var timeline = Timeline()
        timeline.submit(refresh)
        timeline.enter(refresh)
        timeline.send(.drainBegan(grace: .seconds(10)))
        if hurried { timeline.send(.drainHurried) } else { timeline.wait(.seconds(10)) }
        #expect(timeline.expirations == [.draining])
        timeline.wait(.seconds(5))
        #expect(timeline.effects.contains(.drained))
    }

    /// What changed between two starts.
    struct RecoveryCase: Sendable {
        var reboots = false
        var os = "12"
        var runner = "1.0"
        var drains = true
        var cause: RecoveryCause?
    }

    @Test(
        "a start knows why it recovers (01)",
        arguments: [
            RecoveryCase(cause: nil), RecoveryCase(reboots: true, cause: .reboot),
            RecoveryCase(reboots: true, os: "13", cause: .osUpgrade),
            RecoveryCase(runner: "1.1", cause: .runnerUpgrade),
            RecoveryCase(drains: false, cause: .crash), RecoveryCase(reboots: true, drains: false, cause: .reboot),
        ])
    func startsKnowTheirCause(example: RecoveryCase) {
        var timeline = Timeline()
        if example.drains { timeline.send(.drainBegan(grace: .zero)) }
        if example.reboots { timeline.reboot(launched: false) } else { timeline.restart(launched: false) }
        timeline.launch(os: example.os, runner: example.runner)
        #expect(timeline.scheduler.recovered == example.cause)
        #expect(timeline.scheduler.allApps.first?.recovered == example.cause)
        timeline.submit(refresh)
        #expect(timeline.launches.first?.recovered == example.cause)
    }

    @Test("submission and run numbers are never given twice, over crashes")
    func numbersGrow() {
        var timeline = Timeline()
        var last: Int64 = 0
        for _ in 1...5 {
            timeline.submit(refresh, after: .hours(1))
            let number = timeline.pending(refresh)?.submission ?? 0
            #expect(number > last)
            last = number
            timeline.cancel(refresh)
            timeline.restart()
        }
        timeline.submit(refresh)
        timeline.finish(refresh)
        timeline.restart()
        timeline.submit(refresh)
        #expect(timeline.launches.map(\.run.number) == [2])
    }

    @Test("a store can be adopted after handlers were registered, before the start")
    func storesAreAdopted() {
        var timeline = Timeline()
        timeline.submit(refresh, after: .hours(1))
        let pending = timeline.pending(refresh)
        var scheduler = Scheduler(policy: .prompt, boot: timeline.boot, at: timeline.now)
        _ = scheduler.handle(.appLoaded(Fixture.embedded()), at: timeline.now)
        let registration = HandlerRegistration(
            identifier: refresh.text, app: Fixture.app, kind: nil, origin: "Main.swift:1")
        _ = scheduler.handle(.handlerRegistered(registration, call: CallIdentifier(1)), at: timeline.now)
        scheduler.adopt(timeline.store.contents, at: timeline.now)
        #expect(scheduler.pending(refresh) == pending)
        #expect(scheduler.checkInvariants(at: timeline.now).isEmpty)
    }
}
