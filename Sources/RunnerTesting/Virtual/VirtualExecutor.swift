import CTaskHook
import Dispatch
import Platform
import Plugins

/// Runs the Swift tasks of the code under test, one at a time and in virtual time, and knows when nothing more happens.
///
/// Tasks that handlers start go to the default executor or to the main actor's; hooks of the runtime bring them here. Code
/// on dispatch queues runs where it always does: what is started here is waited for, what it starts itself cannot be seen.
final class VirtualExecutor: HandlerExecutor {
    /// What is done when a job is about to run.
    enum AtPoint {
        /// First what was started meanwhile ends.
        case wait
        /// The job runs beside what was started meanwhile.
        case goOn
    }

    typealias Surroundings = @Sendable (() -> Void) -> Void

    let state: Locked<VirtualJobs>
    let changed = DispatchSemaphore(value: 0)
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

    // MARK: - Running

    /// Whether only code runs that does not go on.
    var isStuck: Bool { state.withLock { $0.isStuck } }
    /// How many jobs have been about to run.
    var points: Int { state.withLock { $0.points } }
    /// How often something came from out of sight.
    var outside: Int { state.withLock { $0.outside } }
    /// Whether code on a queue did not go on for so long that others went on beside it.
    var wasStuck: Bool { state.withLock { $0.wasStuck } }
    /// How long the piece of code took that took longest, in real time.
    var longestBody: Duration { state.withLock { $0.longestBody } }
    /// Whether more than one job was ever ready, so that another order is another life.
    var hadChoice: Bool { state.withLock { $0.hadChoice } }

    /// Runs what is ready until nothing is, and what runs on queues has ended or does not go on.
    ///
    /// For one thread at a time. The point is told before each job, with its number from 1 on.
    /// - Parameter most: so many jobs are run at most; `nil` for what tasks may do at one time at all.
    /// - Returns: false when there was more to run.
    @discardableResult
    func settle(most: Int? = nil, _ point: (Int) -> AtPoint = { _ in .goOn }) -> Bool {
        var told = 0
        let last = points + (most ?? state.withLock { $0.mostAtOnce })
        while points < last {
            switch state.withLock({ $0.next }) {
            case .nothing:
                // What happened until now is no news.
                guard state.withLock({ $0.beStill() }) else { continue }
                return true
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
        // The last one is on its way.
        waitForBodies()
        return false
    }

    /// Waits in real time until something happens; false when nothing did.
    func waitForChange(_ patience: Duration) -> Bool {
        guard patience > .zero else { return state.withLock { exchange(&$0.hasChanged, with: false) } }
        let deadline = DispatchTime.now() + .nanoseconds(patience.wholeNanoseconds)
        repeat {
            if state.withLock({ exchange(&$0.hasChanged, with: false) }) { return true }
        } while changed.wait(timeout: deadline) == .success
        return false
    }

    /// The same, for what may come from out of sight.
    func waitForOutside(_ patience: Duration) -> (didChange: Bool, didCome: Bool, waited: Duration) {
        let before = outside
        let begun = ContinuousClock.now
        let didChange = waitForChange(patience)
        return (didChange, outside > before, begun.duration(to: .now))
    }

    /// Tells whoever waits that something happened that is not a job.
    func somethingHappened() {
        state.withLock { $0.hasChanged = true }
        changed.signal()
    }

    /// Code calls its run or the scheduler.
    func noteCall() {
        guard runner_thread_mark() != mark else { return }
        state.withLock { $0.outside += 1 }
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
        addPreferred(UnownedJob(job), as: asUnownedTaskExecutor(), on: nil)
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
        let (surroundings, number) = state.withLock { ($0.surroundings, $0.beginBody()) }
        queue.async {
            self.marked { surroundings(body) }
            self.bodyEnded(number)
        }
        wake()
    }

    /// Takes a job of a task that prefers an executor of this scheduler.
    func addPreferred(_ job: UnownedJob, as executor: UnownedTaskExecutor, on queue: DispatchQueue?) {
        let place = VirtualJobs.Place.preferred(executor, queue)
        if !add(job, on: place) { runElsewhere(VirtualJobs.Job(job: job, place: place)) }
    }

    /// Takes a job; false when its scheduler is gone, so that nobody would run it.
    func add(_ job: UnownedJob, on place: VirtualJobs.Place) -> Bool {
        let task = TaskKey(job)
        // Nobody runs it before it is in the list, so its task lives until then.
        let isNew = state.withLock { state in task.map { !state.isFinished && state.tasks[$0] == nil } ?? false }
        if isNew, let task { JobTaker.remember(task, self) }
        let fromOutside = runner_thread_mark() != mark
        let isTaken = state.withLock { state in
            guard !state.isFinished else { return state.addLeftover(job, of: task, on: place, isOwn: !fromOutside) }
            state.note(task)
            state.ready.append(VirtualJobs.Job(job: job, place: place))
            state.hasChanged = true
            if fromOutside { state.outside += 1 }
            return true
        }
        guard isTaken else {
            if isNew, let task { JobTaker.forget([task], of: self) }
            return false
        }
        changed.signal()
        wake()
        return true
    }

    func add(_ timer: VirtualJobs.Timer) -> Bool {
        let isTaken = state.withLock { state in
            guard !state.isFinished else { return false }
            state.add(timer)
            return true
        }
        changed.signal()
        wake()
        return isTaken
    }

    // MARK: - Private

    static func makeWorker() -> DispatchQueue { DispatchQueue(label: "virtual") }

    private var mark: UnsafeMutableRawPointer { Unmanaged.passUnretained(self).toOpaque() }

    /// Whatever tasks the body starts are of this executor.
    func marked(_ body: () -> Void) {
        let outer = runner_thread_mark()
        runner_mark_thread(mark)
        body()
        runner_mark_thread(outer)
    }

    private func bodyEnded(_ number: Int) {
        state.withLock { $0.endBody(number) }
        changed.signal()
    }

    private func runNext() {
        guard let (job, worker, number) = state.withLock({ $0.takeNext() }) else { return }
        switch job.place {
        case .pool: run(number, on: worker) { job.job.runSynchronously(on: self.asUnownedTaskExecutor()) }
        case .preferred(let executor, let queue):
            run(number, on: queue ?? worker) { job.job.runSynchronously(on: executor) }
        case .main: run(number, on: .main) { MainRouter.run(job.job) }
        }
    }

    private func run(_ number: Int, on queue: DispatchQueue, _ body: @escaping @Sendable () -> Void) {
        queue.async {
            self.marked(body)
            self.bodyEnded(number)
        }
    }

    private func waitForBodies() {
        let deadline = DispatchTime.now() + state.withLock { $0.bodyPatience }
        while state.withLock({ $0.next == .bodies }) {
            guard changed.wait(timeout: deadline) == .success else {
                state.withLock { $0.giveUpBodies() }
                return
            }
        }
    }
}

extension Duration {
    fileprivate var wholeNanoseconds: Int {
        let (seconds, attoseconds) = components
        return Int(seconds) * 1_000_000_000 + Int(attoseconds / 1_000_000_000)
    }
}
