import Platform
import Testing

@testable import RunnerControl

struct PastDateArgumentTests {
    private let now: Int64

    init() throws {
        // A Monday, a quarter to nine by this machine's clocks.
        now = try #require(LocalTime.wallMilliseconds(year: 2026, month: 11, day: 30, hour: 8, minute: 45))
    }

    private func date(_ text: String) -> Int64? {
        PastDateArgument(now: now).parse(text)
    }

    @Test(
        "a duration counts back from now, and ahead only after a plus sign",
        arguments: [
            ("6h", -21_600_000), ("6h ago", -21_600_000), ("-90m", -5_400_000), ("2d", -172_800_000), ("now", 0),
            ("+15m", 900_000),
        ])
    func relative(text: String, milliseconds: Int64) {
        #expect(date(text) == now + milliseconds)
    }

    @Test(
        "times and days of the week are the last ones that were, and days are those that they name",
        arguments: [
            ("08:00", 11, 30, 8), ("18:00", 11, 29, 18), ("today", 11, 30, 0), ("yesterday", 11, 29, 0),
            ("Yesterday 08:00", 11, 29, 8), ("monday 7:00", 11, 30, 7), ("monday 9:00", 11, 23, 9),
            ("mon", 11, 30, 0), ("tuesday", 11, 24, 0), ("2026-11-02 10:00", 11, 2, 10), ("tomorrow 07:00", 12, 1, 7),
        ])
    func local(text: String, month: Int, day: Int, hour: Int) throws {
        let expected = try #require(LocalTime.wallMilliseconds(year: 2026, month: month, day: day, hour: hour))
        #expect(date(text) == expected)
    }

    @Test("a date with its zone is itself")
    func exact() {
        #expect(date("2026-11-30T08:45:00Z") == 1_796_028_300_000)
    }

    @Test(
        "anything else is no date",
        arguments: [
            "", " ", "soon", "ago", "6h later", "yesterday 25:00", "yesterday noon", "-", "9999999999999h", "8",
        ])
    func wrong(text: String) {
        // A bare number is a number of seconds, as in every duration.
        #expect(date(text) == (text == "8" ? now - 8_000 : nil))
    }
}
