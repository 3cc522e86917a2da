import Scheduling

/// A store in a few dictionaries that also watches over what may never happen to runs and requests.
struct StoreModel {
    private(set) var requests: [TaskIdentifier: PendingRequest] = [:]
    private(set) var runs: [RunIdentifier: RunRecord] = [:]
    private(set) var tasks: [TaskIdentifier: TaskFacts] = [:]
    private(set) var apps: [AppIdentifier: AppFacts] = [:]
    private(set) var runner = RunnerFacts()
    private(set) var deviceChanges: [DeviceChange] = []
    /// Rules that a transaction broke.
    private(set) var problems: [String] = []

    private var highestRun: Int64 = 0
    private var highestSubmission: Int64 = 0
    /// The current run of each identifier, as far as it has not ended.
    private var unfinished: [TaskIdentifier: RunIdentifier] = [:]
    private var everPending: Set<Int64> = []
    private var entered: Set<Int64> = []

    var contents: StoreContents {
        var contents = StoreContents()
        contents.requests = requests.values.sorted { $0.submission < $1.submission }
        contents.unfinishedRuns = unfinished.values.compactMap { runs[$0] }.sorted { $0.run < $1.run }
        contents.tasks = tasks.values.sorted { $0.identifier < $1.identifier }
        contents.apps = apps.values.sorted { $0.app < $1.app }
        contents.runner = runner
        contents.highestRun = highestRun
        contents.highestSubmission = highestSubmission
        return contents
    }

    func wasPending(_ submission: Int64) -> Bool {
        everPending.contains(submission)
    }

    /// The newest run of an identifier.
    func lastRun(of identifier: TaskIdentifier) -> RunRecord? {
        runs.values.filter { $0.identifier == identifier }.max { $0.run < $1.run }
    }

    mutating func commit(_ effects: [Effect]) {
        for case .persist(let change) in effects { apply(change) }
    }

    mutating func apply(_ change: StoreChange) {
        switch change {
        case .putRequest(let request): put(request)
        case .removeRequest(let identifier): requests[identifier] = nil
        case .putRun(let run): put(run)
        case .putTask(let facts): tasks[facts.identifier] = facts
        case .removeTask(let identifier): tasks[identifier] = nil
        case .putApp(let facts): apps[facts.app] = facts
        case .putRunner(let facts):
            if facts.nextSubmission < runner.nextSubmission { problems.append("submission numbers went back") }
            runner = facts
        case .appendDeviceChange(let change): deviceChanges.append(change)
        }
    }

    // MARK: - Private

    private mutating func put(_ request: PendingRequest) {
        if request.identifier.text.isEmpty { problems.append("a request without an identifier was stored") }
        if entered.contains(request.submission) {
            problems.append("submission \(request.submission) is pending again after its handler was entered")
        }
        requests[request.identifier] = request
        everPending.insert(request.submission)
        highestSubmission = max(highestSubmission, request.submission)
    }

    private mutating func put(_ run: RunRecord) {
        let name = "run \(run.run.number) of \(run.identifier)"
        if let old = runs[run.run] {
            if !Self.allows(old.state, run.state) {
                problems.append("\(name) went from \(old.state.rawValue) to \(run.state.rawValue)")
            }
        } else {
            if run.state != .starting { problems.append("\(name) began as \(run.state.rawValue)") }
            if !everPending.contains(run.request.submission) { problems.append("\(name) was never pending") }
            if entered.contains(run.request.submission) { problems.append("\(name) was claimed twice") }
            if let other = unfinished[run.identifier] { problems.append("\(name) began beside run \(other.number)") }
            if run.run.number <= highestRun { problems.append("\(name) has a number that was used") }
            if run.origin == .scheduled, run.request.kind != .continuedProcessing, let floor = run.request.floor,
                run.startedAt < floor
            {
                problems.append("\(name) began before its floor")
            }
        }
        if run.state == .running { entered.insert(run.request.submission) }
        runs[run.run] = run
        highestRun = max(highestRun, run.run.number)
        if !run.state.isEnded {
            unfinished[run.identifier] = run.run
        } else if unfinished[run.identifier] == run.run {
            unfinished[run.identifier] = nil
        }
    }

    /// Whether a run may go from one state to another; written down again when only its details change.
    private static func allows(_ old: RunState, _ new: RunState) -> Bool {
        if old == new { return true }
        switch old {
        case .starting: return new == .running || new == .crashed || new == .interrupted || new == .cancelled
        case .running: return new != .starting
        case .expiring: return new.isEnded
        case .succeeded, .failed, .expired, .abandoned, .crashed, .interrupted, .cancelled: return false
        }
    }
}
