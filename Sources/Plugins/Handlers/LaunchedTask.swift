import Platform
public import Scheduling

/// The run that a handler in the explicit form is in: it must be completed exactly once.
///
/// Dropping it without completing closes the run as `abandoned` (B27).
public final class LaunchedTask: Sendable {
    /// Called once, on a private queue, when the run is expired.
    public typealias ExpirationHandler = @Sendable () -> Void

    private let run: RunHandle
    private let state = Locked(State.waiting(handler: nil))

    private enum State {
        /// Runs. Can transition to `expiring`, `completed`.
        case waiting(handler: ExpirationHandler?)
        /// The expiration came. Can transition to `completed`.
        case expiring
        case completed
    }

    package init(_ run: RunHandle) {
        self.run = run
    }

    deinit {
        let wasCompleted = state.withLock { state in
            if case .completed = state { return true }
            state = .completed
            return false
        }
        if !wasCompleted { run.channel.completeLater(run.order.run, .abandoned, message: nil) }
        run.returned()
    }

    /// What an async handler can know and do, without its cancellation.
    public var context: TaskContext { TaskContext(run) }

    /// The task's identifier.
    public var identifier: TaskIdentifier { run.order.identifier }
    /// What is left of the time budget, or of the grace period once expired; `nil` without a limit (B23).
    public var remainingTime: Duration? { run.remainingTime }
    /// Why the run is being expired; `nil` while it is not (B24).
    public var expirationReason: ExpirationReason? { run.expirationReason }

    /// What is called once when the run is expired; without one the run is closed as `expired` at once (B25).
    public var expirationHandler: ExpirationHandler? {
        get {
            state.withLock { if case .waiting(let handler) = $0 { handler } else { nil } }
        }
        set {
            _ = state.withLock { state in
                let old = state
                if case .waiting = old { state = .waiting(handler: newValue) }
                return old
            }
        }
    }

    /// Completes the run; a second call changes nothing and is recorded (B26).
    public func setTaskCompleted(success: Bool) {
        finish()
        run.channel.completeLater(run.order.run, success ? .succeeded : .failed, message: nil)
    }

    /// Completes the run, and says whether this was the completion that counts (B26).
    public func complete(success: Bool, message: String? = nil) async -> Bool {
        finish()
        return await run.channel.complete(run.order.run, success ? .succeeded : .failed, message: message)
    }

    /// Delivers the expiration, unless the run was completed before (B26). Called on the handler's queue.
    package func expire(_ reason: ExpirationReason, grace: Duration) {
        run.expired(reason, grace: grace)
        let handler: ExpirationHandler?? = state.withLock { state in
            guard case .waiting(let handler) = state else { return nil }
            state = .expiring
            return .some(handler)
        }
        guard let delivered = handler else { return }
        guard let call = delivered else {
            run.channel.completeLater(run.order.run, .noExpirationHandler, message: nil)
            return
        }
        call()
    }

    /// Lets the expiration handler go, outside of the lock: what it held may come back here when it goes.
    private func finish() {
        _ = state.withLock { state in
            let old = state
            state = .completed
            return old
        }
    }
}
