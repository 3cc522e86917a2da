import Scheduling

/// The three clocks of a virtual device, over one count of milliseconds that only grows.
///
/// 0 is midnight of the first day that is reported; a warm-up is before it.
struct VirtualClock: Sendable {
    /// Now, in milliseconds since the scenario's start.
    private(set) var time: Int64
    private var wallBase: Int64
    private var bootBase: Int64

    /// A boot clock does not begin with the device: it has been on for a while.
    private static let upBefore: Int64 = 3_600_000

    init(start: WallTime, time: Int64) {
        self.time = time
        wallBase = start.milliseconds
        bootBase = time - Self.upBefore
    }

    var now: Moment {
        let boot = time - bootBase
        return Moment(
            wall: WallTime(milliseconds: wallBase + time), boot: BootTime(milliseconds: boot),
            awake: AwakeTime(milliseconds: boot))
    }

    /// The next time at which the wall clock shows a time of day; now, if it shows it.
    func next(_ timeOfDay: Duration, utcOffsetSeconds: Int) -> WallTime {
        let day = VirtualDevice.day
        let ahead = timeOfDay.wholeMilliseconds - now.wall.milliseconds - Int64(utcOffsetSeconds) * 1_000
        return now.wall.advanced(by: .milliseconds((ahead % day + day) % day))
    }

    mutating func move(to time: Int64) {
        self.time = max(self.time, time)
    }

    /// The wall clock is set.
    mutating func set(by change: Duration) {
        wallBase += change.wholeMilliseconds
    }

    /// The device has just booted.
    mutating func boot() {
        bootBase = time - 5_000
    }

    /// When the scheduler wants to be told the time.
    func time(of wakeup: Wakeup) -> Int64? {
        var first: Int64?
        for time in [
            wakeup.wall.map { Self.sum($0.milliseconds, -wallBase) }, wakeup.boot.map { self.time(of: $0) },
            wakeup.awake.map { Self.sum($0.milliseconds, bootBase) },
        ] {
            guard let time else { continue }
            first = min(first ?? time, time)
        }
        return first
    }

    func time(of boot: BootTime) -> Int64 {
        Self.sum(boot.milliseconds, bootBase)
    }

    func time(of wall: WallTime) -> Int64 {
        Self.sum(wall.milliseconds, -wallBase)
    }

    private static func sum(_ left: Int64, _ right: Int64) -> Int64 {
        let (sum, overflow) = left.addingReportingOverflow(right)
        return overflow ? (left < 0 ? .min : .max) : sum
    }
}
