import Scheduling

/// Durations as people write them in files and options: `500ms`, `30s`, `15m`, `1h`, `2d`.
package enum DurationText {
    /// What may stand after the number, longest first.
    private static let units: [(suffix: String, milliseconds: Int64)] = [
        ("d", 86_400_000), ("h", 3_600_000), ("m", 60_000), ("s", 1_000), ("ms", 1),
    ]

    /// No duration in this project is longer; it keeps sums of them far from overflow.
    package static let longest = Duration.days(36_500)

    /// Reads a whole number with its unit; `nil` for anything else, and for more than a hundred years.
    package static func parse(_ text: String) -> Duration? {
        let digits = text.utf8.prefix { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
        let suffix = text.utf8.dropFirst(digits.count)
        guard let unit = units.first(where: { suffix.elementsEqual($0.suffix.utf8) }),
            let count = Int64(String(decoding: digits, as: UTF8.self))
        else { return nil }
        let (total, overflow) = count.multipliedReportingOverflow(by: unit.milliseconds)
        guard !overflow, total <= longest.wholeMilliseconds else { return nil }
        return .milliseconds(total)
    }

    /// Whether it is written as a duration is, and longer than one may be.
    package static func isTooLong(_ text: String) -> Bool {
        let digits = text.utf8.prefix { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
        let suffix = text.utf8.dropFirst(digits.count)
        return !digits.isEmpty && parse(text) == nil && units.contains { suffix.elementsEqual($0.suffix.utf8) }
    }

    /// The duration in the largest unit that is exact, rounded up to milliseconds.
    package static func format(_ duration: Duration) -> String {
        let milliseconds = duration.wholeMilliseconds
        guard milliseconds != 0, let unit = units.first(where: { milliseconds % $0.milliseconds == 0 }) else {
            return "0s"
        }
        return "\(milliseconds / unit.milliseconds)\(unit.suffix)"
    }
}
