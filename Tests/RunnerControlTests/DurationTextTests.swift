import Testing

@testable import RunnerControl

struct DurationTextTests {
    @Test(
        "durations are read with any units, the largest first",
        arguments: [
            ("5s", 5_000), ("90", 90_000), ("1.5s", 1_500), ("500ms", 500), ("15m", 900_000), ("1h30m", 5_400_000),
            ("2d", 172_800_000), ("1d2h3m4s5ms", 93_784_005), ("0", 0), ("0.5", 500),
        ])
    func reading(text: String, milliseconds: Int64) {
        #expect(DurationText.parse(text) == milliseconds)
    }

    @Test(
        "what is no duration is refused",
        arguments: ["", "s", "5 s", "-5s", "5x", "30m1h", "1h1h", "1h30", ".5s", "5.s", "1e3", "inf", "5S", "1..5s"])
    func wrong(text: String) {
        #expect(DurationText.parse(text) == nil)
    }

    @Test(
        "durations are written with two units at most",
        arguments: [
            (0, "0s"), (1, "1ms"), (999, "999ms"), (1_000, "1s"), (1_240, "1.2s"), (59_999, "59.9s"), (60_000, "1m"),
            (920_000, "15m 20s"), (3_600_000, "1h"), (3_900_000, "1h 5m"), (183_600_000, "2d 3h"),
        ])
    func writing(milliseconds: Int64, text: String) {
        #expect(DurationText.short(milliseconds) == text)
    }

    @Test(
        "a distance says in which direction",
        arguments: [(0, "now"), (1, "in 1s"), (900_000, "in 15m"), (-500, "now"), (-61_000, "1m 1s ago")])
    func distances(away: Int64, text: String) {
        #expect(DateText.distance(Session.now + away, now: Session.now) == text)
    }

    @Test("a date at the end of time has a distance too")
    func extremes() {
        #expect(DateText.distance(.max, now: -1) == "far ahead")
        #expect(DateText.distance(.min, now: 1) == "long ago")
    }
}
