extension Scheduler {
    package var pendingCount: Int { tasks.pendingCount }
    package var registeredCount: Int { tasks.registeredCount }
    package var runningCount: Int { runs.activeCount }
    package var appCount: Int { apps.entries.count }
    package var isPaused: Bool { facts.pausedAt != nil }

    /// What `status` counts.
    package struct Counts: Hashable, Sendable {
        package var apps: Int
        package var registered: Int
        package var pending: Int
        package var running: Int
        package var isPaused: Bool
    }

    /// The wakeup, in place: see `takeCounts`.
    package mutating func takeWakeup() -> Wakeup { nextWakeup }

    /// All counts at once. Mutating although nothing changes: it is then called in place, while the owner's read of a
    /// computed property copies the whole scheduler first, which costs more than the rest of `status`.
    package mutating func takeCounts() -> Counts {
        Counts(
            apps: appCount, registered: registeredCount, pending: pendingCount, running: runningCount,
            isPaused: isPaused)
    }
    /// What is kept of the runner itself: the smallest change with which a store can be tried.
    package var runnerChange: StoreChange { .putRunner(facts) }
    package var storeProblem: StoreFailure? { storeFailure }

    /// A page of pending requests, in a stable order; `next` continues after it.
    package func pending(app: AppIdentifier?, after: Int, limit: Int) -> (requests: [PendingRequest], next: Int?) {
        var requests: [PendingRequest] = []
        let wanted = app.map { apps.find($0) ?? -1 }
        var slot = max(0, after)
        while slot < tasks.entries.count {
            let entry = tasks.entries[slot]
            if entry.hasRequest, wanted == nil || entry.app == wanted {
                if requests.count == limit { return (requests, slot) }
                requests.append(pendingRequest(at: Int32(slot)))
            }
            slot += 1
        }
        return (requests, nil)
    }

    package func pending(_ identifier: TaskIdentifier) -> PendingRequest? {
        tasks.slot(of: identifier).flatMap { tasks.entries[Int($0)].hasRequest ? pendingRequest(at: $0) : nil }
    }

    /// Runs that have not ended, oldest first.
    package var activeRuns: [RunRecord] {
        runs.active.map { runs[$0].record }
    }

    /// A run that has not ended, or whose code has not.
    package func liveRun(_ run: RunIdentifier) -> RunRecord? {
        runs.slot(of: run).map { runs[$0].record }
    }

    /// What a run has left of its budget, or of its grace period.
    package func remaining(of run: RunIdentifier, at now: Moment) -> Duration? {
        guard let slot = runs.slot(of: run), let deadline = runs[slot].graceDeadline ?? runs[slot].budgetDeadline else {
            return nil
        }
        return max(.zero, now.awake.duration(to: deadline))
    }

    /// What a caller may know of a registered identifier.
    package struct Registered: Hashable, Sendable {
        package var identifier: TaskIdentifier
        package var app: AppIdentifier
        package var kind: TaskKind?
        package var handler: AppHost
        package var permittedBy: String
    }

    package var registered: [Registered] {
        tasks.usedSlots.filter { tasks[$0].isRegistered }.map { slot in
            let entry = tasks[slot]
            let identifier = tasks.identifier(of: slot)
            return Registered(
                identifier: identifier, app: apps[entry.app].identifier, kind: entry.registeredKind,
                handler: host(of: slot),
                permittedBy: apps.entry(permitting: identifier, in: entry.app) ?? identifier.text)
        }.sorted { $0.identifier < $1.identifier }
    }

    /// What a caller may know of an app.
    package struct App: Hashable, Sendable {
        package var app: AppIdentifier
        package var description: AppDescription?
        package var state: AppState
        package var facts: AppFacts
        /// When its process may be started again after a failure.
        package var startsAgainAt: BootTime?
        /// Why its process failed last, unless a run of it has succeeded since.
        package var lastFailure: String?
        /// How often its process was started after a failure, since this runner started.
        package var restarts: Int
        package var registered: Int
        package var pending: Int
        package var running: Int
        package var recovered: RecoveryCause?

        /// Why its process is not started, or failed last.
        package var failure: String? {
            facts.quarantinedAt == nil ? lastFailure : facts.quarantineReason ?? lastFailure
        }
    }

    package var allApps: [App] {
        var registered: [Int32: Int] = [:]
        for entry in tasks.entries where entry.isUsed && entry.isRegistered { registered[entry.app, default: 0] += 1 }
        return apps.entries.indices.map { position in
            let app = apps.entries[position]
            return App(
                app: app.identifier, description: app.description, state: app.state, facts: app.facts,
                startsAgainAt: app.process.backoffUntil,
                lastFailure: app.process.failuresInARow > 0 ? app.process.lastFailure : nil,
                restarts: app.process.restarts,
                registered: registered[Int32(position)] ?? 0, pending: app.pending.total, running: app.running,
                recovered: app.recovered)
        }.sorted { $0.app < $1.app }
    }

    /// Whose a run is that has not ended, or a short time ago.
    package func owner(of run: RunIdentifier) -> (app: AppIdentifier, process: ProcessNumber?)? {
        runs.slot(of: run).map { (runs[$0].record.app, runs[$0].process) }
    }

    /// The manifest of an app, as the scheduler goes by it.
    package func description(of app: AppIdentifier) -> AppDescription? {
        apps.find(app).flatMap { apps.entries[Int($0)].description }
    }

    /// Why the process of an app was recovered, as its handlers are told.
    package func processRecovery(of app: AppIdentifier) -> RecoveryCause? {
        apps.find(app).flatMap { apps.entries[Int($0)].process.recovered }
    }

    /// Whether a simulated launch that this call asked for waits for its app.
    package func awaitsLaunch(for call: CallIdentifier) -> Bool {
        simulationsAwaitingLaunch.contains { $0.call == call }
    }

    package func isKnown(_ app: AppIdentifier) -> Bool {
        apps.find(app) != nil
    }
}
