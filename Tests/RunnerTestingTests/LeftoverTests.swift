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
