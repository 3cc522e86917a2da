/// A reading of the wall clock: floors, calendars and history. It can jump.
///
/// Integer milliseconds since 1970-01-01 UTC.
public struct WallTime: Hashable, Comparable, Sendable, Codable {
    /// Milliseconds since 1970-01-01 UTC.
    public var milliseconds: Int64

    /// Makes a reading from milliseconds since 1970-01-01 UTC.
    public init(milliseconds: Int64) {
        self.milliseconds = milliseconds
    }

    /// Orders by time.
    public static func < (left: WallTime, right: WallTime) -> Bool {
        left.milliseconds < right.milliseconds
    }
}

/// A reading of the boot clock: backoff, rate limits and waiting. It counts sleep and never jumps, but starts anew at boot.
package struct BootTime: Hashable, Comparable, Sendable, Codable {
    /// Milliseconds since the machine booted.
    package var milliseconds: Int64

    package init(milliseconds: Int64) {
        self.milliseconds = milliseconds
    }

    package static func < (left: BootTime, right: BootTime) -> Bool {
        left.milliseconds < right.milliseconds
    }
}

/// A reading of the awake clock: budgets, grace and stalls. It stands still while the machine sleeps.
package struct AwakeTime: Hashable, Comparable, Sendable, Codable {
    /// Milliseconds that the machine has been awake since it booted.
    package var milliseconds: Int64

    package init(milliseconds: Int64) {
        self.milliseconds = milliseconds
    }

    package static func < (left: AwakeTime, right: AwakeTime) -> Bool {
        left.milliseconds < right.milliseconds
    }
}

/// What the three clocks share: adding a duration, and the time between two readings.
package protocol ClockTime: Comparable, Sendable {
    var milliseconds: Int64 { get }
    init(milliseconds: Int64)
}

extension WallTime: ClockTime {}
extension BootTime: ClockTime {}
extension AwakeTime: ClockTime {}

extension ClockTime {
    /// This reading moved by a duration; it stops at the ends of the range instead of trapping.
    package func advanced(by duration: Duration) -> Self {
        let (sum, overflow) = milliseconds.addingReportingOverflow(duration.wholeMilliseconds)
        guard overflow else { return Self(milliseconds: sum) }
        return Self(milliseconds: duration < .zero ? .min : .max)
    }

    /// The time from this reading to a later one; negative when the other is earlier.
    package func duration(to other: Self) -> Duration {
        let (difference, overflow) = other.milliseconds.subtractingReportingOverflow(milliseconds)
        guard overflow else { return .milliseconds(difference) }
        return .milliseconds(other.milliseconds < milliseconds ? Int64.min : Int64.max)
    }
}
