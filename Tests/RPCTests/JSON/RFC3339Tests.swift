import Testing

@testable import RPC

struct RFC3339Tests {
    @Test(
        "a date with any offset becomes the milliseconds since 1970",
        arguments: [
            ("1970-01-01T00:00:00Z", 0),
            ("1970-01-01T00:00:00.001Z", 1),
            ("1969-12-31T23:59:59.999Z", -1),
            ("2026-11-30T08:45:00.000Z", 1_796_028_300_000),
            ("2026-11-30T09:45:00+01:00", 1_796_028_300_000),
            ("2026-11-29T22:15:00-10:30", 1_796_028_300_000),
            ("2026-11-30t08:45:00z", 1_796_028_300_000),
            ("2026-11-30T08:45:00-00:00", 1_796_028_300_000),
            ("2000-02-29T12:00:00Z", 951_825_600_000),
            ("2024-02-29T00:00:00.1Z", 1_709_164_800_100),
            ("2024-02-29T00:00:00.12Z", 1_709_164_800_120),
            ("2024-02-29T00:00:00.1239999999999999999999Z", 1_709_164_800_123),
            ("0001-01-01T00:00:00Z", -62_135_596_800_000),
            ("9999-12-31T23:59:59.999Z", 253_402_300_799_999),
            ("1969-12-31T23:59:59.5Z", -500),
        ] as [(String, Int64)])
    func reading(_ text: String, _ milliseconds: Int64) {
        #expect(RFC3339.parse(text) == milliseconds)
    }

    @Test(
        "what is not exactly a date with a time and an offset is refused",
        arguments: [
            "", "2026", "2026-11-30", "2026-11-30T08:45:00", "2026-11-30 08:45:00Z", "2026-11-30T08:45Z",
            "2026-11-30T08:45:00.Z", "2026-11-30T08:45:00,5Z", "2026-11-30T08:45:60Z", "2026-11-30T24:00:00Z",
            "2026-11-30T08:60:00Z", "2026-13-01T00:00:00Z", "2026-00-01T00:00:00Z", "2026-11-31T00:00:00Z",
            "2026-11-00T00:00:00Z", "2025-02-29T00:00:00Z", "1900-02-29T00:00:00Z", "0000-01-01T00:00:00Z",
            "2026-11-30T08:45:00+1:00", "2026-11-30T08:45:00+0100", "2026-11-30T08:45:00+24:00",
            "2026-11-30T08:45:00+01:60", "2026-11-30T08:45:00Z ", " 2026-11-30T08:45:00Z", "2026-11-30T08:45:00ZZ",
            "+2026-11-30T08:45:00Z", "12026-11-30T08:45:00Z", "2026-1-30T08:45:00Z", "٢٠٢٦-11-30T08:45:00Z",
            "2026-11-30T08:45:0AZ", "0001-01-01T00:00:00+00:01", "9999-12-31T23:59:59-00:01",
        ])
    func refusing(_ text: String) {
        #expect(RFC3339.parse(text) == nil)
    }

    /// From the first date, then in steps of so many days: all days of 400 years, and some of all other years.
    @Test(
        "a date is written and read back, and follows the one before",
        arguments: [("1801-01-01T00:00:00Z", 1, 146_098), ("0001-01-01T00:00:00Z", 29, 125_933)])
    func roundTrips(_ first: String, _ step: Int64, _ count: Int) throws {
        var moment = try #require(RFC3339.parse(first))
        var last = ""
        for _ in 0..<count {
            let text = RFC3339.format(moment)
            if RFC3339.parse(text) != moment || text <= last { Issue.record("\(moment) became \(text)") }
            last = text
            moment += step * 86_400_000
        }
        #expect(last.prefix(4) == (step == 1 ? "2201" : "9999"))
    }

    @Test("dates are written in UTC with milliseconds")
    func writing() {
        #expect(RFC3339.format(0) == "1970-01-01T00:00:00.000Z")
        #expect(RFC3339.format(-1) == "1969-12-31T23:59:59.999Z")
        #expect(RFC3339.format(1_796_028_300_007) == "2026-11-30T08:45:00.007Z")
        #expect(RFC3339.format(Int64.min) == "0001-01-01T00:00:00.000Z")
        #expect(RFC3339.format(Int64.max) == "9999-12-31T23:59:59.999Z")
        var writer = JSONWriter()
        writer.date(milliseconds: 951_825_600_000)
        #expect(String(decoding: writer.bytes, as: UTF8.self) == #""2000-02-29T12:00:00.000Z""#)
    }
}
