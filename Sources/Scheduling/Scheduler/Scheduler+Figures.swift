extension Scheduler {
    /// How much there is of everything, for a look inside.
    package struct Figures: Hashable, Sendable {
        package var pending: Int
        package var registered: Int
        package var running: Int
        package var apps: Int
        /// Pending requests that count in no limit (B42).
        package var stranded: Int
        /// Pending requests by where they stand.
        package var waitingForWall: Int
        package var waitingForBoot: Int
        package var waitingForEvents: Int
        package var ready: Int
        /// Re-arms that are tried again.
        package var rearms: Int
        package var runDeadlines: Int
        package var simulationsAwaitingLaunch: Int
        package var leftovers: Int
        package var slotsTaken: Int
        package var slots: Int
        /// The gate of the whole runner that holds every scheduled launch.
        package var heldBy: GateName?
        package var nextSubmission: Int64
        package var nextRun: Int64
        package var wakeup: Wakeup
    }

    package var figures: Figures {
        let placed = wallDeadlines.count + bootDeadlines.count + ready.count
        return Figures(
            pending: pendingCount, registered: registeredCount, running: runningCount, apps: appCount,
            stranded: strandedCount, waitingForWall: wallDeadlines.count, waitingForBoot: bootDeadlines.count,
            waitingForEvents: pendingCount - placed, ready: ready.count, rearms: rearms.count,
            runDeadlines: runs.deadlines.count, simulationsAwaitingLaunch: simulationsAwaitingLaunch.count,
            leftovers: leftovers.count, slotsTaken: slotsTaken, slots: policy.concurrency, heldBy: globalHold,
            nextSubmission: nextSubmission, nextRun: nextRun, wakeup: nextWakeup)
    }
}
