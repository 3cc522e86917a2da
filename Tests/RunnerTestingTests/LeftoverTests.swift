import Dispatch
import Platform
import Plugins
import RunnerTesting
import Testing

@testable import RunnerTesting

extension TestKitTests {
    @Suite("What a test leaves behind", .timeLimit(.minutes(1)))
    struct LeftoverTests {
        private let refresh = "com.example.app.refresh"

        @Test("a task that sleeps when its scheduler goes is cancelled, and ends", arguments: [true, false])
        func sleeping(isAsync: Bool) async throws {
            let (ends, continuation) = AsyncStream<Bool>.makeStream()
            do {
                let scheduler = VirtualScheduler(manifest: try VirtualSchedulerTests.manifest())
                let work = { @Sendable in
                    try? await Task.sleep(for: .seconds(86_400))
                    continuation.yield(Task.isCancelled)
                    continuation.finish()
                }
                if isAsync {
                    try scheduler.register(refresh) { (_: TaskContext) in await work() }
                } else {
                    try scheduler.register(refresh) { (task: LaunchedTask) in
                        Task { @MainActor in
                            await work()
                            task.setTaskCompleted(success: false)
                        }
                    }
                }
                scheduler.finishLaunching()
                try await scheduler.simulateLaunch(refresh, submit: true)
            }
            for await wasCancelled in ends { #expect(wasCancelled) }
        }

        @Test("the test's own task stays its own when a handler wakes it")
        func ownTask() async throws {
            let scheduler = VirtualScheduler(manifest: try VirtualSchedulerTests.manifest())
            let waiting = Locked<CheckedContinuation<Void, Never>?>(nil)
            try scheduler.register(refresh) { (task: LaunchedTask) in
                waiting.withLock { exchange(&$0, with: nil) }?.resume()
                task.setTaskCompleted(success: true)
            }
            scheduler.finishLaunching()
            let identifier = refresh
            await withCheckedContinuation { continuation in
                waiting.withLock { $0 = continuation }
                Task { try await scheduler.simulateLaunch(identifier, submit: true) }
            }
            let own = try #require(TaskKey.current)
            withExtendedLifetime(scheduler) { #expect(!JobTaker.isOwned(own)) }
        }

        @Test("a worker that waits for others lives on when the scheduler of its first life goes")
        func worker() async throws {
            let (questions, ask) = AsyncStream<Void>.makeStream()
            let (answers, answer) = AsyncStream<Bool>.makeStream()
            let driver: DispatchQueue
            do {
                let scheduler = VirtualScheduler(manifest: try VirtualSchedulerTests.manifest())
                driver = scheduler.driver
                try scheduler.register(refresh) { (task: LaunchedTask) in
                    Task {
                        task.setTaskCompleted(success: true)
                        for await _ in questions { answer.yield(Task.isCancelled) }
                        answer.finish()
                    }
                }
                scheduler.finishLaunching()
                _ = try await scheduler.simulateLaunch(refresh, submit: true).end()
                await scheduler.advance(by: .seconds(1))
            }
            // Its driver may hold it for a moment after it has answered.
            await withCheckedContinuation { continuation in driver.async { continuation.resume() } }
            ask.yield()
            ask.finish()
            var heard: [Bool] = []
            for await wasCancelled in answers { heard.append(wasCancelled) }
            #expect(heard == [false])
        }

        @Test("a job that was ready and never ran runs when its scheduler goes")
        func ready() async throws {
            let (ends, continuation) = AsyncStream<Void>.makeStream()
            let isDriven = DispatchSemaphore(value: 0)
            do {
                let scheduler = VirtualScheduler(manifest: try VirtualSchedulerTests.manifest())
                // Whoever drives is kept from it, until the scheduler is gone.
                scheduler.driver.async { isDriven.wait() }
                try scheduler.asCodeUnderTest { _ = Task { continuation.finish() } }
            }
            isDriven.signal()
            for await _ in ends {}
        }

        private struct Executor {
            weak var executor: VirtualExecutor?
        }

        /// Lets a task that is always ready run into the bound, and its scheduler go.
        private func leave(_ work: @escaping @Sendable () async -> Void) async throws -> Executor {
            let scheduler = VirtualScheduler(manifest: try VirtualSchedulerTests.manifest())
            scheduler.executor.state.withLock { $0.mostAtOnce = 300 }
            try scheduler.register(refresh) { (task: LaunchedTask) in
                Task { await work() }
                task.setTaskCompleted(success: true)
            }
            scheduler.finishLaunching()
            _ = try await scheduler.simulateLaunch(refresh, submit: true).end()
            return Executor(executor: scheduler.executor)
        }

        @Test("a task that is always ready is cancelled when its scheduler goes, and ends")
        func alwaysReady() async throws {
            let (ends, continuation) = AsyncStream<Void>.makeStream()
            _ = try await leave {
                while !Task.isCancelled { await Task.yield() }
                continuation.finish()
            }
            for await _ in ends {}
        }

        @Test("one that does not heed that is dropped in the end, and keeps no processor busy")
        func deaf() async throws {
            let steps = Locked(0)
            let left = try await leave {
                while true {
                    steps.withLock { $0 += 1 }
                    await Task.yield()
                }
            }
            while left.executor != nil { await Task.yield() }
            let dropped = steps.withLock { $0 }
            for _ in 0..<2_000 { await Task.yield() }
            #expect(steps.withLock { $0 } == dropped)
            #expect(dropped < 2_000)
        }

        @Test("a piece of code that does not go on is not taken for another one that does")
        func stuckBodies() {
            var jobs = VirtualJobs(order: SeededOrder(seed: 0))
            let stuck = jobs.beginBody()
            jobs.giveUpBodies()
            #expect(jobs.next == .nothing)
            #expect(jobs.isStuck)
            let going = jobs.beginBody()
            jobs.endBody(stuck)
            #expect(jobs.next == .bodies)
            #expect(!jobs.isStuck)
            jobs.endBody(going)
            #expect(jobs.next == .nothing)
        }
    }
}
