import CTaskHook
import Platform

/// Brings the jobs of code under test to their executors: those that it starts itself, and every later one of the same
/// tasks, whoever wakes them.
enum JobTaker {
    private struct Owner: Sendable {
        weak var executor: VirtualExecutor?
    }

    private static let owners = Locked<[UInt: Owner]>([:])
    private static let installed: Void = runner_take_jobs { take($0) }

    static func install() {
        _ = installed
    }

    /// The task is kept alive until it is forgotten, so that its address means nothing else.
    static func remember(_ task: UInt, _ executor: VirtualExecutor) {
        guard let pointer = UnsafeMutableRawPointer(bitPattern: task) else { return }
        let isNew = owners.withLock { $0.updateValue(Owner(executor: executor), forKey: task) == nil }
        if isNew { runner_task_retain(pointer) }
    }

    static func forget(_ tasks: [UInt]) {
        for task in tasks {
            guard let pointer = UnsafeMutableRawPointer(bitPattern: task),
                owners.withLock({ $0.removeValue(forKey: task) != nil })
            else { continue }
            runner_task_release(pointer)
        }
    }

    // MARK: - Private

    private static func take(_ job: UnsafeMutableRawPointer) -> Bool {
        guard let executor = executor(of: job), !executor.isFinished else { return false }
        let job = unsafeBitCast(job, to: UnownedJob.self)
        executor.add(job, as: executor.asUnownedTaskExecutor(), on: nil)
        return true
    }

    private static func executor(of job: UnsafeMutableRawPointer) -> VirtualExecutor? {
        if let mark = runner_thread_mark() {
            return Unmanaged<VirtualExecutor>.fromOpaque(mark).takeUnretainedValue()
        }
        return owners.withLock { $0[UInt(bitPattern: job)]?.executor }
    }
}
