import Dispatch
import Platform
// `Task.sleep` asks the executor that it is on for its timers; in this toolchain the protocol for that is still SPI.
@_spi(ExperimentalScheduling) import _Concurrency

extension VirtualExecutor: SchedulingExecutor {
    /// The virtual time since the beginning.
    var now: Duration { state.withLock { $0.now } }

    /// When the next task wakes by itself.
    var nextTimer: Duration? {
        state.withLock { state in state.timers.filter { !state.isStale($0) }.map(\.at).min() }
    }

    /// Sets the time, and makes ready what waits for it.
    func advance(to time: Duration) {
        state.withLock { state in
            state.now = max(state.now, time)
            let due = state.timers.filter { $0.at <= state.now }.sorted { ($0.at, $0.number) < ($1.at, $1.number) }
            state.timers.removeAll { $0.at <= state.now }
            state.ready += due.map(\.job)
        }
    }

    func enqueue<C: Clock>(
        _ job: consuming ExecutorJob, after delay: C.Duration, tolerance: C.Duration?, clock: C
    ) {
        addTimer(UnownedJob(job), after: delay as? Duration, on: .preferred(asUnownedTaskExecutor(), nil))
    }

    func enqueue<C: Clock>(
        _ job: consuming ExecutorJob, at instant: C.Instant, tolerance: C.Duration?, clock: C
    ) {
        let delay = clock.now.duration(to: instant)
        addTimer(UnownedJob(job), after: delay as? Duration, on: .preferred(asUnownedTaskExecutor(), nil))
    }

    /// Code reads its clocks in real time: what it adds to that is added to the virtual time.
    func addTimer(_ job: UnownedJob, after delay: Duration?, on place: VirtualJobs.Place) {
        guard let delay else { preconditionFailure("the clocks of Swift's executors count in Duration") }
        let job = VirtualJobs.Job(job: job, place: place)
        let timer = VirtualJobs.Timer(at: max(.zero, delay), job: job, task: TaskKey.current)
        guard !add(timer) else { return }
        // There is no virtual time any more.
        let milliseconds = min(max(0, delay.wholeMilliseconds), Int64(Int32.max))
        DispatchQueue.global().asyncAfter(deadline: .now() + .milliseconds(Int(milliseconds))) {
            self.runElsewhere(job)
        }
    }
}
