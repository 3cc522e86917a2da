import Platform
import Testing

@testable import RunnerControl

struct DateArgumentTests {
    private let now: Int64

    init() throws {
        // A Monday, a quarter to nine by this machine's clocks.
        now = try #require(LocalTime.wallMilliseconds(year: 2026, month: 11, day: 30, hour: 8, minute: 45))
    }

    private func date(_ text: String) -> Int64? {
        DateArgument(now: now).parse(text)
    }

    @Test(
        "a duration after a plus sign, or after “in”, counts from now",
        arguments: [
            ("+15m", 900_000), ("+90", 90_000), ("in 1h30m", 5_400_000), ("+2d", 172_800_000), ("now", 0), ("NOW", 0),
        ])
    func relative(text: String, milliseconds: Int64) {
        #expect(date(text) == now + milliseconds)
    }

    @Test(
        "days and times are those of local clocks",
        arguments: [
            ("tomorrow 08:00", 2026, 12, 1, 8, 0, 0), ("Tomorrow", 2026, 12, 1, 0, 0, 0),
            ("today 18:30", 2026, 11, 30, 18, 30, 0), ("18:30", 2026, 11, 30, 18, 30, 0),
            ("8:45:01", 2026, 11, 30, 8, 45, 1), ("08:45", 2026, 12, 1, 8, 45, 0), ("07:00", 2026, 12, 1, 7, 0, 0),
            ("2026-12-24 23:59:59", 2026, 12, 24, 23, 59, 59), ("2027-1-2", 2027, 1, 2, 0, 0, 0),
            ("2020-02-29 12:00", 2020, 2, 29, 12, 0, 0), ("today", 2026, 11, 30, 0, 0, 0),
        ])
    func local(text: String, year: Int, month: Int, day: Int, hour: Int, minute: Int, second: Int) throws {
        let expected = try #require(
            LocalTime.wallMilliseconds(
                year: year, month: month, day: day, hour: hour, minute: minute, second: second))
        #expect(date(text) == expected)
    }

    @Test(
        "a day of the week is the next one that still lies ahead",
        arguments: [
            ("monday 9:00", 11, 30, 9), ("mon 08:00", 12, 7, 8), ("tuesday 08:00", 12, 1, 8), ("sun 10:00", 12, 6, 10),
            ("monday", 12, 7, 0), ("friday", 12, 4, 0),
        ])
    func weekdays(text: String, month: Int, day: Int, hour: Int) throws {
        let expected = try #require(LocalTime.wallMilliseconds(year: 2026, month: month, day: day, hour: hour))
        #expect(date(text) == expected)
    }

    @Test("tomorrow is the next month and the next year when this one ends")
    func ends() throws {
        let lastDay = try #require(LocalTime.wallMilliseconds(year: 2027, month: 12, day: 31, hour: 12))
        let expected = try #require(LocalTime.wallMilliseconds(year: 2028, month: 1, day: 1, hour: 1))
        #expect(DateArgument(now: lastDay).parse("tomorrow 1:00") == expected)
    }

    @Test("RFC 3339 is taken as it is")
    func exact() {
        #expect(date("2026-11-30T08:45:00.250Z") == 1_796_028_300_250)
        #expect(date("2026-11-30T09:45:00+01:00") == 1_796_028_300_000)
    }

    @Test(
        "what is no date is refused",
        arguments: [
            "", "soon", "+", "+x", "-15m", "in", "15m", "24:00", "8:60", "8", "08:00 tomorrow", "tomorrow 8",
            "2026-13-01", "2026-02-30 08:00", "26-12-01", "2026-12-01 08:00 Z", "tomorrow tomorrow", "mo 08:00",
            "+99999999999999999999d", "8:5",
        ])
    func wrong(text: String) {
        #expect(date(text) == nil)
    }
}
