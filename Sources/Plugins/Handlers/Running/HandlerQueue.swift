package import Dispatch

/// Where a handler's code runs.
package protocol HandlerExecutor: TaskExecutor {
    /// Runs a body after what it was given before.
    func perform(_ body: @escaping @Sendable () -> Void)
    /// Expiration handlers have a queue of their own: a handler that keeps its queue busy is still told.
    var expiration: any HandlerExecutor { get }
}

/// A dispatch queue as a task executor, so that async handlers run there and not on the default executor, which keeps
/// a process waking up for ever.
package final class HandlerQueue: HandlerExecutor {
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

    package var expiration: any HandlerExecutor { HandlerQueue(label: queue.label + ".expiration") }
}
