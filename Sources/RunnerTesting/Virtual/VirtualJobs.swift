import Dispatch

/// What a virtual executor has to run, what waits for time, and what runs.
struct VirtualJobs {
    /// Where a job runs.
    enum Place {
        /// Where the default executor's do.
        case pool
        /// On the executor that its task prefers, which may have a queue.
        case preferred(UnownedTaskExecutor, DispatchQueue?)
        /// On the main queue.
        case main
    }

    struct Job {
        var job: UnownedJob
        var place: Place
    }

    struct Timer {
        /// From its beginning on, until it is in the list; then from that of the time.
        var at: Duration
        var number = 0
        var job: Job
        var task: TaskKey?
        /// How often its task had been enqueued: if more often now, it was woken by something else.
        var enqueues = 0

        init(at: Duration, job: Job, task: TaskKey?) {
            self.at = at
            self.job = job
            self.task = task
        }
    }

    /// How often a task was enqueued.
    struct TaskCount {
        var all = 0
        var afterClosing = 0
        /// It was there before the run, so it is the app's and not the handler's.
        var isOfApp = false
        /// Whether it is kept alive.
        var isKept: Bool
        /// Whether it was cancelled when it was enqueued last.
        var wasCancelled = false

        init(isKept: Bool) {
            self.isKept = isKept
        }
    }

    enum Next {
        case nothing
        case job
        /// Code that was started has to end first.
        case bodies
    }

    var now = Duration.zero
    var ready: [Job] = []
    var timers: [Timer] = []
    var nextTimer = 0
    /// The pieces of code that run on queues now, by number, and since when.
    private(set) var bodies: [Int: ContinuousClock.Instant] = [:]
    /// Those of them that have been waited for in vain.
    private(set) var stuck: Set<Int> = []
    private var nextBody = 0
    private(set) var wasStuck = false
    /// How long the piece of code took that took longest, in real time.
    private(set) var longestBody = Duration.zero
    /// On a busy machine a thread may begin late.
    var bodyPatience = DispatchTimeInterval.milliseconds(250)
    /// The tasks that were seen.
    var tasks: [TaskKey: TaskCount] = [:]
    /// How many jobs were begun.
    var points = 0
    /// From now on it is counted what tasks still do.
    var isClosed = false
    /// How often code on a thread that is not known here woke a task or called its run or the scheduler.
    var outside = 0
    var hadChoice = false
    var order: SeededOrder
    var worker = VirtualExecutor.makeWorker()
    var surroundings: VirtualExecutor.Surroundings = { $0() }
    var isFinished = false
    /// What was ready when this was finished: these tasks still run here, so that it can be seen who does not end.
    var leftovers: Set<TaskKey> = []
    /// A task that is ready more often at one time does nothing but ask.
    var mostAtOnce = 20_000
    /// Whether something has happened since that was asked last.
    var hasChanged = false

    init(order: SeededOrder) {
        self.order = order
    }

    var next: Next {
        if bodies.count > stuck.count { return .bodies }
        return ready.isEmpty ? .nothing : .job
    }

    /// Whether only code runs that does not go on.
    var isStuck: Bool { !bodies.isEmpty && bodies.count == stuck.count }

    /// Forgets what has happened, if there is nothing to do; false otherwise.
    mutating func beStill() -> Bool {
        guard next == .nothing else { return false }
        hasChanged = false
        return true
    }

    /// Whether the task of a timer was woken by something else, so that the timer wakes nobody.
    func isStale(_ timer: Timer) -> Bool {
        timer.task.map { (tasks[$0]?.all ?? 0) != timer.enqueues } ?? false
    }

    /// Counts a task that is about to be ready; it is alive.
    mutating func note(_ task: TaskKey?) {
        guard let task else { return }
        if tasks[task] == nil { tasks[task] = TaskCount(isKept: task.canBeKept) }
        tasks[task]?.all += 1
        tasks[task]?.wasCancelled = task.isCancelled
        if isClosed { tasks[task]?.afterClosing += 1 }
    }

    /// Takes a job of a task that was left behind, or one that is part of its suspension; false for any other.
    mutating func addLeftover(_ job: UnownedJob, of task: TaskKey?, on place: Place, isOwn: Bool) -> Bool {
        guard task.map({ leftovers.contains($0) }) ?? (isOwn && !leftovers.isEmpty) else { return false }
        ready.append(Job(job: job, place: place))
        return true
    }

    mutating func add(_ timer: Timer) {
        var timer = timer
        nextTimer += 1
        timer.number = nextTimer
        timer.at = now + timer.at
        timer.enqueues = timer.task.flatMap { tasks[$0]?.all } ?? 0
        timers.append(timer)
    }

    /// Takes the job that goes next, where the executor's own run, and the number of its body.
    mutating func takeNext() -> (Job, DispatchQueue, Int)? {
        guard !ready.isEmpty else { return nil }
        points += 1
        if ready.count > 1 { hadChoice = true }
        // What does not go on keeps its thread.
        if !stuck.isEmpty { worker = VirtualExecutor.makeWorker() }
        return (ready.remove(at: order.choose(ready.count)), worker, beginBody())
    }

    // MARK: - Bodies

    mutating func beginBody() -> Int {
        nextBody += 1
        bodies[nextBody] = .now
        return nextBody
    }

    mutating func endBody(_ body: Int) {
        if let begun = bodies.removeValue(forKey: body) { longestBody = max(longestBody, begun.duration(to: .now)) }
        stuck.remove(body)
        hasChanged = true
    }

    /// What runs now does not go on: others go on beside it.
    mutating func giveUpBodies() {
        wasStuck = true
        stuck = Set(bodies.keys)
    }
}
