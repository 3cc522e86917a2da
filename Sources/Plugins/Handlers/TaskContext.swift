public import Scheduling

/// The run that an async handler is in.
public struct TaskContext: Sendable {
    package let run: RunHandle

    package init(_ run: RunHandle) {
        self.run = run
    }

    /// The task's identifier.
    public var identifier: TaskIdentifier { run.order.identifier }
    /// The number of this run, as `history` shows it.
    public var runNumber: Int64 { run.order.run.number }
    /// The kind of the request that is being run.
    public var kind: TaskKind { run.order.kind }
    /// Whether the scheduler or a simulation started it (B35).
    public var origin: RunOrigin { run.order.origin }
    /// 1 for the first start of this request; more when an earlier start was lost before its entry was on disk.
    public var attempt: Int { run.order.attempt }
    /// What is left of the time budget, or of the grace period once expired; `nil` without a limit (B23).
    public var remainingTime: Duration? { run.remainingTime }
    /// Why the run is being expired; `nil` while it is not (B24).
    public var expirationReason: ExpirationReason? { run.expirationReason }

    /// Says how far the work is: a fraction from 0 to 1, and words for people.
    public func reportProgress(_ fraction: Double, title: String? = nil, subtitle: String? = nil) {
        run.reportProgress(fraction, title: title, subtitle: subtitle)
    }

    /// Submits a request of the same app; it stays pending when it is for this very task (B22).
    @discardableResult
    public func submit(_ request: TaskRequest, ifPending: PendingChoice = .replace) async throws(Refusal)
        -> Submission
    {
        try await run.channel.submit(request, ifPending: ifPending)
    }
}

/// What a submission did.
public struct Submission: Sendable, Hashable {
    /// What happened to the request.
    public enum Outcome: String, Sendable {
        /// It is pending now, and nothing was before.
        case submitted
        /// It replaced the pending request.
        case replaced
        /// The pending request was kept (B12).
        case kept
    }

    /// What happened.
    public let outcome: Outcome
    /// The floor of the request that is pending now.
    public let floor: WallTime?
    /// How many times in a row the floor was moved later; `nil` when it was not.
    public let postponed: Int?

    package init(_ result: SubmissionResult) {
        switch result.outcome {
        case .submitted: outcome = .submitted
        case .replaced: outcome = .replaced
        case .kept: outcome = .kept
        }
        floor = result.request.floor
        postponed = result.postponed
    }
}
