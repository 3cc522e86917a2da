import CTaskHook

/// Which task it is: its address may be another one's later, its number is not.
struct TaskKey: Hashable, Sendable {
    let address: UInt
    let number: UInt32

    /// The task of a job that is alive; `nil` for the work of an actor or a timer.
    init?(_ job: UnownedJob) {
        let address = unsafeBitCast(job, to: UInt.self)
        guard let pointer = UnsafeRawPointer(bitPattern: address), runner_job_is_task(pointer) else { return nil }
        self.address = address
        number = runner_task_number(pointer)
    }

    /// The task that runs on this thread.
    static var current: TaskKey? {
        withUnsafeCurrentTask { task in task.flatMap { TaskKey(unsafeBitCast($0, to: UnownedJob.self)) } }
    }

    /// Whether it lives on for whoever retains it. It must be alive.
    var canBeKept: Bool { UnsafeRawPointer(bitPattern: address).map(runner_task_can_be_kept) ?? false }
    /// It must be alive.
    var isCancelled: Bool { pointer.map(runner_task_is_cancelled) ?? false }

    /// The task, for the hooks.
    var pointer: UnsafeMutableRawPointer? { UnsafeMutableRawPointer(bitPattern: address) }
}
