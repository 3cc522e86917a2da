import CTaskHook
import Platform

/// Brings the jobs of code under test to their executors: those that it starts itself, and every later one of the same
/// tasks, whoever wakes them.
enum JobTaker {
    private struct Owner: Sendable {
        weak var executor: VirtualExecutor?
        var isKept: Bool
    }

    private static let owners = Locked<[TaskKey: Owner]>([:])
    private static let installed: Void = {
        runner_take_jobs { take($0) }
        MainRouter.install()
    }()

    static func install() {
        _ = installed
    }

    /// A task that can be kept alive is, until it is forgotten.
    static func remember(_ task: TaskKey, _ executor: VirtualExecutor) {
        guard let pointer = task.pointer else { return }
        let canBeKept = task.canBeKept
        let isNew = owners.withLock { owners in
            owners.updateValue(Owner(executor: executor, isKept: canBeKept), forKey: task) == nil
        }
        if isNew, canBeKept { runner_task_retain(pointer) }
    }

    static func forget(_ tasks: [TaskKey]) {
        for task in tasks {
            guard let pointer = task.pointer, let owner = owners.withLock({ $0.removeValue(forKey: task) }),
                owner.isKept
            else { continue }
            runner_task_release(pointer)
        }
    }

    /// Whose job it is: that of the code that runs on this thread, or that of the task's first one.
    static func executor(of job: UnownedJob) -> VirtualExecutor? {
        if let mark = runner_thread_mark() {
            return Unmanaged<VirtualExecutor>.fromOpaque(mark).takeUnretainedValue()
        }
        return TaskKey(job).flatMap { task in owners.withLock { $0[task]?.executor } }
    }

    // MARK: - Private

    private static func take(_ job: UnsafeMutableRawPointer) -> Bool {
        let job = unsafeBitCast(job, to: UnownedJob.self)
        guard let executor = executor(of: job) else { return false }
        return executor.add(job, on: .pool)
    }
}
