import Platform
public import Plugins
public import Scheduling

extension VirtualScheduler {
    // MARK: - Requests

    /// Submits a request as the app would; its floor is in virtual time.
    @discardableResult
    public func submit(_ request: TaskRequest, ifPending: PendingChoice = .replace) throws(Refusal) -> Submission {
        let options = SubmissionOptions(ifPending: ifPending, by: manifest.identifier)
        var request = request
        if settings.withLock({ $0.holdsRequests }), request.strategy == .fail {
            try checkStart(request, options)
            request.strategy = .queue
        }
        let asked = request
        return try submission(ask { .requestSubmitted(asked, options, call: $0) })
    }

    /// Submits a request that may not start before so much virtual time has passed.
    @discardableResult
    public func submit(_ identifier: String, after delay: Duration = .zero) throws(Refusal) -> Submission {
        let floor = delay > .zero ? now.advanced(by: delay) : nil
        return try submit(TaskRequest(identifier: TaskIdentifier(identifier), floor: floor))
    }

    /// Cancels the pending request of an identifier, and says whether there was one (B17).
    @discardableResult
    public func cancel(_ identifier: String) throws(Refusal) -> Bool {
        try withdraw(TaskIdentifier(identifier))
    }

    /// What is pending, in virtual time.
    public var pendingRequests: [TaskRequest] {
        core.withLock { [manifest] core in
            core.scheduler.pending(app: manifest.identifier, after: 0, limit: .max).requests.map(\.asked)
        }
    }

    /// The pending request of an identifier.
    public func pendingRequest(_ identifier: String) -> TaskRequest? {
        pendingRequests.first { $0.identifier.text == identifier }
    }

    /// How long from now the pending request of an identifier is held by its floor; zero without one.
    ///
    /// `nil` when nothing is pending.
    public func floor(of identifier: String) -> Duration? {
        pendingRequest(identifier).map { request in
            request.floor.map { max(.zero, now.duration(to: $0)) } ?? .zero
        }
    }

    // MARK: - The device

    /// Says what the device is like from now on; what was never said is ideal (B19).
    public func set(_ conditions: VirtualCondition...) {
        for (condition, value) in conditions.map(\.reported) {
            feed(.conditionReported(condition, value, source: "the test", validFor: nil, call: nil))
        }
    }

    // MARK: - Looking

    /// The virtual time.
    public var now: WallTime { moment.wall }

    /// The virtual time since the beginning.
    public var elapsed: Duration { executor.now }

    /// Every run that has ended, in order.
    public var history: [RunReport] {
        core.withLock { [beginning] core in
            core.endedOrder.compactMap { run in
                core.ended[run].flatMap {
                    RunReport($0, diagnostics: core.diagnosticNames(of: run), since: beginning.wall)
                }
            }
        }
    }

    /// Why the task of an identifier has not run yet: one sentence, and a line for each gate that holds it.
    public func explain(_ identifier: String) throws(Refusal) -> String {
        let identifier = try TaskIdentifier(identifier)
        let moment = moment
        let explanation = core.withLock { $0.scheduler.explain(identifier, at: moment) }
        let gates = explanation.gates.filter { $0.verdict != .open }
        return ([explanation.summary] + gates.map { "\($0.gate.rawValue): \($0.detail)" }).joined(separator: "\n")
    }

    /// What the code under test wrote into its log.
    public var log: [String] { settings.withLock { $0.log } }
}
