internal import Scheduling

/// The marks of a time axis: as many as there is room to name, at whole hours and days of the device's clock.
struct AxisTicks {
    struct Tick {
        let at: WallTime
        /// A day of the local clock begins here.
        let startsDay: Bool
    }

    /// Those that carry a name.
    let named: [Tick]
    /// Those between.
    let minor: [Tick]
    /// Whether the names are days instead of times.
    let areDays: Bool

    private static let minute: Int64 = 60_000
    private static let steps: [Int64] = [1, 2, 5, 10, 15, 30, 60, 120, 180, 240, 360, 720].map { $0 * minute }
    private static let dayFactors: [Int64] = [1, 2, 7, 14, 28]

    /// - Parameters:
    ///   - nameRoom: what a time's name takes.
    ///   - dayRoom: what a day's name takes.
    ///   - minorRoom: how close marks without a name may be.
    init(_ scale: ChartScale, _ clock: PictureClock, nameRoom: Double, dayRoom: Double, minorRoom: Double) {
        let step = Self.step(scale, atLeast: nameRoom, daysAtLeast: dayRoom)
        areDays = step >= PictureClock.dayMilliseconds
        let named = Self.ticks(scale, clock, step)
        self.named = named
        let fine = Self.step(scale, atLeast: minorRoom, daysAtLeast: minorRoom)
        let places = Set(named.map(\.at))
        // A step that does not divide the named one would look like a mistake.
        minor = step % fine == 0 ? Self.ticks(scale, clock, fine).filter { !places.contains($0.at) } : []
    }

    /// The beginnings of days on the line, as many as have room.
    static func days(_ scale: ChartScale, _ clock: PictureClock, room: Double) -> [Tick] {
        ticks(scale, clock, step(scale, atLeast: .infinity, daysAtLeast: room))
    }

    // MARK: Private

    private static func step(_ scale: ChartScale, atLeast room: Double, daysAtLeast dayRoom: Double) -> Int64 {
        if let step = steps.first(where: { scale.room($0) >= room }) { return step }
        let day = PictureClock.dayMilliseconds
        if let factor = dayFactors.first(where: { scale.room($0 * day) >= dayRoom }) { return factor * day }
        var factor: Int64 = 56
        while scale.room(factor * day) < dayRoom, factor < 1 << 34 { factor *= 2 }
        return factor * day
    }

    private static func ticks(_ scale: ChartScale, _ clock: PictureClock, _ step: Int64) -> [Tick] {
        let first = clock.local(scale.start)
        let last = clock.local(scale.end)
        let day = PictureClock.dayMilliseconds
        // Several days are counted from the first, but weeks from Monday: 1970-01-01 was a Thursday.
        let origin = step <= day ? 0 : step % (7 * day) == 0 ? 4 * day : Self.next(first, day, 0)
        var local = Self.next(first, step, origin)
        var ticks: [Tick] = []
        while local <= last, ticks.count < 2_000 {
            ticks.append(Tick(at: clock.moment(local: local), startsDay: local % PictureClock.dayMilliseconds == 0))
            let (next, overflow) = local.addingReportingOverflow(step)
            if overflow { break }
            local = next
        }
        return ticks
    }

    /// The first whole number of steps from an origin that is not before a time.
    private static func next(_ time: Int64, _ step: Int64, _ origin: Int64) -> Int64 {
        let rest = (time - origin) % step
        guard rest != 0 else { return time }
        let (next, overflow) = (time - rest).addingReportingOverflow(rest > 0 ? step : 0)
        return overflow ? .max : next
    }
}
