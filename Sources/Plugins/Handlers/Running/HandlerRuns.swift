package import Dispatch
import Platform
package import Scheduling

/// Runs the handlers of this process, whoever launches them: each on the queue that it was registered with, or on a
/// private one.
package final class HandlerRuns: Sendable {
    package struct Handler: Sendable {
        let form: TaskHandler
        /// `nil` for a private one, which is made for each run: a program may have very many handlers.
        let queue: DispatchQueue?

        /// Whether the expiration handler of the explicit form waits for that queue too.
        let expiresOnItsQueue: Bool

        package init(_ form: TaskHandler, queue: DispatchQueue? = nil) {
            self.form = form
            self.queue = queue
            expiresOnItsQueue = false
        }

        package init(_ registration: PendingRegistration, queue: DispatchQueue? = nil) {
            form = registration.handler
            self.queue = queue
            expiresOnItsQueue = registration.expiresOnItsQueue
        }
    }

    private enum Run: Sendable {
        case async(Task<Void, Never>, RunHandle, any HandlerExecutor)
        case explicit(WeakTask, RunHandle, any HandlerExecutor, expiresOnItsQueue: Bool)

        var handle: RunHandle {
            switch self {
            case .async(_, let handle, _), .explicit(_, let handle, _, _): handle
            }
        }
    }

    private struct State {
        var handlers: [TaskIdentifier: Handler]
        var runs: [RunIdentifier: Run] = [:]
    }

    private let state: Locked<State>
    private let channel: any RunChannel
    private let awakeNow: @Sendable () -> AwakeTime
    private let makeExecutor: ExecutorMaker

    /// Makes where the handler of an identifier runs: on the queue that it was registered with, if any.
    package typealias ExecutorMaker = @Sendable (DispatchQueue?, TaskIdentifier) -> any HandlerExecutor

    package init(
        _ handlers: [TaskIdentifier: Handler] = [:], channel: any RunChannel,
        awakeNow: @escaping @Sendable () -> AwakeTime,
        makeExecutor: @escaping ExecutorMaker = { HandlerQueue($0, label: $1.text) }
    ) {
        state = Locked(State(handlers: handlers))
        self.channel = channel
        self.awakeNow = awakeNow
        self.makeExecutor = makeExecutor
    }

    package func add(_ handler: Handler, for identifier: TaskIdentifier) {
        state.withLock { $0.handlers[identifier] = handler }
    }

    /// Whether no handler's code runs.
    package var isIdle: Bool { state.withLock { $0.runs.isEmpty } }

    /// Starts the handler of a run; `false` when there is none.
    package func launch(_ order: LaunchOrder) -> Bool {
        let run = RunHandle(order: order, channel: channel, awakeNow: awakeNow) { [weak self] in
            self?.forget(order.run)
        }
        // Under the lock, so that a handler which returns at once finds its run here.
        return state.withLock { state in
            guard let handler = state.handlers[order.identifier] else { return false }
            state.runs[order.run] = Self.start(handler, run, on: makeExecutor(handler.queue, order.identifier))
            return true
        }
    }

    /// Calls the expiration handler of a run, or cancels its task.
    package func expire(_ run: RunIdentifier, reason: ExpirationReason, grace: Duration) {
        switch state.withLock({ $0.runs[run] }) {
        case .async(let task, let handle, let queue):
            handle.expired(reason, grace: grace)
            // Cancelling runs the handler's own cancellation handlers, which may take their time.
            queue.expiration.perform { task.cancel() }
        case .explicit(let reference, _, let queue, let expiresOnItsQueue):
            // Strong until it is delivered, so that the task is not dropped in between.
            guard let task = reference.task else { return }
            let queue = expiresOnItsQueue ? queue : queue.expiration
            queue.perform { task.expire(reason, grace: grace) }
        case nil: break
        }
    }

    /// Expires every run that is not being expired already.
    package func expireAll(reason: ExpirationReason, grace: Duration) {
        let runs = state.withLock { state in
            state.runs.filter { $0.value.handle.expirationReason == nil }.keys.sorted()
        }
        for run in runs { expire(run, reason: reason, grace: grace) }
    }

    /// Gives up the start of a handler that still waits for its queue; `false` when its code has begun.
    package func revoke(_ run: RunIdentifier) -> Bool {
        guard let handle = state.withLock({ $0.runs[run]?.handle }), handle.revoke() else { return false }
        forget(run)
        return true
    }

    // MARK: - Private

    private func forget(_ run: RunIdentifier) {
        // Let go outside of the lock: what a handler held may come back here when it goes.
        _ = state.withLock { $0.runs.removeValue(forKey: run) }
    }

    private static func start(_ handler: Handler, _ run: RunHandle, on queue: any HandlerExecutor) -> Run {
        switch handler.form {
        case .async(let body):
            let task = Task(executorPreference: queue) {
                guard run.enter() else { return }
                run.channel.entered(run.order.run)
                let (result, message) = await outcome(of: body, in: run)
                run.channel.completeLater(run.order.run, result, message: message)
                run.returned()
            }
            return .async(task, run, queue)
        case .explicit(let body):
            let reference = WeakTask()
            queue.perform {
                guard run.enter() else { return }
                let task = LaunchedTask(run)
                // Before the channel is told: from then on it can be expired.
                reference.set(task)
                run.channel.entered(run.order.run)
                body(task)
            }
            return .explicit(reference, run, queue, expiresOnItsQueue: handler.expiresOnItsQueue)
        }
    }

    private static func outcome(
        of body: @Sendable (TaskContext) async throws -> Void, in run: RunHandle
    ) async -> (RunResult, String?) {
        do {
            try await body(TaskContext(run))
            return (.succeeded, nil)
        } catch is CancellationError {
            return (.failed, "the handler stopped, since its task was cancelled")
        } catch {
            return (.failed, "\(error)")
        }
    }
}
