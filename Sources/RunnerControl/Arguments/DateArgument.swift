import Platform
import RPC

/// Reads a date as a person types it, in local time: `+15m`, `tomorrow 08:00`, `monday 7:30`, `2026-12-01 08:00`, `18:00`,
/// `now`, or RFC 3339.
struct DateArgument {
    static let expectation =
        "a date such as +15m, 18:00, “tomorrow 08:00”, “monday 7:30”, “2026-12-01 08:00” or 2026-12-01T08:00:00Z"

    /// Milliseconds since 1970.
    let now: Int64

    /// Milliseconds since 1970; nil for what is no date.
    func parse(_ text: String) -> Int64? {
        if let exact = RFC3339.parse(text) { return exact }
        let words = text.lowercased().split(separator: " ").map { String($0) }
        switch (words.count, words.first) {
        case (1, "now"): return now
        case (2, "in"): return after(words[1])
        case (1, let word?) where word.hasPrefix("+"): return after(String(word.dropFirst()))
        case (1, let word?):
            if let time = time(word) { return upcoming(time) }
            return day(word).flatMap { moment($0, Time()) }
        case (2, let word?):
            guard let time = time(words[1]) else { return nil }
            if let weekday = weekday(word) { return upcoming(weekday, time) }
            return day(word).flatMap { moment($0, time) }
        default: return nil
        }
    }

    /// Whether a word is the name of a weekday, or its first three letters.
    static func isWeekday(_ word: String) -> Bool {
        weekdays.contains { $0 == word || $0.prefix(3) == word }
    }

    // MARK: Private

    private struct Day {
        var year: Int
        var month: Int
        var day: Int

        mutating func advance() {
            day += 1
            guard day > LocalTime.days(inMonth: month, of: year) else { return }
            day = 1
            month += 1
            guard month > 12 else { return }
            month = 1
            year += 1
        }

        /// 0 is Sunday. (Years are counted from March, so that a leap day ends one.)
        var weekday: Int {
            let marchYear = month < 3 ? year - 1 : year
            let shifts = [0, 3, 2, 5, 0, 3, 5, 1, 4, 6, 2, 4]
            return (marchYear + marchYear / 4 - marchYear / 100 + marchYear / 400 + shifts[month - 1] + day) % 7
        }
    }

    private struct Time {
        var hour = 0
        var minute = 0
        var second = 0
    }

    private static let weekdays = ["sunday", "monday", "tuesday", "wednesday", "thursday", "friday", "saturday"]

    private var today: Day? {
        LocalTime(wallMilliseconds: now).map { Day(year: $0.year, month: $0.month, day: $0.day) }
    }

    private func after(_ duration: String) -> Int64? {
        guard let milliseconds = DurationText.parse(duration) else { return nil }
        let (sum, overflow) = now.addingReportingOverflow(milliseconds)
        return overflow ? nil : sum
    }

    private func moment(_ day: Day, _ time: Time) -> Int64? {
        LocalTime.wallMilliseconds(
            year: day.year, month: day.month, day: day.day, hour: time.hour, minute: time.minute, second: time.second)
    }

    /// The next time that clocks show this.
    private func upcoming(_ time: Time) -> Int64? {
        guard var day = today, let first = moment(day, time) else { return nil }
        if first > now { return first }
        day.advance()
        return moment(day, time)
    }

    private func upcoming(_ weekday: Int, _ time: Time) -> Int64? {
        guard var day = today else { return nil }
        for _ in 0...7 {
            if day.weekday == weekday, let moment = moment(day, time), moment > now { return moment }
            day.advance()
        }
        return nil
    }

    private func weekday(_ word: String) -> Int? {
        Self.weekdays.firstIndex { $0 == word || $0.prefix(3) == word }
    }

    private func day(_ word: String) -> Day? {
        switch word {
        case "today": return today
        case "tomorrow":
            var day = today
            day?.advance()
            return day
        default:
            if let weekday = weekday(word) {
                // A day without a time is its beginning, and today's has passed.
                guard let start = upcoming(weekday, Time()), let time = LocalTime(wallMilliseconds: start) else {
                    return nil
                }
                return Day(year: time.year, month: time.month, day: time.day)
            }
            let parts = word.split(separator: "-", omittingEmptySubsequences: false)
            guard parts.count == 3, parts[0].utf8.count == 4, let year = digits(parts[0], 4...4),
                let month = digits(parts[1], 1...2), let day = digits(parts[2], 1...2)
            else { return nil }
            return Day(year: year, month: month, day: day)
        }
    }

    private func time(_ word: String) -> Time? {
        let parts = word.split(separator: ":", omittingEmptySubsequences: false)
        guard parts.count == 2 || parts.count == 3, let hour = digits(parts[0], 1...2), hour < 24,
            let minute = digits(parts[1], 2...2), minute < 60
        else { return nil }
        guard parts.count == 3 else { return Time(hour: hour, minute: minute) }
        guard let second = digits(parts[2], 2...2), second < 60 else { return nil }
        return Time(hour: hour, minute: minute, second: second)
    }

    private func digits(_ text: Substring, _ count: ClosedRange<Int>) -> Int? {
        guard count.contains(text.utf8.count), text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
        return Int(text)
    }
}
