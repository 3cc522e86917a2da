import Dispatch
import Foundation
import Plugins
import RunnerTesting

/// Handlers of the shapes in which background work is written, each with a mistake that its shape invites.
extension HandlerFixture {
    static let shapes = [
        dispatchQueue, operationQueue, blocking, asyncLet, taskGroup, mainActor, reentrantActor, stream, yielding,
    ]

    /// The work on a queue knows nothing of the expiration.
    static let dispatchQueue = HandlerFixture(
        name: "work on a dispatch queue that nobody stops", kind: .completedTwice
    ) { task, _ in
        task.expirationHandler = { task.setTaskCompleted(success: false) }
        DispatchQueue(label: "work").async {
            for _ in 0..<4 { usleep(3_000) }
            task.setTaskCompleted(success: true)
        }
    } repaired: { task, _ in
        let isStopped = Guarded(false)
        task.expirationHandler = { isStopped.with { $0 = true } }
        DispatchQueue(label: "work").async {
            for _ in 0..<4 where !isStopped.with({ $0 }) { usleep(3_000) }
            task.setTaskCompleted(success: !isStopped.with { $0 })
        }
    }

    /// Operations that were cancelled before they began never run their blocks, but their completion blocks.
    static let operationQueue = HandlerFixture(
        name: "a last operation that is cancelled with the others", kind: .neverCompleted
    ) { task, _ in
        let queue = serialOperations()
        let last = BlockOperation { task.setTaskCompleted(success: true) }
        task.expirationHandler = { queue.cancelAllOperations() }
        queue.addOperations(steps(before: last), waitUntilFinished: false)
    } repaired: { task, _ in
        let queue = serialOperations()
        let last = BlockOperation()
        let isStopped = Guarded(false)
        last.completionBlock = { task.setTaskCompleted(success: !isStopped.with { $0 }) }
        task.expirationHandler = {
            isStopped.with { $0 = true }
            queue.cancelAllOperations()
        }
        queue.addOperations(steps(before: last), waitUntilFinished: false)
    }

    /// The handler does not return before its work is done.
    static let blocking = HandlerFixture(
        name: "a handler that blocks its thread and cannot be expired", kind: .noExpirationHandler
    ) { task, _ in
        let isOver = DispatchSemaphore(value: 0)
        DispatchQueue.global().asyncAfter(deadline: .now() + .milliseconds(20)) { isOver.signal() }
        isOver.wait()
        task.setTaskCompleted(success: true)
    } repaired: { task, _ in
        let isOver = DispatchSemaphore(value: 0)
        let isStopped = Guarded(false)
        task.expirationHandler = {
            isStopped.with { $0 = true }
            isOver.signal()
        }
        DispatchQueue.global().asyncAfter(deadline: .now() + .milliseconds(20)) { isOver.signal() }
        isOver.wait()
        task.setTaskCompleted(success: !isStopped.with { $0 })
    }

    /// Two halves at once; the error of one is the end of both.
    static let asyncLet = HandlerFixture(
        name: "a forgotten completion behind async let", kind: .neverCompleted
    ) { task, _ in
        let running = Task {
            async let first: Void = work()
            async let second: Void = work()
            guard (try? await (first, second)) != nil else { return }
            task.setTaskCompleted(success: true)
        }
        task.expirationHandler = { running.cancel() }
    } repaired: { task, _ in
        let running = Task {
            async let first: Void = work()
            async let second: Void = work()
            task.setTaskCompleted(success: (try? await (first, second)) != nil)
        }
        task.expirationHandler = { running.cancel() }
    }

    /// The expiration handler completes the task while a group works.
    static let taskGroup = HandlerFixture(
        name: "a task group that nobody cancels", kind: .wentOnAfterCompletion
    ) { task, _ in
        let isDone = Guarded(false)
        Task {
            await withTaskGroup(of: Void.self) { group in
                for _ in 0..<3 { group.addTask { try? await work() } }
            }
            if isDone.with({ exchange(&$0) }) { task.setTaskCompleted(success: true) }
        }
        task.expirationHandler = {
            if isDone.with({ exchange(&$0) }) { task.setTaskCompleted(success: false) }
        }
    } repaired: { task, _ in
        let running = Task {
            await withTaskGroup(of: Void.self) { group in
                for _ in 0..<3 { group.addTask { try? await work() } }
            }
            task.setTaskCompleted(success: !Task.isCancelled)
        }
        task.expirationHandler = { running.cancel() }
    }

