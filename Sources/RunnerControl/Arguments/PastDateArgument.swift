import Platform
import RPC

/// Reads a date as a person types it who looks back: `6h`, `6h ago`, `18:00`, `yesterday 08:00`, `monday 7:30`; and whatever
/// `DateArgument` reads that names its day.
struct PastDateArgument {
    static let expectation =
        "a date such as 6h (ago), 18:00, “yesterday 08:00”, “monday 7:30”, “2026-12-01 08:00” or 2026-12-01T08:00:00Z"

    private static let day: Int64 = 86_400_000

    /// Milliseconds since 1970.
    let now: Int64

    /// Milliseconds since 1970; nil for what is no date.
    func parse(_ text: String) -> Int64? {
        if let exact = RFC3339.parse(text) { return exact }
        let words = text.lowercased().split(separator: " ").map { String($0) }
        guard let first = words.first else { return nil }
        if words.count == 1 || words.count == 2 && words[1] == "ago" {
            let length = first.hasPrefix("-") ? String(first.dropFirst()) : first
            if let milliseconds = DurationText.parse(length) {
                let (moment, overflow) = now.subtractingReportingOverflow(milliseconds)
                return overflow ? nil : moment
            }
        }
        if first == "yesterday" { return yesterday(words.dropFirst()) }
        guard let moment = DateArgument(now: now).parse(text) else { return nil }
        // What comes round again was meant to have been: a time of day, or a weekday.
        guard moment > now, let period = period(of: first) else { return moment }
        return [period, period + Self.day / 24, period - Self.day / 24].lazy
            .compactMap { DateArgument(now: now - $0).parse(text) }.first { $0 <= now }
    }

    // MARK: Private

    private func yesterday(_ rest: ArraySlice<String>) -> Int64? {
        // From noon, since days have 23 to 25 hours.
        guard let today = LocalTime(wallMilliseconds: now),
            let noon = LocalTime.wallMilliseconds(year: today.year, month: today.month, day: today.day, hour: 12)
        else { return nil }
        return DateArgument(now: noon - Self.day).parse((["today"] + rest).joined(separator: " "))
    }

    /// How soon it comes round again; nil for what names its day.
    private func period(of word: String) -> Int64? {
        if word.contains(":") { return Self.day }
        return DateArgument.isWeekday(word) ? 7 * Self.day : nil
    }
}
