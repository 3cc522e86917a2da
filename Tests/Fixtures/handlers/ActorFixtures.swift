import Dispatch
import Foundation
import Plugins
import RunnerTesting

/// Handlers whose work belongs to an actor, which sleeps on the actor itself.
extension HandlerFixture {
    static let actors = [worker, ownExecutor]

    /// Whoever is first completes the task; the careless one forgets to ask.
    static let worker = HandlerFixture(
        name: "an actor whose work completes the task that its expiration has completed", kind: .completedTwice
    ) { task, _ in
        let worker = Worker(task, asksFirst: false)
        task.expirationHandler = { Task { await worker.expire() } }
        Task { await worker.start() }
    } repaired: { task, _ in
        let worker = Worker(task, asksFirst: true)
        task.expirationHandler = { Task { await worker.expire() } }
        Task { await worker.start() }
    }

    /// An actor with an executor of its own, which no kit sees.
    static let ownExecutor = HandlerFixture(
        name: "an actor on a queue of its own that forgets the task when it is cancelled", kind: .neverCompleted
    ) { task, _ in
        let importer = Importer()
        let running = Task {
            try await importer.load()
            task.setTaskCompleted(success: true)
        }
        task.expirationHandler = { running.cancel() }
    } repaired: { task, _ in
        let importer = Importer()
        let running = Task {
            let isLoaded = (try? await importer.load()) != nil
            task.setTaskCompleted(success: isLoaded)
        }
        task.expirationHandler = { running.cancel() }
    }
}

private actor Worker {
    private let task: LaunchedTask
    private let asksFirst: Bool
    private var isDone = false
    private var running: Task<Void, Never>?

    init(_ task: LaunchedTask, asksFirst: Bool) {
        self.task = task
        self.asksFirst = asksFirst
    }

    func start() {
        running = Task {
            for _ in 0..<3 where !Task.isCancelled { try? await Task.sleep(for: .seconds(2)) }
            complete(success: !Task.isCancelled)
        }
    }

    func expire() {
        running?.cancel()
        complete(success: false)
    }

    private func complete(success: Bool) {
        guard !isDone || !asksFirst else { return }
        isDone = true
        task.setTaskCompleted(success: success)
    }
}

private actor Importer {
    private let queue = QueueExecutor()

    nonisolated var unownedExecutor: UnownedSerialExecutor { queue.asUnownedSerialExecutor() }

    func load() async throws {
        for _ in 0..<3 { try await Task.sleep(for: .seconds(2)) }
    }
}

/// Runs an actor on a queue.
final class QueueExecutor: SerialExecutor {
    private let queue = DispatchQueue(label: "importer")

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        queue.async { job.runSynchronously(on: self.asUnownedSerialExecutor()) }
    }

    func asUnownedSerialExecutor() -> UnownedSerialExecutor {
        UnownedSerialExecutor(ordinary: self)
    }
}
