/// The figures of the policy `doze`: Android's shape (B20).
///
/// Where Android's documentation gives a figure, it is that one ("Optimize for Doze and App Standby", "Power management
/// resource limits", "Define work requests"); where a figure is ours, its comment says so.
package struct DozeParameters: Hashable, Sendable, Codable {
    // MARK: Maintenance windows
    /// Who opens maintenance windows.
    package var windows = WindowSource.generated
    /// What the lengths of generated windows are drawn from.
    package var seed: UInt64 = 1
    /// The first window comes so long after the device went idle on battery; the time doubles.
    package var firstWindow: Duration = .minutes(60)
    /// The longest time between windows.
    package var longestGap: Duration = .hours(6)
    /// How long a window is.
    package var shortestWindow: Duration = .minutes(5)
    package var longestWindow: Duration = .minutes(10)
    /// Deferrable work waits for a window even while the device is used or charges. Off on a real device.
    package var onlyInWindows = false

    // MARK: Standby buckets
    /// An app that was opened within this is `active`, within the next `workingSet`, and so on; later it is `restricted`.
    /// The times are AOSP's defaults for what nobody predicts; the last is that of the documentation.
    package var activeFor: Duration = .hours(12)
    package var workingSetFor: Duration = .days(1)
    package var frequentFor: Duration = .days(2)
    package var rareFor: Duration = .days(45)
    /// What the runs of an app may take within the span of its bucket; those of an active app are free.
    package var quota: Duration = .minutes(10)
    package var workingSetSpan: Duration = .hours(4)
    package var frequentSpan: Duration = .hours(12)
    package var rareSpan: Duration = .hours(24)
    /// What expedited work (continued processing) may take within 24 hours, by bucket.
    package var expeditedActive: Duration = .minutes(30)
    package var expeditedWorkingSet: Duration = .minutes(15)
    package var expeditedFrequent: Duration = .minutes(10)
    package var expeditedRare: Duration = .minutes(10)
    package var expeditedRestricted: Duration = .minutes(5)
    /// An app in the bucket `rare` or `restricted` is idle: its work gets the network so often on battery.
    package var idleNetwork: Duration = .hours(24)

    // MARK: Periods and retries
    /// The shortest period; a shorter one is taken as this.
    package var shortestPeriod: Duration = .minutes(15)
    /// Periodic work runs within this time at the end of its period.
    package var flex: Duration = .minutes(5)
    package var retryBackoff: Duration = .seconds(30)
    package var retryLongest: Duration = .hours(5)

    package init() {}
}

extension Policy {
    /// Android's shape: maintenance windows that grow, standby buckets and quotas (B20).
    package static func doze(_ parameters: DozeParameters = DozeParameters()) -> Policy {
        var policy = Policy(name: "doze", limits: .generous)
        policy.doze = parameters
        policy.timing.retryBackoff = parameters.retryBackoff
        policy.timing.retryLongest = parameters.retryLongest
        return policy
    }
}
