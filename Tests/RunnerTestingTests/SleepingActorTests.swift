import HandlerFixtures
import Platform
import Plugins
import RunnerTesting
import Testing

@testable import RunnerTesting

/// Code that an actor isolates runs on no executor of the kit, whoever has started it.
extension TestKitTests {
    @Suite("Actors in virtual time", .timeLimit(.minutes(1)))
    struct SleepingActorTests {
        /// How long a run takes whose handler waits for that.
        private func duration(of nap: @escaping @Sendable () async throws -> Void) async throws -> Duration {
            let scheduler = VirtualScheduler(manifest: try VirtualSchedulerTests.manifest())
            try scheduler.register(HandlerFixture.identifier) { (task: LaunchedTask) in
                Task {
                    let isRested = (try? await nap()) != nil
                    task.setTaskCompleted(success: isRested)
                }
            }
            scheduler.finishLaunching()
            let run = try await scheduler.simulateLaunch(HandlerFixture.identifier, submit: true)
                .end(within: .seconds(4_000))
            #expect(run.outcome == .succeeded)
            return run.duration
        }

        private let anHour = Duration.seconds(3_599)...Duration.seconds(3_601)

        @Test("an actor's sleep takes virtual time, and so does that of a task that it starts")
        func sleeps() async throws {
            let sleeper = Sleeper()
            #expect(try await anHour.contains(duration { try await sleeper.sleep(for: .seconds(3_600)) }))
            #expect(try await anHour.contains(duration { try await sleeper.sleepInTask(for: .seconds(3_600)) }))
            #expect(try await anHour.contains(duration { try await sleeper.sleep(nanoseconds: 3_600_000_000_000) }))
        }

        @Test("so does that of a global actor")
        func globalActor() async throws {
            #expect(try await anHour.contains(duration { try await SleepActor.sleep(for: .seconds(3_600)) }))
        }

        @Test("two that wait for the same actor do not hold each other up")
        func together() async throws {
            let sleeper = Sleeper()
            let both = try await duration {
                async let first: Void = sleeper.sleep(for: .seconds(3_600))
                async let second: Void = sleeper.sleep(for: .seconds(3_600))
                _ = try await (first, second)
            }
            #expect(anHour.contains(both))
        }

        @Test("a task of the test sleeps in real time in the same actor")
        func testsOwnTask() async throws {
            let sleeper = Sleeper()
            let scheduler = VirtualScheduler(manifest: try VirtualSchedulerTests.manifest())
            let isOver = Locked(false)
            try scheduler.register(HandlerFixture.identifier) { (_: TaskContext) in
                try await sleeper.sleep(for: .seconds(3_600))
                isOver.withLock { $0 = true }
            }
            scheduler.finishLaunching()
            let run = try await scheduler.simulateLaunch(HandlerFixture.identifier, submit: true)
            // Nobody lets virtual time pass meanwhile.
            for _ in 0..<20 { try await sleeper.sleep(for: .milliseconds(1)) }
            #expect(!isOver.withLock { $0 })
            _ = try await run.end(within: .seconds(4_000))
            #expect(isOver.withLock { $0 })
        }
    }
}

private actor Sleeper {
    func sleep(for duration: Duration) async throws {
        try await Task.sleep(for: duration)
    }

    func sleep(nanoseconds: UInt64) async throws {
        try await Task.sleep(nanoseconds: nanoseconds)
    }

    func sleepInTask(for duration: Duration) async throws {
        try await Task { try await Task.sleep(for: duration) }.value
    }
}

@globalActor
private actor SleepActor {
    static let shared = SleepActor()

    @SleepActor
    static func sleep(for duration: Duration) async throws {
        try await Task.sleep(for: duration)
    }
}
