import Dispatch
import Foundation
import Plugins
import RunnerTesting

extension HandlerFixture {
    /// The work and the expiration handler both look at a flag before they complete the task. The window is held open
    /// for a millisecond, in the repaired one too.
    static let racedFlag = HandlerFixture(
        name: "a Bool flag raced by two threads", kind: .completedTwice
    ) { task, _ in
        let isDone = Box(false)
        let complete = { @Sendable (success: Bool) in
            guard !isDone.value else { return }
            usleep(1_000)
            isDone.value = true
            task.setTaskCompleted(success: success)
        }
        let running = Task {
            try? await work()
            complete(true)
        }
        task.expirationHandler = {
            running.cancel()
            complete(false)
        }
    } repaired: { task, _ in
        let isDone = Guarded(false)
        let complete = { @Sendable (success: Bool) in
            let isFirst = isDone.with { done in
                guard !done else { return false }
                usleep(1_000)
                done = true
                return true
            }
            if isFirst { task.setTaskCompleted(success: success) }
        }
        let running = Task {
            try? await work()
            complete(true)
        }
        task.expirationHandler = {
            running.cancel()
            complete(false)
        }
    }

    /// The handler keeps a queue busy that its expiration handler waits for.
    static let blockedQueue = HandlerFixture(
        name: "a handler that blocks the queue that its expiration handler needs", kind: .didNotFinishInGrace
    ) { task, _ in
        let queue = DispatchQueue(label: "state")
        let isOver = DispatchSemaphore(value: 0)
        let isStopped = Guarded(false)
        task.expirationHandler = {
            queue.async {
                isStopped.with { $0 = true }
                isOver.signal()
                task.setTaskCompleted(success: false)
            }
        }
        queue.async {
            // Nobody else can use the queue until the work is over, which only the expiration stops.
            isOver.wait()
            if !isStopped.with({ $0 }) { task.setTaskCompleted(success: true) }
        }
        Task {
            try? await Task.sleep(for: .seconds(20))
            isOver.signal()
        }
    } repaired: { task, _ in
        let queue = DispatchQueue(label: "state")
        let isOver = DispatchSemaphore(value: 0)
        let isDone = Guarded(false)
        let complete = { @Sendable (success: Bool) in
            if isDone.with({ exchange(&$0) }) { task.setTaskCompleted(success: success) }
        }
        let waiting = Task {
            try? await Task.sleep(for: .seconds(20))
            isOver.signal()
        }
        task.expirationHandler = {
            waiting.cancel()
            complete(false)
        }
        queue.async {
            isOver.wait()
            complete(true)
        }
    }

    /// The next request is submitted at the bottom, which an expiration never reaches.
    static let bottomRearm = HandlerFixture(
        name: "a bottom-of-handler re-arm", kind: .notRearmed
    ) { task, _ in
        let isDone = Guarded(false)
        let running = Task {
            do {
                try await work()
                _ = try? await task.context.submit(TaskRequest(identifier, earliestBeginDate: .now + 900))
                if isDone.with({ exchange(&$0) }) { task.setTaskCompleted(success: true) }
            } catch {}
        }
        task.expirationHandler = {
            running.cancel()
            if isDone.with({ exchange(&$0) }) { task.setTaskCompleted(success: false) }
        }
    } repaired: { task, _ in
        let isDone = Guarded(false)
        let running = Task {
            _ = try? await task.context.submit(TaskRequest(identifier, earliestBeginDate: .now + 900))
            do {
                try await work()
                if isDone.with({ exchange(&$0) }) { task.setTaskCompleted(success: true) }
            } catch {}
        }
        task.expirationHandler = {
            running.cancel()
            // It may not have come to the first line yet.
            Task {
                _ = await running.value
                if isDone.with({ exchange(&$0) }) { task.setTaskCompleted(success: false) }
            }
        }
    }

    /// Cancelled work throws, and nobody completes the task then.
    static let forgottenError = HandlerFixture(
        name: "a forgotten completion on the error path", kind: .neverCompleted
    ) { task, _ in
        let running = Task {
            do {
                try await work()
                task.setTaskCompleted(success: true)
            } catch {
                task.context.log("the work stopped: \(error)")
            }
        }
        task.expirationHandler = { running.cancel() }
    } repaired: { task, _ in
        let running = Task {
            do {
                try await work()
                task.setTaskCompleted(success: true)
            } catch {
                task.context.log("the work stopped: \(error)")
                task.setTaskCompleted(success: false)
            }
        }
        task.expirationHandler = { running.cancel() }
    }

