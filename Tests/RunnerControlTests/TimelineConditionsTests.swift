import RPC
import Scheduling
import Simulation
import Testing

@testable import RunnerControl

private typealias Fixture = TimelineFixture

struct TimelineConditionsTests {
    /// - Parameter changes: newest first.
    private func bands(
        _ changes: [String], now: String = "{}", daemonStart: Int64 = 0, span: TimelineSpan = Fixture.span
    ) throws -> [String] {
        let conditions = TimelineConditions(
            span: span, daemonStart: daemonStart, changes: try Fixture.values(changes), now: try Fixture.json(now))
        return conditions.bands.map { band in
            let start = (band.start.milliseconds - Fixture.midnight) / 60_000
            let end = (band.end.milliseconds - Fixture.midnight) / 60_000
            return "\(band.kind.rawValue) \(start)-\(end) \(band.detail)"
        }
    }

    @Test("a band is from one change to the next, and one that began before the span begins with it")
    func stretches() throws {
        let changes = [
            Fixture.change(Fixture.at(9), "idle", "false"), Fixture.change(Fixture.at(6), "externalPower", "false"),
            Fixture.change(Fixture.at(3), "idle", "true", source: "logind"),
            Fixture.change("2026-11-29T20:00:00.000Z", "externalPower", "true"),
        ]
        #expect(try bands(changes) == ["externalPower 0-360 upower", "idle 180-540 logind"])
    }

    @Test(
        "each kind of band is drawn for the values that it is about, and no others",
        arguments: [
            ("externalPower", "true", "externalPower"), ("externalPower", "false", ""),
            ("lowPowerMode", "true", "lowPowerMode"), ("idle", "true", "idle"), ("idle", "null", ""),
            ("unlocked", "false", "locked"), ("unlocked", "true", ""),
            ("backgroundRefresh", "false", "backgroundRefreshOff"), ("backgroundRefresh", "true", ""),
            ("network", #""none""#, "noNetwork"), ("network", #""metered""#, "meteredNetwork"),
            ("network", #""unmetered""#, ""), ("thermal", #""serious""#, "thermal"),
            ("thermal", #""critical""#, "thermal"), ("thermal", #""fair""#, ""), ("batteryLevel", "0.1", ""),
            ("network", "true", ""),
        ])
    func kinds(condition: String, value: String, kind: String) throws {
        let bands = try bands([Fixture.change(Fixture.at(1), condition, value)])
        #expect(bands == (kind.isEmpty ? [] : ["\(kind) 60-720 upower"]))
    }

    @Test("what was set by hand says so")
    func overridden() throws {
        let change = Fixture.change(Fixture.at(1), "network", #""none""#, source: "override", overridden: true)
        #expect(try bands([change]) == ["noNetwork 60-720 set by hand"])
    }

    @Test("what never changed is as it is now, over the whole span; nothing is known of what is ahead")
    func unchanged() throws {
        let now = #"{"externalPower":{"value":true,"source":"assumed: no battery","overridden":false}}"#
        var span = Fixture.span
        span.end += 6 * Fixture.hour
        #expect(try bands([], now: now, span: span) == ["externalPower 0-720 assumed: no battery"])
    }

    @Test("what is assumed now is not known of the time before the daemon lived")
    func assumedBefore() throws {
        let now = #"{"externalPower":{"value":true,"source":"assumed: no battery","overridden":false}}"#
        let start = Fixture.milliseconds(6)
        #expect(try bands([], now: now, daemonStart: start) == ["externalPower 360-720 assumed: no battery"])
    }

    @Test("what changed first within the span is not known before")
    func unknownBefore() throws {
        let now = #"{"idle":{"value":true,"source":"logind","overridden":false}}"#
        #expect(try bands([Fixture.change(Fixture.at(10), "idle", "true")], now: now) == ["idle 600-720 upower"])
    }

    @Test("what was known by an earlier daemon ends with this one's start, but for what was set by hand")
    func restart() throws {
        let start = Fixture.milliseconds(6)
        let known = Fixture.change(Fixture.at(1), "idle", "true")
        let later = Fixture.change(Fixture.at(7), "idle", "false")
        #expect(try bands([later, known], daemonStart: start) == ["idle 60-360 upower"])
        let byHand = Fixture.change(Fixture.at(1), "idle", "true", overridden: true)
        #expect(try bands([later, byHand], daemonStart: start) == ["idle 60-420 set by hand"])
        let now = #"{"idle":{"value":false,"source":"logind","overridden":false}}"#
        #expect(try bands([known], now: now, daemonStart: start) == ["idle 60-360 upower"])
        let stillSo = #"{"idle":{"value":true,"source":"logind","overridden":false}}"#
        #expect(
            try bands([known], now: stillSo, daemonStart: start) == ["idle 60-360 upower", "idle 360-720 logind"])
    }

    @Test("a change after the span ends no band before it, and begins none")
    func afterwards() throws {
        var span = Fixture.span
        span.end = Fixture.milliseconds(8)
        let changes = [
            Fixture.change(Fixture.at(10), "lowPowerMode", "true"), Fixture.change(Fixture.at(9), "idle", "false"),
            Fixture.change(Fixture.at(7), "idle", "true"),
        ]
        #expect(try bands(changes, span: span) == ["idle 420-480 upower"])
    }
}
