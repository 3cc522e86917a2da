import Dispatch

/// What a virtual executor has to run, what waits for time, and what runs.
struct VirtualJobs {
    struct Job {
        var job: UnownedJob
        var executor: UnownedTaskExecutor
        /// `nil` for a queue of the executor.
        var queue: DispatchQueue?
    }

    struct Timer {
        var at: Duration
        var number: Int
        var job: Job
        var task: UInt?
        /// How often its task had been enqueued: if more often now, it was woken by something else.
        var enqueues: Int
    }

    /// How often a task was enqueued.
    struct TaskCount {
        var all = 0
        var afterClosing = 0
        /// It was there before the run, so it is the app's and not the handler's.
        var isOfApp = false
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
    /// Pieces of code that run on queues now, and how many of them have been waited for in vain.
    var bodies = 0
    var stuck = 0
    var wasStuck = false
    /// On a busy machine a thread may begin late.
    var bodyPatience = DispatchTimeInterval.milliseconds(250)
    /// The tasks that were seen, by their address.
    var tasks: [UInt: TaskCount] = [:]
    /// How many jobs were begun.
    var points = 0
    /// From now on it is counted what tasks still do.
    var isClosed = false
    /// Whether something that is not known here has woken a task.
    var wasWokenFromOutside = false
    var hadChoice = false
    var order: SeededOrder
    var worker = VirtualExecutor.makeWorker()
    var surroundings: VirtualExecutor.Surroundings = { $0() }
    var isFinished = false
    /// Whether something has happened since that was asked last.
    var hasChanged = false

    init(order: SeededOrder) {
        self.order = order
    }

    var next: Next {
        if bodies > stuck { return .bodies }
        return ready.isEmpty ? .nothing : .job
    }

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
}
