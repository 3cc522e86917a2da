import Dispatch
import Platform
import Plugins
import Scheduling

/// Runs handlers of this program: on the queue that they were registered with, or on a private one, never on the loop.
///
/// Unchecked because after the start it is used on the loop only.
final class EmbeddedHost: HandlerHost, @unchecked Sendable {
    struct Handler {
        let form: TaskHandler
        /// `nil` for a private one, which is made for each run: a program may have very many handlers.
        let queue: DispatchQueue?
    }

    private enum Run {
        case async(Task<Void, Never>, RunHandle, HandlerQueue)
        case explicit(WeakTask, RunHandle, HandlerQueue)
    }

    private var handlers: [TaskIdentifier: Handler]
    private var runs: [RunIdentifier: Run] = [:]
    private let channel: EmbeddedChannel
    private let awakeNow: @Sendable () -> AwakeTime

    init(
        _ handlers: [TaskIdentifier: Handler], channel: EmbeddedChannel, awakeNow: @escaping @Sendable () -> AwakeTime
    ) {
        self.handlers = handlers
        self.channel = channel
        self.awakeNow = awakeNow
    }

    func add(_ form: TaskHandler, for identifier: TaskIdentifier, queue: DispatchQueue?) {
        handlers[identifier] = Handler(form: form, queue: queue)
    }

    func launch(_ order: LaunchOrder) {
        guard let handler = handlers[order.identifier] else {
            channel.inbox.post(.startFailed(order.run, reason: "no handler is registered in this process"))
            return
        }
        let channel = channel
        let run = RunHandle(order: order, channel: channel, awakeNow: awakeNow)
        let queue = HandlerQueue(handler.queue, label: order.identifier.text)
        switch handler.form {
        case .async(let body):
            let task = Task(executorPreference: queue) {
                guard run.enter() else { return }
                channel.inbox.post(.handlerEntered(order.run, nil))
                do {
                    try await body(TaskContext(run))
                    channel.completeLater(order.run, .succeeded, message: nil)
                } catch {
                    channel.completeLater(order.run, .failed, message: EmbeddedHost.words(for: error))
                }
                channel.returned(order.run)
            }
            runs[order.run] = .async(task, run, queue)
        case .explicit(let body):
            let reference = WeakTask()
            runs[order.run] = .explicit(reference, run, queue)
            queue.perform {
                guard run.enter() else { return }
                let task = LaunchedTask(run)
                reference.set(task)
                channel.inbox.post(.handlerEntered(order.run, nil))
                body(task)
            }
        }
    }

    func expire(_ run: RunIdentifier, reason: ExpirationReason, grace: Duration) {
        switch runs[run] {
        case .async(let task, let handle, let queue):
            handle.expired(reason, grace: grace)
            // Cancelling runs the handler's own cancellation handlers, which may take their time.
            HandlerQueue.expiration(of: queue).perform { task.cancel() }
        case .explicit(let reference, _, let queue):
            // Strong until it is delivered, so that the task is not dropped in between.
            guard let task = reference.task else { return }
            HandlerQueue.expiration(of: queue).perform { task.expire(reason, grace: grace) }
        case nil: break
        }
    }

    /// Code in this process cannot be ended; the diagnostic `overran` says that it goes on (B24).
    ///
    /// A handler that still waits for its queue is not called any more.
    func terminate(_ run: RunIdentifier) {
        let handle: RunHandle
        switch runs[run] {
        case .async(_, let running, _): handle = running
        case .explicit(_, let running, _): handle = running
        case nil: return
        }
        guard handle.revoke() else { return }
        runs[run] = nil
        channel.inbox.post(.startFailed(run, reason: "its queue was busy until the runner ended"))
    }

    /// Handlers of this process speak through the inbox, which the loop empties before.
    func settle() {}

    /// The run's code is over.
    func forget(_ run: RunIdentifier) {
        runs[run] = nil
    }

    private static func words(for error: any Error) -> String {
        if error is CancellationError { return "the handler stopped, since its task was cancelled" }
        return "\(error)"
    }
}

/// A task that the handler owns: when the handler drops it, it is gone.
private final class WeakTask: Sendable {
    private struct Reference {
        weak var task: LaunchedTask?
    }

    private let reference = Locked(Reference())

    var task: LaunchedTask? { reference.withLock { $0.task } }

    func set(_ task: LaunchedTask) {
        reference.withLock { $0.task = task }
    }
}

/// A dispatch queue as a task executor, so that async handlers run there and not on the default executor, which keeps
/// a process waking up for ever.
final class HandlerQueue: TaskExecutor {
    private let queue: DispatchQueue

    init(_ queue: DispatchQueue?, label: String) {
        self.queue = queue ?? DispatchQueue(label: label)
    }

    func perform(_ body: @escaping @Sendable () -> Void) {
        queue.async(execute: body)
    }

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        queue.async { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
    }

    func asUnownedTaskExecutor() -> UnownedTaskExecutor {
        UnownedTaskExecutor(ordinary: self)
    }

    /// Expiration handlers have a queue of their own: a handler that keeps its queue busy is still told.
    static func expiration(of queue: HandlerQueue) -> HandlerQueue {
        HandlerQueue(nil, label: queue.queue.label + ".expiration")
    }
}
