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
    /// The words of the request for people, of continued processing.
    package var title: String? { run.order.title }
    package var subtitle: String? { run.order.subtitle }
    /// What is left of the time budget, or of the grace period once expired; `nil` without a limit (B23).
    public var remainingTime: Duration? { run.remainingTime }
    /// Why the run is being expired; `nil` while it is not (B24).
    public var expirationReason: ExpirationReason? { run.expirationReason }

    /// Says how far the work is: a fraction from 0 to 1, and words for people.
    public func reportProgress(_ fraction: Double, title: String? = nil, subtitle: String? = nil) {
        run.reportProgress(fraction, title: title, subtitle: subtitle)
    }

    /// The app that the task belongs to: its other requests.
    public var app: AppContext {
        AppContext(identifier: run.order.app, recovered: run.order.recovered, channel: run.channel)
    }

    /// Writes a line into the log of the run, without waiting.
    public func log(_ message: String, level: TaskLogLevel = .info) {
        run.channel.log(message, level: level, run: run.order.run)
    }

    /// Submits a request of the same app; it stays pending when it is for this very task (B22).
    @discardableResult
    public func submit(_ request: TaskRequest, ifPending: PendingChoice = .replace) async throws(Refusal)
        -> Submission
    {
        try await run.channel.submit(request, ifPending: ifPending)
    }
}
