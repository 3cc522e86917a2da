import CTaskHook
@_spi(ExperimentalCustomExecutors) @_spi(ExperimentalScheduling) import _Concurrency

/// The default executor in a process of tests: who sleeps where no executor of its own keeps time, as the code of an actor
/// does, asks it for the timer. That of code under test takes virtual time; everything else goes where it would have gone.
///
/// It has no fields, and neither has the runtime's own one: who reads the default executor while it is changed may call the
/// one's code with the other.
final class DefaultRouter: TaskExecutor {
    private static let original = Task.defaultExecutor as? any TaskExecutor & SchedulingExecutor

    private enum Factory: ExecutorFactory {
        static var mainExecutor: any MainExecutor { MainActor.executor }
        static let defaultExecutor: any TaskExecutor = DefaultRouter()
    }

    /// From now on it is the default executor; not where the runtime's own one keeps no time.
    static func install() {
        guard original != nil else { return }
        _createExecutors(factory: Factory.self)
    }

    func enqueue(_ job: consuming ExecutorJob) {
        Self.original?.enqueue(job)
    }
}

extension DefaultRouter: SchedulingExecutor {
    func enqueue<C: Clock>(
        _ job: consuming ExecutorJob, after delay: C.Duration, tolerance: C.Duration?, clock: C
    ) {
        guard let executor = JobTaker.executorOfSleeper() else {
            Self.original?.enqueue(job, after: delay, tolerance: tolerance, clock: clock)
            return
        }
        executor.addTimer(UnownedJob(job), after: delay as? Duration, on: .pool)
    }

    func enqueue<C: Clock>(
        _ job: consuming ExecutorJob, at instant: C.Instant, tolerance: C.Duration?, clock: C
    ) {
        guard let executor = JobTaker.executorOfSleeper() else {
            Self.original?.enqueue(job, at: instant, tolerance: tolerance, clock: clock)
            return
        }
        executor.addTimer(UnownedJob(job), after: clock.now.duration(to: instant) as? Duration, on: .pool)
    }
}
