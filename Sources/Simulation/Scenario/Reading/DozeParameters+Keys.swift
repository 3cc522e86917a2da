import Scheduling

extension DozeParameters {
    private static let times = Duration.minutes(1)...Duration.days(3_650)
    private static let quotas = Duration.zero...Duration.days(1)

    /// Every figure of the policy `doze`.
    static let keys: [ParameterKey<DozeParameters>] =
        windowKeys + bucketKeys + [
            .init(
                "shortestPeriod", .duration(\.shortestPeriod, Duration.minutes(1)...Duration.days(1)),
                "The shortest period; a shorter one is taken as this."),
            .init(
                "flex", .duration(\.flex, Duration.zero...Duration.days(1)),
                "Periodic work runs within this time at the end of its period."),
            .init(
                "retryBackoff", .duration(\.retryBackoff, Duration.seconds(1)...Duration.days(1)),
                "The backoff of a retry; it doubles."),
            .init(
                "retryLongest", .duration(\.retryLongest, Duration.seconds(1)...Duration.days(7)),
                "The longest backoff of a retry."),
        ]

    private static let windowKeys: [ParameterKey<DozeParameters>] = [
        .init("windows", .windows(\.windows), "`generated` by how long the device was idle, or `given`."),
        .init("seed", .seed(\.seed), "What the lengths of generated windows are drawn from."),
        .init(
            "firstWindow", .duration(\.firstWindow, times),
            "The first window comes so long after the device went idle on battery; the time doubles."),
        .init("longestGap", .duration(\.longestGap, times), "The longest time between windows."),
        .init(
            "shortestWindow", .duration(\.shortestWindow, Duration.seconds(1)...Duration.days(1)),
            "How long a window is at least."),
        .init(
            "longestWindow", .duration(\.longestWindow, Duration.seconds(1)...Duration.days(1)),
            "How long a window is at most."),
        .init(
            "onlyInWindows", .flag(\.onlyInWindows),
            "Whether deferrable work waits for a window even while the device is used or charges."),
    ]

    private static let bucketKeys: [ParameterKey<DozeParameters>] = [
        .init("activeFor", .duration(\.activeFor, times), "An app that was opened within this is active."),
        .init("workingSetFor", .duration(\.workingSetFor, times), "One within this is in the working set."),
        .init("frequentFor", .duration(\.frequentFor, times), "One within this is frequent."),
        .init("rareFor", .duration(\.rareFor, times), "One within this is rare; later it is restricted."),
        .init(
            "quota", .duration(\.quota, quotas),
            "What the runs of an app may take within the span of its bucket; those of an active app are free."),
        .init("workingSetSpan", .duration(\.workingSetSpan, times), "The span of the working set."),
        .init("frequentSpan", .duration(\.frequentSpan, times), "The span of frequent apps."),
        .init("rareSpan", .duration(\.rareSpan, times), "The span of rare and restricted apps."),
        .init(
            "expeditedActive", .duration(\.expeditedActive, quotas),
            "What continued processing of an active app may take within 24 hours."),
        .init("expeditedWorkingSet", .duration(\.expeditedWorkingSet, quotas), "The same in the working set."),
        .init("expeditedFrequent", .duration(\.expeditedFrequent, quotas), "The same for frequent apps."),
        .init("expeditedRare", .duration(\.expeditedRare, quotas), "The same for rare apps."),
        .init("expeditedRestricted", .duration(\.expeditedRestricted, quotas), "The same for restricted apps."),
        .init(
            "idleNetwork", .duration(\.idleNetwork, times),
            "A rare or restricted app gets the network so often on battery."),
    ]
}
