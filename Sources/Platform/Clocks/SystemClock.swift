import Glibc

/// The three clocks at one moment, in milliseconds.
package struct ClockReading: Equatable, Sendable {
    /// Since 1970; jumps when the clock is set.
    package var wall: Int64
    /// Since the machine started, sleep included.
    package var boot: Int64
    /// Since the machine started, without the time that it slept.
    package var awake: Int64

    package init(wall: Int64, boot: Int64, awake: Int64) {
        self.wall = wall
        self.boot = boot
        self.awake = awake
    }
}

/// Reads the machine's clocks.
package enum SystemClock {
    package enum Clock: Sendable, CaseIterable {
        case wall
        case boot
        case awake
    }

    package static func now() -> ClockReading {
        // In this order, so that the time awake is never beyond the time since the start.
        let awake = milliseconds(.awake)
        let boot = milliseconds(.boot)
        return ClockReading(wall: milliseconds(.wall), boot: boot, awake: awake)
    }

    package static func milliseconds(_ clock: Clock) -> Int64 {
        let time = read(clock)
        return Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000
    }

    package static func nanoseconds(_ clock: Clock) -> Int64 {
        let time = read(clock)
        return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
    }

    /// Changes with every start of the machine; readings of `boot` and `awake` mean nothing under another one.
    package static func bootIdentifier() -> String {
        SmallFile.text("/proc/sys/kernel/random/boot_id") ?? ""
    }

    /// How far the local time is ahead of UTC at a moment; 0 where the calendar has no such moment.
    package static func utcOffsetSeconds(at wallMilliseconds: Int64) -> Int {
        LocalTime(wallMilliseconds: wallMilliseconds)?.offsetSeconds ?? 0
    }

    /// When the local time changes its distance from UTC next, to the second; nil when it does not within 13 months.
    package static func nextUTCOffsetChange(after wallMilliseconds: Int64) -> Int64? {
        let week: Int64 = 7 * 86_400_000
        let offset = utcOffsetSeconds(at: wallMilliseconds)
        var before = wallMilliseconds
        for _ in 0..<56 {
            var after = before + week
            guard utcOffsetSeconds(at: after) != offset else {
                before = after
                continue
            }
            while after - before > 1_000 {
                let middle = before + (after - before) / 2
                if utcOffsetSeconds(at: middle) == offset { before = middle } else { after = middle }
            }
            return after / 1_000 * 1_000
        }
        return nil
    }

    // MARK: Private

    private static func read(_ clock: Clock) -> timespec {
        let identifier =
            switch clock {
            case .wall: CLOCK_REALTIME
            case .boot: CLOCK_BOOTTIME
            case .awake: CLOCK_MONOTONIC
            }
        var time = timespec()
        clock_gettime(identifier, &time)
        return time
    }
}
