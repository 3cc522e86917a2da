import Platform
package import Scheduling

/// A store that lives in memory, for tests and simulations. It can be told to fail, and to be its own copy after a crash.
///
/// Unlike other stores it may be looked at from another thread while a worker uses it.
package final class MemoryStore: RequestStore, Sendable {
    /// What the store holds and what it was told to do.
    private struct State {
        var requests: [TaskIdentifier: PendingRequest] = [:]
        var runs: [RunIdentifier: RunRecord] = [:]
        var tasks: [TaskIdentifier: TaskFacts] = [:]
        var apps: [AppIdentifier: AppFacts] = [:]
        var runner = RunnerFacts()
        var deviceChanges: [(number: Int64, change: DeviceChange)] = []
        /// Numbers of runs that went; they stay used.
        var droppedRun: Int64 = 0
        var droppedSubmission: Int64 = 0
        var report = StoreReport(path: nil, identifier: "memory", schemaVersion: 0)
        var commits = 0

        var isClosed = false
        var failNext: StoreFailure?
        var failing: StoreFailure?
        var failReads: StoreFailure?
    }

    private let state: Locked<State>

    package init() {
        state = Locked(State())
    }

    private init(_ copy: sending State) {
        state = Locked(copy)
    }

    // MARK: For tests

    /// The next write fails with this, and then no more.
    package var failNext: StoreFailure? {
        get { state.withLock { $0.failNext } }
        set { state.withLock { $0.failNext = newValue } }
    }

    /// Every write fails with this.
    package var failing: StoreFailure? {
        get { state.withLock { $0.failing } }
        set { state.withLock { $0.failing = newValue } }
    }

    /// Every read fails with this.
    package var failReads: StoreFailure? {
        get { state.withLock { $0.failReads } }
        set { state.withLock { $0.failReads = newValue } }
    }

    /// How many transactions were committed.
    package var commits: Int { state.withLock { $0.commits } }

    /// A store as the next start would find it if the process died now: what was committed, and no faults.
    package func afterCrash() -> MemoryStore {
        MemoryStore(
            state.withLock { state in
                var copy = state
                copy.isClosed = false
                copy.failNext = nil
                copy.failing = nil
                copy.failReads = nil
                return copy
            })
    }

    /// Makes the store report that a damaged one was set aside.
    package func setRecovered(_ recovery: StoreRecovery?) {
        state.withLock { $0.report.recovered = recovery }
    }

    // MARK: RequestStore

    package func load() throws(StoreFailure) -> StoreContents {
        try state.withLock { state throws(StoreFailure) in
            try MemoryStore.checkRead(state)
            var contents = StoreContents()
            contents.requests = state.requests.values.sorted { $0.identifier < $1.identifier }
            contents.unfinishedRuns = state.runs.values.filter { !$0.state.isEnded }.sorted { $0.run < $1.run }
            contents.tasks = state.tasks.values.sorted { $0.identifier < $1.identifier }
            contents.apps = state.apps.values.sorted { $0.app < $1.app }
            contents.runner = state.runner
            contents.highestRun = max(state.droppedRun, state.runs.keys.max()?.number ?? 0)
            let submissions = state.requests.values.map(\.submission) + state.runs.values.map(\.request.submission)
            contents.highestSubmission = max(state.droppedSubmission, submissions.max() ?? 0)
            return contents
        }
    }

    package func commit(_ changes: [StoreChange]) throws(StoreFailure) {
        guard !changes.isEmpty else { return }
        try state.withLock { state throws(StoreFailure) in
            try MemoryStore.checkWrite(&state)
            for change in changes { MemoryStore.apply(change, to: &state) }
            state.commits += 1
        }
    }

    package func run(_ run: RunIdentifier) throws(StoreFailure) -> RunRecord? {
        try state.withLock { state throws(StoreFailure) in
            try MemoryStore.checkRead(state)
            return state.runs[run]
        }
    }

    package func history(_ query: HistoryQuery) throws(StoreFailure) -> HistoryPage {
        try state.withLock { state throws(StoreFailure) in
            try MemoryStore.checkRead(state)
            guard query.limit > 0 else { return HistoryPage(runs: []) }
            let matching = state.runs.values.filter { MemoryStore.matches($0, query) }.sorted { $0.run > $1.run }
            let page = Array(matching.prefix(query.limit))
            return HistoryPage(runs: page, next: page.count < matching.count ? page.last?.run : nil)
        }
    }

    package func deviceChanges(_ query: DeviceChangeQuery) throws(StoreFailure) -> DeviceChangePage {
        try state.withLock { state throws(StoreFailure) in
            try MemoryStore.checkRead(state)
            guard query.limit > 0 else { return DeviceChangePage(changes: []) }
            let matching = state.deviceChanges.reversed().filter { number, change in
                number < query.before ?? .max && query.condition ?? change.condition == change.condition
            }
            let page = matching.prefix(query.limit)
            return DeviceChangePage(
                changes: page.map(\.change), next: page.count < matching.count ? page.last?.number : nil)
        }
    }

    package func applyRetention(_ retention: Retention, now: WallTime) throws(StoreFailure) -> [RunIdentifier] {
        try state.withLock { state throws(StoreFailure) in
            try MemoryStore.checkWrite(&state)
            let oldest = now.advanced(by: .zero - retention.age)
            let kept = max(0, retention.runs)
            let ended = state.runs.values.filter(\.state.isEnded).sorted { $0.run < $1.run }
            let old = ended.filter { $0.endedAt.map { $0 < oldest } ?? false }
            let surplus = ended.filter { !old.contains($0) }.dropLast(kept)
            let dropped = (old + surplus).sorted { $0.run < $1.run }
            for run in dropped {
                state.runs[run.run] = nil
                state.droppedRun = max(state.droppedRun, run.run.number)
                state.droppedSubmission = max(state.droppedSubmission, run.request.submission)
            }
            state.deviceChanges.removeAll { $0.change.at < oldest }
            state.deviceChanges.removeFirst(max(0, state.deviceChanges.count - kept))
            return dropped.map(\.run)
        }
    }

    package func report() -> StoreReport {
        state.withLock { $0.report }
    }

    package func acknowledgeRecovery() throws(StoreFailure) {
        try state.withLock { state throws(StoreFailure) in
            try MemoryStore.checkWrite(&state)
            state.report.recovered = nil
        }
    }

    package func close() {
        state.withLock { $0.isClosed = true }
    }

    // MARK: Private

    private static func apply(_ change: StoreChange, to state: inout State) {
        switch change {
        case .putRequest(let request): state.requests[request.identifier] = request
        case .removeRequest(let identifier): state.requests[identifier] = nil
        case .putRun(let run): state.runs[run.run] = run
        case .putTask(let facts): state.tasks[facts.identifier] = facts
        case .removeTask(let identifier): state.tasks[identifier] = nil
        case .putApp(let facts): state.apps[facts.app] = facts
        case .putRunner(let facts): state.runner = facts
        case .appendDeviceChange(let change):
            state.deviceChanges.append(((state.deviceChanges.last?.number ?? 0) + 1, change))
        }
    }

    private static func matches(_ run: RunRecord, _ query: HistoryQuery) -> Bool {
        if let identifier = query.identifier, run.identifier != identifier { return false }
        if let origin = query.origin, run.origin != origin { return false }
        if let state = query.state, run.state != state { return false }
        if let before = query.before, run.run >= before { return false }
        return true
    }

    private static func checkRead(_ state: State) throws(StoreFailure) {
        if state.isClosed { throw closed }
        if let failure = state.failReads { throw failure }
    }

    private static func checkWrite(_ state: inout State) throws(StoreFailure) {
        if state.isClosed { throw closed }
        if let failure = state.failing { throw failure }
        if let failure = state.failNext {
            state.failNext = nil
            throw failure
        }
    }

    private static let closed = StoreFailure(.closed, "The store in memory was closed: make another one.")
}