    /// The work belongs to the main actor, as in most apps.
    static let mainActor = HandlerFixture(
        name: "work on the main actor that the expiration waits for", kind: .didNotFinishInGrace
    ) { task, _ in
        let running = Task { @MainActor in
            let model = Model()
            for _ in 0..<4 { await model.load() }
            task.setTaskCompleted(success: model.loaded == 4)
        }
        task.expirationHandler = { _ = running }
    } repaired: { task, _ in
        let running = Task { @MainActor in
            let model = Model()
            for _ in 0..<4 where !Task.isCancelled { await model.load() }
            task.setTaskCompleted(success: !Task.isCancelled)
        }
        task.expirationHandler = { running.cancel() }
    }

    /// An actor is no lock: what it awaits lets others in.
    static let reentrantActor = HandlerFixture(
        name: "an actor that awaits between its question and its answer", kind: .completedTwice
    ) { task, _ in
        let once = CarelessOnce(task)
        let running = Task {
            try? await work()
            await once.complete(success: true)
        }
        task.expirationHandler = {
            running.cancel()
            Task { await once.complete(success: false) }
        }
    } repaired: { task, _ in
        let once = CarefulOnce(task)
        let running = Task {
            try? await work()
            await once.complete(success: true)
        }
        task.expirationHandler = {
            running.cancel()
            Task { await once.complete(success: false) }
        }
    }

    /// The last element of a stream is what the next request hangs on.
    static let stream = HandlerFixture(
        name: "a re-arm that waits for the end of a stream", kind: .notRearmed
    ) { task, _ in
        let (elements, continuation) = AsyncStream<Int>.makeStream()
        let feeding = feed(continuation)
        Task {
            var count = 0
            for await _ in elements { count += 1 }
            if count == 3 { try? await submitNext(task) }
            task.setTaskCompleted(success: count == 3)
        }
        task.expirationHandler = {
            continuation.finish()
            feeding.cancel()
        }
    } repaired: { task, _ in
        let (elements, continuation) = AsyncStream<Int>.makeStream()
        let feeding = feed(continuation)
        Task {
            try? await submitNext(task)
            var count = 0
            for await _ in elements { count += 1 }
            task.setTaskCompleted(success: count == 3)
        }
        task.expirationHandler = {
            continuation.finish()
            feeding.cancel()
        }
    }

    /// The work goes on until it is expired, and is always ready.
    static let yielding = HandlerFixture(
        name: "a loop that only asks whether it was cancelled", kind: .neverCompleted
    ) { task, _ in
        let running = Task {
            while !Task.isCancelled { await Task.yield() }
            task.context.log("stopped")
        }
        task.expirationHandler = { running.cancel() }
    } repaired: { task, _ in
        let running = Task {
            while !Task.isCancelled { await Task.yield() }
            task.setTaskCompleted(success: false)
        }
        task.expirationHandler = { running.cancel() }
    }

    // MARK: - Private

    private static func serialOperations() -> OperationQueue {
        let queue = OperationQueue()
        queue.maxConcurrentOperationCount = 1
        return queue
    }

    private static func steps(before last: Operation) -> [Operation] {
        let steps = (0..<3).map { _ in BlockOperation { usleep(3_000) } }
        for step in steps { last.addDependency(step) }
        return steps + [last]
    }

    private static func feed(_ continuation: AsyncStream<Int>.Continuation) -> Task<Void, Never> {
        Task {
            for element in 0..<3 {
                guard (try? await Task.sleep(for: .seconds(1))) != nil else { return }
                continuation.yield(element)
            }
            continuation.finish()
        }
    }

    private static func submitNext(_ task: LaunchedTask) async throws {
        try await task.context.submit(TaskRequest(identifier, earliestBeginDate: .now + 900))
    }
}

@MainActor
private final class Model {
    private(set) var loaded = 0

    func load() async {
        try? await Task.sleep(for: .seconds(5))
        loaded += 1
    }
}

private actor CarelessOnce {
    private let task: LaunchedTask
    private var isDone = false

    init(_ task: LaunchedTask) {
        self.task = task
    }

    func complete(success: Bool) async {
        guard !isDone else { return }
        await Task.yield()
        isDone = true
        task.setTaskCompleted(success: success)
    }
}

private actor CarefulOnce {
    private let task: LaunchedTask
    private var isDone = false

    init(_ task: LaunchedTask) {
        self.task = task
    }

    func complete(success: Bool) async {
        guard !isDone else { return }
        isDone = true
        await Task.yield()
        task.setTaskCompleted(success: success)
    }
}
