package import Dispatch

/// A dispatch queue as a task executor, so that async handlers run there and not on the default executor, which keeps
/// a process waking up for ever.
package final class HandlerQueue: TaskExecutor {
    private let queue: DispatchQueue

    /// - Parameter queue: `nil` for a private one with the label.
    package init(_ queue: DispatchQueue? = nil, label: String) {
        self.queue = queue ?? DispatchQueue(label: label)
    }

    package func perform(_ body: @escaping @Sendable () -> Void) {
        queue.async(execute: body)
    }

    package func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        queue.async { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
    }

    package func asUnownedTaskExecutor() -> UnownedTaskExecutor {
        UnownedTaskExecutor(ordinary: self)
    }

    /// Expiration handlers have a queue of their own: a handler that keeps its queue busy is still told.
    package static func expiration(of queue: HandlerQueue) -> HandlerQueue {
        HandlerQueue(label: queue.queue.label + ".expiration")
    }
}
