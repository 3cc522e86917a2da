import CTaskHook
import Dispatch
import Platform
import Plugins
// `Task.sleep` asks the executor that it is on for its timers; in this toolchain the protocol for that is still SPI.
@_spi(ExperimentalScheduling) import _Concurrency

/// Runs the Swift tasks of the code under test, one at a time and in virtual time, and knows when nothing more happens.
///
/// Tasks that handlers start go to the default executor; a hook of the runtime brings them here. Code on dispatch queues
/// runs where it always does: what is started here is waited for, what it starts itself cannot be seen.
final class VirtualExecutor: HandlerExecutor {
    /// What is done when a job is about to run.
    enum AtPoint {
        /// First what was started meanwhile ends.
        case wait
        /// The job runs beside what was started meanwhile.
        case goOn
    }

    typealias Surroundings = @Sendable (() -> Void) -> Void

    private let state: Locked<VirtualJobs>
    private let changed = DispatchSemaphore(value: 0)
    /// Called when a job comes while nobody drives.
    private let wake: @Sendable () -> Void

    /// - Parameters:
    ///   - seed: 0 runs jobs in the order in which they came, others in an order that it decides.
    ///   - wake: called from any thread when there is something to run.
    init(seed: UInt64, wake: @escaping @Sendable () -> Void) {
        state = Locked(VirtualJobs(order: SeededOrder(seed: seed)))
        self.wake = wake
        JobTaker.install()
    }

    // MARK: - Time

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

    // MARK: - Running

    /// Whether only code runs that does not go on.
    var isStuck: Bool { state.withLock { $0.bodies > 0 && $0.bodies <= $0.stuck } }
    /// How many jobs have been about to run.
    var points: Int { state.withLock { $0.points } }
    var wasWokenFromOutside: Bool { state.withLock { $0.wasWokenFromOutside } }
    /// Whether code on a queue did not go on for so long that others went on beside it.
    var wasStuck: Bool { state.withLock { $0.wasStuck } }
    /// Whether more than one job was ever ready, so that another order is another life.
    var hadChoice: Bool { state.withLock { $0.hadChoice } }

    /// Runs what is ready until nothing is, and what runs on queues has ended or does not go on.
    ///
    /// For one thread at a time. The point is told before each job, with its number from 1 on.
    /// - Parameter most: so many jobs are run at most.
    func settle(most: Int = .max, _ point: (Int) -> AtPoint = { _ in .goOn }) {
        var told = 0
        let last = state.withLock { $0.points }.addingReportingOverflow(most)
        while last.overflow || points < last.partialValue {
            switch state.withLock({ $0.next }) {
            case .nothing:
                // What happened until now is no news.
                guard state.withLock({ $0.beStill() }) else { continue }
                return
            case .job:
                let number = state.withLock { $0.points + 1 }
                if told < number {
                    told = number
                    if case .wait = point(number) { continue }
                }
                runNext()
            case .bodies: waitForBodies()
            }
        }
    }

    /// Waits in real time until something happens; false when nothing did.
    func waitForChange(_ patience: Duration) -> Bool {
        let deadline = DispatchTime.now() + .nanoseconds(Int(patience.wholeMilliseconds) * 1_000_000)
        repeat {
            if state.withLock({ exchange(&$0.hasChanged, with: false) }) { return true }
        } while changed.wait(timeout: deadline) == .success
        return false
    }

    /// Tells whoever waits that something happened that is not a job.
    func somethingHappened() {
        state.withLock { $0.hasChanged = true }
        changed.signal()
    }

    // MARK: - The end

    /// The tasks that are there are the app's own: what they do is not the handler's work.
    func beginRun() {
        state.withLock { state in
            for task in state.tasks.keys { state.tasks[task]?.isOfApp = true }
        }
    }

    /// From now on it is counted what tasks still do.
    func closeBooks() {
        state.withLock { $0.isClosed = true }
    }

    /// How much the busiest task did after the books were closed: of those that were cancelled, and of the others.
    var afterClosing: (cancelled: Int, others: Int) {
        state.withLock { state in
            var result = (cancelled: 0, others: 0)
            for (task, count) in state.tasks where count.afterClosing > 0 && !count.isOfApp {
                if VirtualExecutor.isCancelled(task) {
                    result.cancelled = max(result.cancelled, count.afterClosing)
                } else {
                    result.others = max(result.others, count.afterClosing)
                }
            }
            return result
        }
    }

    /// How many tasks sleep that nobody has cancelled.
    var sleepers: Int {
        state.withLock { state in
            state.timers.count { timer in
                guard !state.isStale(timer), let task = timer.task else { return false }
                return state.tasks[task]?.isOfApp == false && !VirtualExecutor.isCancelled(task)
            }
        }
    }

    /// Whether its scheduler is gone, so that nobody would run what comes.
    var isFinished: Bool { state.withLock { $0.isFinished } }

    /// What comes later goes where it would go without this executor.
    func finish() {
        let tasks = state.withLock { state in
            state.isFinished = true
            let tasks = Array(state.tasks.keys)
            state.tasks = [:]
            return tasks
        }
        JobTaker.forget(tasks)
    }

    /// How long code on a queue may take before others go on beside it.
    func setBodyPatience(_ patience: DispatchTimeInterval) {
        state.withLock { $0.bodyPatience = patience }
    }

    func setSurroundings(_ surroundings: @escaping Surroundings) {
        state.withLock { $0.surroundings = surroundings }
    }

    // MARK: - HandlerExecutor

    func perform(_ body: @escaping @Sendable () -> Void) {
        perform(on: Self.makeWorker(), body)
    }

    /// A private queue, which a handler that keeps its own one busy does not hold up.
    var expiration: any HandlerExecutor { self }

