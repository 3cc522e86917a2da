import Scheduling

extension AppleParameters {
    private static let times = Duration.minutes(1)...Duration.days(365)
    private static let shortTimes = Duration.seconds(1)...Duration.days(1)

    /// Every figure of the policy `apple`.
    static let keys: [ParameterKey<AppleParameters>] = [
        .init("windows", .windows(\.windows), "`generated` by how the device is used, or `given`."),
        .init("seed", .seed(\.seed), "What the times of generated windows are drawn from."),
        .init("wakeInUse", .duration(\.wakeInUse, times), "The mean time between wakes while the device is in use."),
        .init(
            "wakeAfterUse", .duration(\.wakeAfterUse, Duration.zero...Duration.days(1)),
            "For so long after its use a device wakes as if it were used."),
        .init(
            "wakeCharging", .duration(\.wakeCharging, times),
            "The mean time between wakes while it is idle on external power."),
        .init("wakeIdle", .duration(\.wakeIdle, times), "The same while it is idle on battery."),
        .init("wakeSpread", .number(\.wakeSpread, 0...1), "How far a wake may be from the mean, as a share of it."),
        .init("windowLength", .duration(\.windowLength, shortTimes), "How long a window is open."),
        .init(
            "newAppOpensPerDay", .number(\.newAppOpensPerDay, 0...1_000),
            "What an app counts as that nobody has opened yet, in opens a day."),
        .init(
            "usageHalfLife", .duration(\.usageHalfLife, times),
            "After so long without opens half of what was learned is forgotten."),
        .init(
            "refreshesPerOpen", .number(\.refreshesPerOpen, 0...1_000),
            "Refreshes that one open a day earns a day."),
        .init(
            "fewestOpensPerDay", .number(\.fewestOpensPerDay, 0...1_000),
            "An app with fewer opens a day gets no refresh."),
        .init(
            "unopenedAfter", .duration(\.unopenedAfter, times),
            "An app that was not opened for so long gets no refresh."),
        .init(
            "offHoursPatience", .duration(\.offHoursPatience, Duration.zero...Duration.days(7)),
            "So long a refresh waits for an hour at which the app is usually opened soon."),
        .init(
            "usualHoursAhead", .count(\.usualHoursAhead, 0...24),
            "How many hours ahead of a usual one a refresh is useful."),
        .init(
            "opensBeforeHoursCount", .count(\.opensBeforeHoursCount, 0...10_000),
            "So many opens have to be known before hours count."),
        .init(
            "energyPerDay", .duration(\.energyPerDay, Duration.zero...Duration.days(1)),
            "What an app's runs may take in a day, in run time on battery."),
        .init(
            "energyReserve", .duration(\.energyReserve, Duration.zero...Duration.days(1)),
            "So much of it has to be there for a run to begin."),
        .init(
            "shortestRefreshInterval", .duration(\.shortestRefreshInterval, Duration.zero...Duration.days(7)),
            "The shortest time between the refreshes of an app."),
        .init(
            "processingInterval", .duration(\.processingInterval, Duration.zero...Duration.days(30)),
            "The time between the processing runs of an app that is opened as often as a new one counts."),
        .init(
            "criticalBatteryLevel", .number(\.criticalBatteryLevel, 0...1),
            "Below this level nothing runs on battery."),
    ]
}
