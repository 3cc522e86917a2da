/// The figures of the policy `apple`: all the factors that Apple names, as numbers that can be looked at (B20).
///
/// Apple says which factors there are (WWDC 2020, "Background execution demystified": critically low battery, Low Power
/// Mode, app usage, the app switcher, the refresh switch, system budgets, rate limiting), and no figures. Where a figure
/// is ours, its comment says what it was chosen by.
package struct AppleParameters: Hashable, Sendable, Codable {
    // MARK: Wake windows
    /// Who opens wake windows.
    package var windows = WindowSource.generated
    /// What the times of generated windows are drawn from.
    package var seed: UInt64 = 1
    /// The mean time between wakes while somebody uses the device. Fitted to the busy day of `examples/scenarios`.
    package var wakeInUse: Duration = .minutes(10)
    /// For so long after its use a device wakes as if it were used: it is at hand, and its apps are in memory. Fitted to the
    /// busy day of `examples/scenarios`.
    package var wakeAfterUse: Duration = .minutes(45)
    /// The mean time between wakes while it is idle on external power. Ours: less often than in use, more than on battery.
    package var wakeCharging: Duration = .hours(4)
    /// The same while it is idle on battery. Fitted to the quiet day of `examples/scenarios`.
    package var wakeIdle: Duration = .hours(6)
    /// How far a wake may be from the mean, as a share of it, to both sides. Ours: wide enough that no hour is certain.
    package var wakeSpread = 0.5
    /// How long a window is open. Ours: long enough for four refreshes of 30 s (B23) after each other.
    package var windowLength: Duration = .minutes(2)

    // MARK: Usage
    /// What an app counts as that nobody has opened yet, in opens a day. Ours: a new app is given the benefit of doubt.
    package var newAppOpensPerDay = 4.0
    /// After so long without opens half of what was learned is forgotten. By the decay that the issue of this policy
    /// asks for: almost no refresh after one week, none after two.
    package var usageHalfLife: Duration = .days(2)
    /// Refreshes that one open a day earns a day. Fitted to the quiet and the busy day of `examples/scenarios`.
    package var refreshesPerOpen = 0.9
    /// An app with fewer opens a day than this gets no refresh. Ours: one in ten days.
    package var fewestOpensPerDay = 0.1
    /// An app that was not opened for so long gets no refresh, whatever was learned ("after two weeks it has stopped").
    package var unopenedAfter: Duration = .days(14)
    /// At an hour at which the app is not usually opened soon, a refresh waits so long for a better one. Ours: a refresh
    /// that is older than this is worth little.
    package var offHoursPatience: Duration = .hours(3)
    /// How far ahead of a usual hour a refresh is useful. Ours: content of the last two hours is fresh.
    package var usualHoursAhead = 2
    /// So many opens have to be known before hours count. Ours: about three days of use.
    package var opensBeforeHoursCount = 8

    // MARK: Budgets and rates
    /// What an app's runs may take in a day, in run time on battery. Ours: ten refreshes of 30 s (B23).
    package var energyPerDay: Duration = .minutes(5)
    /// So much of it has to be there for a run to begin. Ours: half a refresh.
    package var energyReserve: Duration = .seconds(15)
    /// The shortest time between the refreshes of an app. Ours: the least that Android allows periodic work.
    package var shortestRefreshInterval: Duration = .minutes(15)
    /// The time between the processing runs of an app that is opened as often as a new one counts. Ours.
    package var processingInterval: Duration = .hours(2)
    /// Below this level nothing runs on battery (Apple: "critically low battery", without a figure).
    package var criticalBatteryLevel = 0.1

    package init() {}
}

/// Who opens the windows in which a device looks at deferred work.
package enum WindowSource: String, Hashable, Sendable, Codable, CaseIterable {
    /// The scheduler, by how the device is used.
    case generated
    /// Events say when: a scenario that names them.
    case given
}

extension Policy {
    /// All the factors that Apple names (B20).
    package static func apple(_ parameters: AppleParameters = AppleParameters()) -> Policy {
        var policy = Policy(name: "apple", limits: .apple)
        policy.apple = parameters
        policy.gates.refreshSwitch = true
        policy.gates.forceQuitHoldsRefresh = true
        policy.gates.lowPowerModeHoldsRefresh = true
        policy.gates.processingNeedsIdle = true
        policy.gates.needsFirstUnlock = true
        policy.gates.minimumBatteryLevel = parameters.criticalBatteryLevel
        policy.gates.misbehaviourDoublesInterval = true
        policy.gates.unopenedAfter = parameters.unopenedAfter
        return policy
    }
}
