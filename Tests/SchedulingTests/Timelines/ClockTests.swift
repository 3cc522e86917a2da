import Scheduling
import Simulation
import Testing

/// B41: clocks that are set, and machines that sleep.
struct ClockTests {
    private let refresh = Fixture.task("refresh")
    private let export = Fixture.task("export")

    @Test("a clock that is set forward reaches floors at once (B41)")
    func forwardJumpsReachFloors() {
        var timeline = Timeline()
        timeline.submit(refresh, after: .hours(1))
        timeline.setClock(by: .hours(1))
        #expect(timeline.launches.count == 1)
        #expect(timeline.diagnostics.contains { $0.name == .clockJumped })
    }

    @Test("a floor that was reached and is ahead again closes again (B41)")
    func backwardJumpsCloseFloors() {
        var timeline = Timeline()
        timeline.send(.paused(app: nil, call: CallIdentifier(0)))
        timeline.submit(refresh, after: .minutes(1))
        timeline.wait(.minutes(2))
        #expect(timeline.closedGates(refresh) == [.paused])
        timeline.setClock(by: .hours(-3))
        timeline.send(.resumed(app: nil, call: CallIdentifier(0)))
        #expect(timeline.closedGates(refresh) == [.earliestBeginDate])
        timeline.wait(.hours(3) - .seconds(61))
        #expect(timeline.launches.isEmpty)
        timeline.wait(.seconds(1))
        #expect(timeline.launches.count == 1)
    }

    @Test("a clock that is set changes no budget, backoff or wait (B41)")
    func jumpsChangeNoDurations() {
        var timeline = Timeline()
        timeline.submit(refresh)
        timeline.enter(refresh)
        timeline.submit(export)
        timeline.failStart(export)
        timeline.setClock(by: .hours(9))
        #expect(timeline.expirations.isEmpty)
        #expect(timeline.closedGates(export) == [.backoff])
        timeline.setClock(by: .hours(-18))
        timeline.wait(.seconds(10))
        #expect(timeline.run(export)?.attempt == 2)
        timeline.wait(.seconds(20))
        #expect(timeline.expirations == [.budget])
        #expect(timeline.run(export)?.waitedMilliseconds == 10_000)
    }

    @Test("sleep passes no budget, but floors and backoffs (B41)")
    func sleepPassesNoBudget() {
        var timeline = Timeline()
        timeline.submit(refresh)
        timeline.enter(refresh)
        timeline.submit(export, after: .hours(1))
        timeline.sleep(.hours(8))
        #expect(timeline.expirations.isEmpty)
        #expect(timeline.launches.map(\.identifier) == [refresh, export])
        timeline.wait(.seconds(30))
        #expect(timeline.expirations == [.budget])
    }

    @Test("history keeps both clocks (B41)")
    func historyKeepsBothClocks() throws {
        var timeline = Timeline()
        timeline.submit(refresh)
        timeline.enter(refresh)
        timeline.setClock(by: .hours(-5))
        timeline.wait(.seconds(3))
        timeline.complete(refresh)
        let run = try #require(timeline.lastRun(refresh))
        #expect(run.startedBoot.duration(to: try #require(run.endedBoot)) == .seconds(3))
        #expect(try #require(run.endedAt) < run.startedAt)
    }

    @Test("a budget of a day that began in the future is void (B41)")
    func futureUsageIsVoid() {
        var policy = Policy.prompt
        policy.gates.runTimePerDay = .seconds(10)
        var timeline = Timeline(policy: policy)
        timeline.submit(refresh)
        timeline.enter(refresh)
        timeline.wait(.seconds(10))
        timeline.complete(refresh)
        timeline.submit(export)
        #expect(timeline.closedGates(export) == [.budget])
        timeline.setClock(by: .days(-3))
        #expect(timeline.launches.map(\.identifier) == [refresh, export])
    }

    @Test("backoffs and waits of another boot are void, floors are not (01)")
    func rebootsVoidBackoffs() {
        var timeline = Timeline()
        timeline.submit(refresh)
        timeline.failStart(refresh)
        timeline.submit(export, after: .hours(1))
        timeline.reboot(after: .seconds(2))
        #expect(timeline.launches.map(\.identifier) == [refresh])
        #expect(timeline.run(refresh)?.waitedMilliseconds == 2_000)
        #expect(timeline.closedGates(export) == [.earliestBeginDate])
    }

    @Test("times saturate at the ends of their range instead of trapping")
    func timesSaturate() {
        #expect(WallTime(milliseconds: .max).advanced(by: .seconds(1)).milliseconds == .max)
        #expect(WallTime(milliseconds: .min).advanced(by: .seconds(-1)).milliseconds == .min)
        #expect(Duration.seconds(Int64.max).wholeMilliseconds == .max)
        #expect(Duration.nanoseconds(1).wholeMilliseconds == 1)
        #expect(Duration.milliseconds(-1).wholeMilliseconds == -1)
        #expect(Duration.milliseconds(-1_500).wholeMilliseconds == -1_500)
        #expect(Duration.microseconds(-1_500).wholeMilliseconds == -1)
        #expect(WallTime(milliseconds: .min).duration(to: WallTime(milliseconds: .max)) == .milliseconds(Int64.max))
    }
}