    /// The expiration handler completes the task, and the work knows nothing of it.
    static let goesOn = HandlerFixture(
        name: "work that goes on after the completion", kind: .wentOnAfterCompletion
    ) { task, _ in
        let isDone = Guarded(false)
        Task {
            for _ in 0..<20 { try? await Task.sleep(for: .seconds(1)) }
            if isDone.with({ exchange(&$0) }) { task.setTaskCompleted(success: true) }
        }
        task.expirationHandler = {
            if isDone.with({ exchange(&$0) }) { task.setTaskCompleted(success: false) }
        }
    } repaired: { task, _ in
        let isDone = Guarded(false)
        let running = Task {
            for _ in 0..<20 {
                guard (try? await Task.sleep(for: .seconds(1))) != nil else { return }
            }
            if isDone.with({ exchange(&$0) }) { task.setTaskCompleted(success: true) }
        }
        task.expirationHandler = {
            running.cancel()
            if isDone.with({ exchange(&$0) }) { task.setTaskCompleted(success: false) }
        }
    }

    /// The expiration handler is set only when the first step is done.
    static let lateHandler = HandlerFixture(
        name: "an expiration handler that is set too late", kind: .noExpirationHandler
    ) { task, _ in
        Task {
            try? await Task.sleep(for: .seconds(1))
            let running = Task {
                try? await work()
                task.setTaskCompleted(success: !Task.isCancelled)
            }
            task.expirationHandler = { running.cancel() }
        }
    } repaired: { task, _ in
        let running = Task {
            try? await Task.sleep(for: .seconds(1))
            try? await work()
            task.setTaskCompleted(success: !Task.isCancelled)
        }
        task.expirationHandler = { running.cancel() }
    }

    /// The expiration handler lets the work end in peace.
    static let waitsForWork = HandlerFixture(
        name: "an expiration handler that waits for the work", kind: .didNotFinishInGrace
    ) { task, _ in
        let running = Task {
            // Nobody cancels it.
            for _ in 0..<4 { try? await Task.sleep(for: .seconds(5)) }
        }
        let completing = Task {
            _ = await running.value
            task.setTaskCompleted(success: true)
        }
        task.expirationHandler = { _ = completing }
    } repaired: { task, _ in
        let running = Task {
            for _ in 0..<4 where !Task.isCancelled { try? await Task.sleep(for: .seconds(5)) }
        }
        let completing = Task {
            _ = await running.value
            task.setTaskCompleted(success: !running.isCancelled)
        }
        task.expirationHandler = {
            running.cancel()
            _ = completing
        }
    }

    /// The expiration handler completes the task, and so does the work when it notices.
    static let completesTwice = HandlerFixture(
        name: "a second completion on the path of cancellation", kind: .completedTwice
    ) { task, _ in
        let running = Task {
            do {
                try await work()
                task.setTaskCompleted(success: true)
            } catch {
                task.setTaskCompleted(success: false)
            }
        }
        task.expirationHandler = {
            running.cancel()
            task.setTaskCompleted(success: false)
        }
    } repaired: { task, _ in
        let running = Task {
            do {
                try await work()
                task.setTaskCompleted(success: true)
            } catch {
                task.setTaskCompleted(success: false)
            }
        }
        task.expirationHandler = { running.cancel() }
    }

    /// The task is completed before the last call to the scheduler.
    static let completesFirst = HandlerFixture(
        name: "a request that is submitted after the completion", kind: .wentOnAfterCompletion
    ) { task, _ in
        let running = Task {
            try? await work()
            task.setTaskCompleted(success: !Task.isCancelled)
            _ = try? await task.context.submit(TaskRequest(identifier, earliestBeginDate: .now + 900))
        }
        task.expirationHandler = { running.cancel() }
    } repaired: { task, _ in
        let running = Task {
            try? await work()
            _ = try? await task.context.submit(TaskRequest(identifier, earliestBeginDate: .now + 900))
            task.setTaskCompleted(success: !Task.isCancelled)
        }
        task.expirationHandler = { running.cancel() }
    }

    /// Nobody holds the task until the work is over.
    static let dropped = HandlerFixture(
        name: "a task that is dropped", kind: .neverCompleted
    ) { task, _ in
        let running = Task { [weak task] in
            try? await work()
            task?.setTaskCompleted(success: true)
        }
        _ = running
    } repaired: { task, _ in
        let running = Task {
            try? await work()
            task.setTaskCompleted(success: !Task.isCancelled)
        }
        task.expirationHandler = { running.cancel() }
    }
}

/// True the first time.
func exchange(_ isDone: inout Bool) -> Bool {
    defer { isDone = true }
    return !isDone
}
