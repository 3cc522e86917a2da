/// Dates as RFC 3339 writes them, and milliseconds since 1970.
package enum RFC3339 {
    /// The length of every date that we write: `2026-11-30T08:45:00.000Z`.
    package static let length = 24

    /// The first and last millisecond that four digits of a year can say.
    package static let range: ClosedRange<Int64> = -62_135_596_800_000...253_402_300_799_999

    // MARK: Reading

    package static func parse(_ text: String) -> Int64? {
        var text = text
        return text.withUTF8(parse)
    }

    /// Nil for anything that is not exactly a date with a time and an offset. A fraction is cut to milliseconds.
    package static func parse(_ text: UnsafeBufferPointer<UInt8>) -> Int64? {
        var reader = Reader(text: text)
        guard let year = reader.digits(4), year >= 1, reader.take("-"),
            let month = reader.digits(2), (1...12).contains(month), reader.take("-"),
            let day = reader.digits(2), day >= 1, day <= days(in: month, of: year),
            reader.take("T") || reader.take("t"),
            let hour = reader.digits(2), hour <= 23, reader.take(":"),
            let minute = reader.digits(2), minute <= 59, reader.take(":"),
            let second = reader.digits(2), second <= 59,
            let fraction = reader.fraction(),
            let offset = reader.offset(), reader.isAtEnd
        else { return nil }
        let minutes = (daysSince1970(year: year, month: month, day: day) * 24 + hour) * 60 + minute - offset
        let milliseconds = Int64(minutes * 60 + second) * 1_000 + Int64(fraction)
        return range.contains(milliseconds) ? milliseconds : nil
    }

    private struct Reader {
        let text: UnsafeBufferPointer<UInt8>
        var index = 0

        var isAtEnd: Bool { index == text.count }

        mutating func take(_ character: Unicode.Scalar) -> Bool {
            guard index < text.count, text[index] == UInt8(ascii: character) else { return false }
            index += 1
            return true
        }

        private mutating func digit() -> Int? {
            guard index < text.count, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(text[index]) else { return nil }
            index += 1
            return Int(text[index - 1] - UInt8(ascii: "0"))
        }

        mutating func digits(_ count: Int) -> Int? {
            var value = 0
            for _ in 0..<count {
                guard let digit = digit() else { return nil }
                value = value * 10 + digit
            }
            return value
        }

        /// Milliseconds; 0 when there is no fraction, nil when there is a point without digits.
        mutating func fraction() -> Int? {
            guard take(".") else { return 0 }
            guard var milliseconds = digit() else { return nil }
            var count = 1
            while let digit = digit() {
                if count < 3 {
                    milliseconds = milliseconds * 10 + digit
                    count += 1
                }
            }
            for _ in count..<3 { milliseconds *= 10 }
            return milliseconds
        }

        /// Minutes east of UTC.
        mutating func offset() -> Int? {
            if take("Z") || take("z") { return 0 }
            let isWest = take("-")
            guard isWest || take("+"),
                let hours = digits(2), hours <= 23, take(":"),
                let minutes = digits(2), minutes <= 59
            else { return nil }
            return (isWest ? -1 : 1) * (hours * 60 + minutes)
        }
    }

    // MARK: Writing

    /// UTC with milliseconds. What four digits of a year cannot say becomes the first or the last date that they can.
    package static func format(_ milliseconds: Int64) -> String {
        String(unsafeUninitializedCapacity: length) { buffer in
            var span = OutputSpan(buffer: buffer, initializedCount: 0)
            append(milliseconds, to: &span)
            return span.finalize(for: buffer)
        }
    }

    static func append(_ milliseconds: Int64, to span: inout OutputSpan<UInt8>) {
        let moment = Int(min(max(milliseconds, range.lowerBound), range.upperBound))
        let dayLength = 86_400_000
        let day = (moment - (moment < 0 ? dayLength - 1 : 0)) / dayLength
        let inDay = moment - day * dayLength
        let date = civilDate(daysSince1970: day)
        append(date.year, digits: 4, then: "-", to: &span)
        append(date.month, digits: 2, then: "-", to: &span)
        append(date.day, digits: 2, then: "T", to: &span)
        append(inDay / 3_600_000, digits: 2, then: ":", to: &span)
        append(inDay / 60_000 % 60, digits: 2, then: ":", to: &span)
        append(inDay / 1_000 % 60, digits: 2, then: ".", to: &span)
        append(inDay % 1_000, digits: 3, then: "Z", to: &span)
    }

    private static func append(
        _ value: Int, digits: Int, then separator: Unicode.Scalar, to span: inout OutputSpan<UInt8>
    ) {
        if digits > 3 { span.append(UInt8(ascii: "0") + UInt8(value / 1_000 % 10)) }
        if digits > 2 { span.append(UInt8(ascii: "0") + UInt8(value / 100 % 10)) }
        span.append(UInt8(ascii: "0") + UInt8(value / 10 % 10))
        span.append(UInt8(ascii: "0") + UInt8(value % 10))
        span.append(UInt8(ascii: separator))
    }

    // MARK: The calendar

    /// The days before each month in a year that starts in March, so that the leap day comes last.
    private static func daysBefore(month: Int) -> Int {
        // March is 0. Five months have 153 days, again and again.
        (153 * month + 2) / 5
    }

    private static func isLeap(_ year: Int) -> Bool {
        year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
    }

    private static func days(in month: Int, of year: Int) -> Int {
        switch month {
        case 2: isLeap(year) ? 29 : 28
        case 4, 6, 9, 11: 30
        default: 31
        }
    }

    /// Days from 1 March of the year 0 to 1 January 1970.
    private static let epoch = 719_468

    private static func daysSince1970(year: Int, month: Int, day: Int) -> Int {
        let marchYear = month > 2 ? year : year - 1
        let marchMonth = month > 2 ? month - 3 : month + 9
        let leapDays = marchYear / 4 - marchYear / 100 + marchYear / 400
        return marchYear * 365 + leapDays + daysBefore(month: marchMonth) + day - 1 - epoch
    }

    /// The reverse, for days from the year 1 on.
    private static func civilDate(daysSince1970: Int) -> (year: Int, month: Int, day: Int) {
        let days = daysSince1970 + epoch
        let fourCenturies = 146_097
        let rest = days % fourCenturies
        // The last day of a four-year, hundred-year or four-hundred-year cycle is its leap day.
        let yearInCycle = (rest - rest / 1_460 + rest / 36_524 - rest / 146_096) / 365
        let dayInYear = rest - (yearInCycle * 365 + yearInCycle / 4 - yearInCycle / 100)
        let marchMonth = (5 * dayInYear + 2) / 153
        let month = marchMonth < 10 ? marchMonth + 3 : marchMonth - 9
        let year = days / fourCenturies * 400 + yearInCycle + (month <= 2 ? 1 : 0)
        return (year, month, dayInYear - daysBefore(month: marchMonth) + 1)
    }
}
