import CTaskHook
import Platform

/// Brings the jobs of code under test to their executors: those that it starts itself, and every later one of the same
/// tasks, whoever wakes them. A task that was born elsewhere, as that of the test itself, stays where it was, also when code
/// under test wakes it.
enum JobTaker {
    private struct Owner: Sendable {
        weak var executor: VirtualExecutor?
        var isKept: Bool
    }

    private struct Births: Sendable {
        var owners: [TaskKey: Owner] = [:]
        /// The newest task of an address that was born elsewhere, by its number.
        var foreign: [UInt: UInt32] = [:]
    }

    private static let births = Locked(Births())
    private static let installed: Void = {
        runner_take_jobs { take($0) }
        MainRouter.install()
        DefaultRouter.install()
    }()

    static func install() {
        _ = installed
    }

    /// A task that can be kept alive is, until it is forgotten.
    static func remember(_ task: TaskKey, _ executor: VirtualExecutor) {
        guard let pointer = task.pointer else { return }
        let canBeKept = task.canBeKept
        // From an owner that is gone what keeps it alive is taken over.
        let isNew = births.withLock { births in
            births.owners.updateValue(Owner(executor: executor, isKept: canBeKept), forKey: task) == nil
        }
        if isNew, canBeKept { runner_task_retain(pointer) }
    }

    /// Lets go of tasks, as far as they are still this executor's.
    static func forget(_ tasks: [TaskKey], of executor: VirtualExecutor) {
        for task in tasks {
            let owner = births.withLock { births in
                births.owners[task]?.executor === executor ? births.owners.removeValue(forKey: task) : nil
            }
            guard let pointer = task.pointer, owner?.isKept == true else { continue }
            runner_task_release(pointer)
        }
    }

    static func isOwned(_ task: TaskKey) -> Bool {
        births.withLock { $0.owners[task] != nil }
    }

    /// Whose job it is: the task's owner's, or if it is new, that of the code that runs on this thread.
    static func executor(of job: UnownedJob) -> VirtualExecutor? {
        // An actor's code runs on whatever thread has entered the actor, which may be a test's own.
        guard let task = TaskKey(job) else { return here ?? owner(of: TaskKey.current) }
        let here = here ?? owner(of: TaskKey.current)
        return births.withLock { births in
            if let owner = births.owners[task]?.executor { return owner }
            if births.foreign[task.address] == task.number { return nil }
            if here == nil { births.foreign[task.address] = task.number }
            return here
        }
    }

    /// In whose time the task sleeps that runs on this thread.
    static func executorOfSleeper() -> VirtualExecutor? {
        let task = TaskKey.current
        if let owner = owner(of: task) { return owner }
        return task.map { task in births.withLock { $0.foreign[task.address] == task.number } } == true ? nil : here
    }

    // MARK: - Private

    /// Whose code this thread runs, as far as the kit has started it.
    private static var here: VirtualExecutor? {
        runner_thread_mark().map { Unmanaged<VirtualExecutor>.fromOpaque($0).takeUnretainedValue() }
    }

    private static func owner(of task: TaskKey?) -> VirtualExecutor? {
        task.flatMap { task in births.withLock { $0.owners[task]?.executor } }
    }

    private static func take(_ job: UnsafeMutableRawPointer) -> Bool {
        let job = unsafeBitCast(job, to: UnownedJob.self)
        guard let executor = executor(of: job) else { return false }
        return executor.add(job, on: .pool)
    }
}
