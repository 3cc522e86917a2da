public import FoundationEssentials
public import Scheduling

extension WallTime {
    /// Makes a time from a date, in whole milliseconds; dates that no integer can hold become the ends of the range.
    public init(_ date: Date) {
        // Up, so that a floor is never early.
        let milliseconds = (date.timeIntervalSince1970 * 1_000).rounded(.up)
        self.init(milliseconds: Int64(exactly: milliseconds) ?? (milliseconds < 0 ? .min : .max))
    }

    /// This time as a date.
    public var date: Date {
        Date(timeIntervalSince1970: Double(milliseconds) / 1_000)
    }
}

extension TaskRequest {
    /// The earliest date at which the task may start (B14); the same as `floor`.
    public var earliestBeginDate: Date? {
        get { floor?.date }
        set { floor = newValue.map(WallTime.init) }
    }

    /// Makes a request with its floor as a date; throws `invalidIdentifier` (B1).
    public init(
        _ identifier: String, earliestBeginDate: Date? = nil, requiresNetworkConnectivity: Bool = false,
        requiresExternalPower: Bool = false
    ) throws(Refusal) {
        self.init(
            identifier: try TaskIdentifier(identifier), floor: earliestBeginDate.map(WallTime.init),
            requiresNetworkConnectivity: requiresNetworkConnectivity, requiresExternalPower: requiresExternalPower)
    }
}
