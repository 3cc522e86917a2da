import Platform

/// Dates for people: local time, and how far away.
enum DateText {
    /// `2026-11-30 08:45:00`.
    static func local(_ milliseconds: Int64) -> String {
        guard let time = LocalTime(wallMilliseconds: milliseconds) else { return "\(milliseconds) ms" }
        return "\(date(time)) \(clock(time))"
    }

    /// The time alone when it is the same local day.
    static func brief(_ milliseconds: Int64, now: Int64) -> String {
        guard let time = LocalTime(wallMilliseconds: milliseconds), let today = LocalTime(wallMilliseconds: now),
            (time.year, time.month, time.day) == (today.year, today.month, today.day)
        else { return local(milliseconds) }
        return clock(time)
    }

    /// `2026-11-30 08:45:00 (in 15m)`.
    static func withDistance(_ milliseconds: Int64, now: Int64) -> String {
        "\(local(milliseconds)) (\(distance(milliseconds, now: now)))"
    }

    /// `in 15m`, `3m 20s ago`, `now`.
    static func distance(_ milliseconds: Int64, now: Int64) -> String {
        let (away, overflow) = milliseconds.subtractingReportingOverflow(now)
        if overflow { return milliseconds > now ? "far ahead" : "long ago" }
        // Rounded up ahead, so that “in 0s” is never said of what still lies ahead.
        if away > 0 { return "in \(DurationText.rounded(away + 999))" }
        return away > -1_000 ? "now" : "\(DurationText.rounded(-away)) ago"
    }

    /// The hour that local clocks show.
    static func hour(_ milliseconds: Int64) -> Int {
        LocalTime(wallMilliseconds: milliseconds)?.hour ?? 0
    }

    // MARK: Private

    private static func date(_ time: LocalTime) -> String {
        "\(padded(time.year, 4))-\(padded(time.month, 2))-\(padded(time.day, 2))"
    }

    private static func clock(_ time: LocalTime) -> String {
        "\(padded(time.hour, 2)):\(padded(time.minute, 2)):\(padded(time.second, 2))"
    }

    private static func padded(_ number: Int, _ width: Int) -> String {
        let digits = String(number)
        return String(repeating: "0", count: max(0, width - digits.count)) + digits
    }
}
