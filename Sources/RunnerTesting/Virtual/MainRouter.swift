import CTaskHook
import Dispatch

/// The executor of the main actor in a process of tests: what belongs to code under test waits for its turn there like its
/// other tasks. All of it runs on the main queue, as ever.
final class MainRouter: SerialExecutor {
    private static let shared = MainRouter()

    /// From now on it is the executor of the main actor.
    static func install() {
        let words = unsafeBitCast(shared.asUnownedSerialExecutor(), to: (UInt, UInt).self)
        runner_take_main_executor(runner_executor(identity: words.0, implementation: words.1))
    }

    /// Runs a job of the main actor. On the main queue.
    static func run(_ job: UnownedJob) {
        job.runSynchronously(on: shared.asUnownedSerialExecutor())
    }

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        if let executor = JobTaker.executor(of: job), executor.add(job, on: .main) { return }
        DispatchQueue.main.async { Self.run(job) }
    }

    func asUnownedSerialExecutor() -> UnownedSerialExecutor {
        UnownedSerialExecutor(ordinary: self)
    }

    func checkIsolated() {
        dispatchPrecondition(condition: .onQueue(.main))
    }
}