    func enqueue(_ job: consuming ExecutorJob) {
        add(UnownedJob(job), as: asUnownedTaskExecutor(), on: nil)
    }

    func asUnownedTaskExecutor() -> UnownedTaskExecutor {
        UnownedTaskExecutor(ordinary: self)
    }

    /// Runs a body on this thread: the tasks that it starts are of this executor.
    func asCodeUnderTest<Result>(_ body: () throws -> Result) throws -> Result {
        let surroundings = state.withLock { $0.surroundings }
        var result: Swift.Result<Result, any Error>?
        marked { surroundings { result = Swift.Result { try body() } } }
        guard let result else { preconditionFailure("the surroundings of code always run it") }
        return try result.get()
    }

    // MARK: - For the queues of handlers

    func perform(on queue: DispatchQueue, _ body: @escaping @Sendable () -> Void) {
        let surroundings = state.withLock { state in
            state.bodies += 1
            return state.surroundings
        }
        queue.async {
            self.marked { surroundings(body) }
            self.bodyEnded()
        }
        wake()
    }

    func add(_ job: UnownedJob, as executor: UnownedTaskExecutor, on queue: DispatchQueue?) {
        let address = Self.address(of: job)
        let isTask = Self.isTask(address)
        let fromOutside = runner_thread_mark() != mark
        let isNew = state.withLock { state in
            state.ready.append(VirtualJobs.Job(job: job, executor: executor, queue: queue))
            state.hasChanged = true
            if fromOutside { state.wasWokenFromOutside = true }
            guard isTask, !state.isFinished else { return false }
            let isNew = state.tasks[address] == nil
            state.tasks[address, default: VirtualJobs.TaskCount()].all += 1
            if state.isClosed { state.tasks[address]?.afterClosing += 1 }
            return isNew
        }
        if isNew { JobTaker.remember(address, self) }
        changed.signal()
        wake()
    }

    // MARK: - Private

    static func makeWorker() -> DispatchQueue { DispatchQueue(label: "virtual") }

    static func address(of job: UnownedJob) -> UInt { unsafeBitCast(job, to: UInt.self) }

    private static func isTask(_ address: UInt) -> Bool {
        guard let pointer = UnsafeRawPointer(bitPattern: address) else { return false }
        return runner_job_is_task(pointer)
    }

    /// Only for tasks that are remembered, and so kept alive.
    private static func isCancelled(_ address: UInt) -> Bool {
        guard let pointer = UnsafeMutableRawPointer(bitPattern: address) else { return false }
        return runner_task_is_cancelled(pointer)
    }

    private var mark: UnsafeMutableRawPointer { Unmanaged.passUnretained(self).toOpaque() }

    /// Whatever tasks the body starts are of this executor.
    private func marked(_ body: () -> Void) {
        let outer = runner_thread_mark()
        runner_mark_thread(mark)
        body()
        runner_mark_thread(outer)
    }

    private func bodyEnded() {
        state.withLock { state in
            state.bodies -= 1
            state.hasChanged = true
            state.stuck = min(state.stuck, state.bodies)
        }
        changed.signal()
    }

    private func runNext() {
        let taken: (VirtualJobs.Job, DispatchQueue)? = state.withLock { state in
            guard !state.ready.isEmpty else { return nil }
            state.points += 1
            state.bodies += 1
            if state.ready.count > 1 { state.hadChoice = true }
            // What does not go on keeps its thread.
            if state.stuck > 0 { state.worker = Self.makeWorker() }
            let job = state.ready.remove(at: state.order.choose(state.ready.count))
            return (job, job.queue ?? state.worker)
        }
        guard let (job, queue) = taken else { return }
        queue.async {
            self.marked { job.job.runSynchronously(on: job.executor) }
            self.bodyEnded()
        }
    }

    private func waitForBodies() {
        let deadline = DispatchTime.now() + state.withLock { $0.bodyPatience }
        while state.withLock({ $0.bodies > $0.stuck }) {
            guard changed.wait(timeout: deadline) == .success else {
                state.withLock { state in
                    state.wasStuck = true
                    state.stuck = state.bodies
                }
                return
            }
        }
    }
}

extension VirtualExecutor: SchedulingExecutor {
    func enqueue<C: Clock>(
        _ job: consuming ExecutorJob, after delay: C.Duration, tolerance: C.Duration?, clock: C
    ) {
        addTimer(UnownedJob(job), after: delay as? Duration, as: asUnownedTaskExecutor(), on: nil)
    }

    func enqueue<C: Clock>(
        _ job: consuming ExecutorJob, at instant: C.Instant, tolerance: C.Duration?, clock: C
    ) {
        let delay = clock.now.duration(to: instant)
        addTimer(UnownedJob(job), after: delay as? Duration, as: asUnownedTaskExecutor(), on: nil)
    }

    /// Code reads its clocks in real time: what it adds to that is added to the virtual time.
    func addTimer(_ job: UnownedJob, after delay: Duration?, as executor: UnownedTaskExecutor, on queue: DispatchQueue?)
    {
        guard let delay else { preconditionFailure("the clocks of Swift's executors count in Duration") }
        let task = withUnsafeCurrentTask { $0.map { unsafeBitCast($0, to: UInt.self) } }
        state.withLock { state in
            state.nextTimer += 1
            state.timers.append(
                VirtualJobs.Timer(
                    at: state.now + max(.zero, delay), number: state.nextTimer,
                    job: VirtualJobs.Job(job: job, executor: executor, queue: queue), task: task,
                    enqueues: task.flatMap { state.tasks[$0]?.all } ?? 0))
        }
        changed.signal()
        wake()
    }
}
