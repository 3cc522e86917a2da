import Glibc

/// A moment as the machine's own time zone shows it. (FoundationEssentials alone knows no time zones on Linux.)
package struct LocalTime: Equatable, Sendable, CustomStringConvertible {
    package var year: Int
    /// 1 to 12.
    package var month: Int
    /// 1 to 31.
    package var day: Int
    package var hour: Int
    package var minute: Int
    package var second: Int
    /// How far local time is ahead of UTC then.
    package var offsetSeconds: Int

    /// Nil where the calendar has no such moment.
    package init?(wallMilliseconds: Int64) {
        // Rounds down, before 1970 as well.
        let (quotient, remainder) = wallMilliseconds.quotientAndRemainder(dividingBy: 1000)
        var seconds = time_t(remainder < 0 ? quotient - 1 : quotient)
        var parts = tm()
        guard localtime_r(&seconds, &parts) != nil else { return nil }
        year = Int(parts.tm_year) + 1900
        month = Int(parts.tm_mon) + 1
        day = Int(parts.tm_mday)
        hour = Int(parts.tm_hour)
        minute = Int(parts.tm_min)
        second = Int(parts.tm_sec)
        offsetSeconds = Int(parts.tm_gmtoff)
    }

    /// The moment that local clocks show so; nil for a date or time that no calendar has.
    ///
    /// A time that clocks skip when summer begins gives the moment that lies as long after the change (or before it);
    /// one that they show twice gives either.
    package static func wallMilliseconds(
        year: Int, month: Int, day: Int, hour: Int = 0, minute: Int = 0, second: Int = 0
    ) -> Int64? {
        guard (1...9999).contains(year), (1...12).contains(month), day >= 1, day <= days(inMonth: month, of: year),
            (0...23).contains(hour), (0...59).contains(minute), (0...59).contains(second)
        else { return nil }
        var parts = tm()
        parts.tm_year = Int32(year - 1900)
        parts.tm_mon = Int32(month - 1)
        parts.tm_mday = Int32(day)
        parts.tm_hour = Int32(hour)
        parts.tm_min = Int32(minute)
        parts.tm_sec = Int32(second)
        parts.tm_isdst = -1
        // -1 is a moment too; only success fills in the weekday.
        parts.tm_wday = -1
        let seconds = mktime(&parts)
        guard parts.tm_wday >= 0 else { return nil }
        return Int64(seconds) * 1000
    }

    /// As in `2026-03-29 03:30:00 +02:00`.
    package var description: String {
        let size = abs(offsetSeconds)
        let sign = offsetSeconds < 0 ? "-" : "+"
        return "\(Self.padded(year, 4))-\(Self.padded(month, 2))-\(Self.padded(day, 2))"
            + " \(Self.padded(hour, 2)):\(Self.padded(minute, 2)):\(Self.padded(second, 2))"
            + " \(sign)\(Self.padded(size / 3600, 2)):\(Self.padded(size / 60 % 60, 2))"
    }

    package static func days(inMonth month: Int, of year: Int) -> Int {
        switch month {
        case 2: (year % 4 == 0 && year % 100 != 0) || year % 400 == 0 ? 29 : 28
        case 4, 6, 9, 11: 30
        default: 31
        }
    }

    // MARK: Private

    private static func padded(_ number: Int, _ width: Int) -> String {
        let digits = String(number)
        return String(repeating: "0", count: max(0, width - digits.count)) + digits
    }
}
