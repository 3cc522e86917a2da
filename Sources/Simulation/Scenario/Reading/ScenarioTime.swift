import Scheduling

/// Times as scenario files write them.
package enum ScenarioTime {
    private static let day = Duration.hours(24)

    /// `08:45` or `08:45:30`, since midnight; `24:00` is the end of the day.
    package static func timeOfDay(_ text: String) -> Duration? {
        let parts = text.utf8.split(separator: UInt8(ascii: ":"), omittingEmptySubsequences: false)
        guard parts.count == 2 || parts.count == 3 else { return nil }
        let numbers = parts.compactMap { twoDigits($0) }
        guard numbers.count == parts.count, numbers[1] < 60, numbers.count == 2 || numbers[2] < 60 else { return nil }
        let seconds = numbers.count == 3 ? numbers[2] : 0
        let time = Duration.seconds((numbers[0] * 60 + numbers[1]) * 60 + seconds)
        return time <= day ? time : nil
    }

    /// The text of a time of day.
    package static func text(timeOfDay time: Duration) -> String {
        let seconds = time.wholeMilliseconds / 1_000
        let minutes = "\(padded(seconds / 3_600)):\(padded(seconds / 60 % 60))"
        return seconds % 60 == 0 ? minutes : "\(minutes):\(padded(seconds % 60))"
    }

    /// `+01:00`, `-05:30` or `Z`, in seconds east of UTC.
    static func utcOffset(_ text: String) -> Int? {
        if text == "Z" { return 0 }
        guard text.hasPrefix("+") || text.hasPrefix("-") else { return nil }
        let digits = text.dropFirst()
        guard digits.utf8.count == 5, let offset = timeOfDay(String(digits)), offset <= .hours(14) else { return nil }
        let seconds = Int(offset.wholeMilliseconds / 1_000)
        return text.hasPrefix("-") ? -seconds : seconds
    }

    /// `3` or `2-5`.
    static func days(_ text: String) -> ClosedRange<Int>? {
        let parts = text.split(separator: "-", omittingEmptySubsequences: false)
        let numbers = parts.compactMap { part in part.allSatisfy(\.isNumber) ? Int(part) : nil }
        guard numbers.count == parts.count else { return nil }
        switch numbers.count {
        case 1: return numbers[0]...numbers[0]
        case 2 where numbers[0] <= numbers[1]: return numbers[0]...numbers[1]
        default: return nil
        }
    }

    // MARK: Private

    private static func twoDigits(_ digits: Substring.UTF8View) -> Int? {
        let zero = UInt8(ascii: "0")
        guard digits.count == 2, digits.allSatisfy({ (zero...UInt8(ascii: "9")).contains($0) }) else { return nil }
        return digits.reduce(0) { $0 * 10 + Int($1 - zero) }
    }

    private static func padded(_ number: Int64) -> String {
        number < 10 ? "0\(number)" : "\(number)"
    }
}
