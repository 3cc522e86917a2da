import Dispatch
import Plugins
@_spi(ExperimentalScheduling) import _Concurrency

/// The queue that a handler was registered with, in virtual time.
final class VirtualQueue: HandlerExecutor {
    private let queue: DispatchQueue
    private let executor: VirtualExecutor

    init(_ queue: DispatchQueue, _ executor: VirtualExecutor) {
        self.queue = queue
        self.executor = executor
    }

    func perform(_ body: @escaping @Sendable () -> Void) {
        executor.perform(on: queue, body)
    }

    var expiration: any HandlerExecutor { executor }

    func enqueue(_ job: consuming ExecutorJob) {
        executor.addPreferred(UnownedJob(job), as: asUnownedTaskExecutor(), on: queue)
    }

    func asUnownedTaskExecutor() -> UnownedTaskExecutor {
        UnownedTaskExecutor(ordinary: self)
    }
}

extension VirtualQueue: SchedulingExecutor {
    func enqueue<C: Clock>(
        _ job: consuming ExecutorJob, after delay: C.Duration, tolerance: C.Duration?, clock: C
    ) {
        executor.addTimer(UnownedJob(job), after: delay as? Duration, on: .preferred(asUnownedTaskExecutor(), queue))
    }

    func enqueue<C: Clock>(
        _ job: consuming ExecutorJob, at instant: C.Instant, tolerance: C.Duration?, clock: C
    ) {
        let delay = clock.now.duration(to: instant)
        executor.addTimer(UnownedJob(job), after: delay as? Duration, on: .preferred(asUnownedTaskExecutor(), queue))
    }
}
