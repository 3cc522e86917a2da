package import Scheduling

/// A store in a few dictionaries that also watches over what may never happen to runs and requests.
package struct ShadowStore: Sendable {
    package private(set) var requests: [TaskIdentifier: PendingRequest] = [:]
    package private(set) var runs: [RunIdentifier: RunRecord] = [:]
    package private(set) var tasks: [TaskIdentifier: TaskFacts] = [:]
    package private(set) var apps: [AppIdentifier: AppFacts] = [:]
    package private(set) var runner = RunnerFacts()
    package private(set) var deviceChanges: [DeviceChange] = []
    /// Rules that a transaction broke.
    package private(set) var problems: [String] = []

    private var highestRun: Int64 = 0
    private var highestSubmission: Int64 = 0
    /// The current run of each identifier, as far as it has not ended.
    private var unfinished: [TaskIdentifier: RunIdentifier] = [:]
    private var everPending: Set<Int64> = []
    private var entered: Set<Int64> = []
    private var launched: Set<Int64> = []
    private var expired: Set<Int64> = []
    /// How runs ended that are forgotten.
    private var forgotten: [RunIdentifier: RunState] = [:]

    package init() {}

    package var contents: StoreContents {
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

    package func wasPending(_ submission: Int64) -> Bool {
        everPending.contains(submission)
    }

    /// The newest run of an identifier.
    package func lastRun(of identifier: TaskIdentifier) -> RunRecord? {
        runs.values.filter { $0.identifier == identifier }.max { $0.run < $1.run }
    }

    package mutating func commit(_ effects: [Effect]) {
        judge(effects)
        for case .persist(let change) in effects { apply(change) }
    }

    /// Looks at all that comes of one event, before it is taken in: no request may go of which nobody says why.
    ///
    /// A request goes by a claim, by a cancel or a drop that is said, or by another one that is said to replace it.
    package mutating func judge(_ effects: [Effect]) {
        var said: Set<Int64> = []
        // A request that goes back to pending takes the place of what the runner has made for it meanwhile.
        var returned: Set<TaskIdentifier> = []
        for effect in effects {
            switch effect {
            case .persist(.putRun(let run)) where run.state == .starting: said.insert(run.request.submission)
            case .publish(.withdrawn(let request, _)): said.insert(request.submission)
            case .publish(.submitted(let result)): if let old = result.previous { said.insert(old.submission) }
            case .publish(.refiled(let request, .returned)): returned.insert(request.identifier)
            default: break
            }
        }
        var changed: [TaskIdentifier: PendingRequest?] = [:]
        for case .persist(let change) in effects {
            let identifier: TaskIdentifier
            var new: PendingRequest?
            switch change {
            case .putRequest(let request): (identifier, new) = (request.identifier, request)
            case .removeRequest(let removed): identifier = removed
            case .putRun, .putTask, .removeTask, .putApp, .putRunner, .appendDeviceChange: continue
            }
            if let old = changed[identifier] ?? requests[identifier], old.submission != new?.submission,
                !said.contains(old.submission), !(returned.contains(identifier) && old.maker != .caller)
            {
                problems.append("the request of \(identifier) was removed and nobody took it")
            }
            changed[identifier] = .some(new)
        }
    }

    package mutating func apply(_ change: StoreChange) {
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

    /// Takes in one effect: what is stored, and what is told to the world.
    package mutating func see(_ effect: Effect, at now: Moment) {
        switch effect {
        case .persist(let change): apply(change)
        case .launch(let order):
            if runs[order.run]?.state != .starting {
                problems.append("run \(order.run.number) was launched without a claim")
            }
            if !launched.insert(order.run.number).inserted {
                problems.append("run \(order.run.number) was launched twice")
            }
        case .expire(let run, _, _):
            if runs[run]?.state != .expiring {
                problems.append("run \(run.number) was told to end, and is not expiring")
            }
            if !expired.insert(run.number).inserted { problems.append("run \(run.number) was expired twice") }
        case .reply, .terminate, .startProcess, .endProcess, .publish, .drained: break
        }
    }

    /// Forgets what runs that have ended were, and the device's changes, so that years fit into memory.
    ///
    /// What those runs must not do again is still known.
    package mutating func forgetHistory() {
        for run in runs.values where run.state.isEnded { forgotten[run.run] = run.state }
        runs = runs.filter { !$0.value.state.isEnded }
        deviceChanges = []
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
        if let old = runs[run.run]?.state ?? forgotten[run.run] {
            if !Self.allows(old, run.state) {
                problems.append("\(name) went from \(old.rawValue) to \(run.state.rawValue)")
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
