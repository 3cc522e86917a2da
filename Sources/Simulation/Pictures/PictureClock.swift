internal import Scheduling

/// Times as the device's own clock showed them. Nothing of the machine that draws has a say.
struct PictureClock {
    private static let weekdays = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"]
    private static let months = [
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]
    static let dayMilliseconds: Int64 = 86_400_000

    let offsetSeconds: Int
    private let offset: Int64
    /// Where times are told without their day: the chart's only day.
    private let onlyDay: Int64?
    /// Where times are told without their year.
    private let year: Int64

    init(_ chart: DayChart) {
        // The greatest offset that clocks use is 14 hours; a day keeps nonsense within bounds.
        offsetSeconds = min(max(chart.utcOffsetSeconds, -86_400), 86_400)
        offset = Int64(offsetSeconds) * 1_000
        let first = Self.day(chart.start, offset)
        let isEmpty = chart.end <= chart.start
        // A chart that ends at midnight has nothing of the day that begins then.
        let last = isEmpty ? first : Self.day(WallTime(milliseconds: chart.end.milliseconds - 1), offset)
        onlyDay = first == last ? first : nil
        year = Self.date(first).year
    }

    /// Milliseconds of the local clock since its 1970-01-01.
    func local(_ time: WallTime) -> Int64 {
        Self.sum(time.milliseconds, offset)
    }

    /// The moment at which the local clock shows this many milliseconds since its 1970-01-01.
    func moment(local: Int64) -> WallTime {
        WallTime(milliseconds: Self.sum(local, -offset))
    }

    /// Days since 1970-01-01 on the local clock.
    func day(_ time: WallTime) -> Int64 {
        Self.day(time, offset)
    }

    /// `08:45`, and the seconds where there are any.
    func clock(_ time: WallTime) -> String {
        let seconds = Self.remainder(local(time), Self.dayMilliseconds) / 1_000
        let text = "\(Self.padded(seconds / 3_600)):\(Self.padded(seconds / 60 % 60))"
        return seconds % 60 == 0 ? text : text + ":" + Self.padded(seconds % 60)
    }

    /// `Mon 30 Nov`.
    func dayName(_ time: WallTime) -> String {
        let day = day(time)
        let date = Self.date(day)
        return "\(Self.weekdays[Int(Self.remainder(day + 3, 7))]) \(date.day) \(Self.months[date.month - 1])"
    }

    /// `30 Nov`.
    func shortDay(_ time: WallTime) -> String {
        let date = Self.date(day(time))
        return "\(date.day) \(Self.months[date.month - 1])"
    }

    /// `Mon 30 Nov 2026`.
    func fullDay(_ time: WallTime) -> String {
        "\(dayName(time)) \(Self.date(day(time)).year)"
    }

    /// The time alone when the picture shows only its day.
    func when(_ time: WallTime) -> String {
        if day(time) == onlyDay { return clock(time) }
        return "\(Self.date(day(time)).year == year ? dayName(time) : fullDay(time)) \(clock(time))"
    }

    /// `08:45 to 09:00`; the day is told once.
    func span(_ start: WallTime, _ end: WallTime) -> String {
        "\(when(start)) to \(day(start) == day(end) ? clock(end) : when(end))"
    }

    /// `UTC+01:00`.
    var zone: String {
        let minutes = abs(offsetSeconds) / 60
        guard minutes > 0 else { return "UTC" }
        return "UTC\(offsetSeconds < 0 ? "-" : "+")\(Self.padded(Int64(minutes / 60))):"
            + Self.padded(Int64(minutes % 60))
    }

    // MARK: Private

    private static func day(_ time: WallTime, _ offset: Int64) -> Int64 {
        let local = sum(time.milliseconds, offset)
        return (local - remainder(local, dayMilliseconds)) / dayMilliseconds
    }

    /// A sum that stays away from the ends of the range, so that days and weeks around it have a beginning.
    private static func sum(_ left: Int64, _ right: Int64) -> Int64 {
        let bound = Int64.max - 32 * dayMilliseconds
        return min(max(left, -bound), bound) + right
    }

    private static func remainder(_ value: Int64, _ divisor: Int64) -> Int64 {
        let rest = value % divisor
        return rest < 0 ? rest + divisor : rest
    }

    private static func padded(_ number: Int64) -> String {
        number < 10 ? "0\(number)" : "\(number)"
    }

    /// The Gregorian date of a day since 1970-01-01: years begin in March, so that the leap day is the last.
    private static func date(_ day: Int64) -> (year: Int64, month: Int, day: Int64) {
        let shifted = day + 719_468
        let dayOfEra = remainder(shifted, 146_097)
        let era = (shifted - dayOfEra) / 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let month = (5 * dayOfYear + 2) / 153
        let january = month >= 10
        return (
            yearOfEra + era * 400 + (january ? 1 : 0), Int(january ? month - 9 : month + 3),
            dayOfYear - (153 * month + 2) / 5 + 1
        )
    }
}
