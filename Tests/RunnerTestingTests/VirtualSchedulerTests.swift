import Dispatch
import Platform
import Plugins
import RunnerTesting
import Scheduling
import Testing

@testable import RunnerTesting

@Suite("The virtual scheduler")
struct VirtualSchedulerTests {
    static func manifest() throws -> Manifest {
        try Manifest(
            identifier: "com.example.app", permittedIdentifiers: ["com.example.app.refresh", "com.example.app.export"],
            backgroundModes: ["fetch", "processing"])
    }

    private let refresh = "com.example.app.refresh"

    @Test("a request runs when its floor has passed, and not before")
    func floor() async throws {
        let scheduler = VirtualScheduler(manifest: try Self.manifest())
        let runs = Locked(0)
        try scheduler.register(refresh) { (_: TaskContext) in runs.withLock { $0 += 1 } }
        scheduler.finishLaunching()
        try scheduler.submit(refresh, after: .seconds(900))
        await scheduler.advance(by: .seconds(899))
        #expect(runs.withLock { $0 } == 0)
        await scheduler.advance(by: .seconds(1))
        #expect(runs.withLock { $0 } == 1)
        #expect(scheduler.lastRun(of: refresh)?.outcome == .succeeded)
    }

    @Test("a handler's sleep takes virtual time", .timeLimit(.minutes(10)))
    func sleep() async throws {
        let scheduler = VirtualScheduler(manifest: try Self.manifest())
        try scheduler.register(refresh) { (task: LaunchedTask) in
            task.expirationHandler = { task.setTaskCompleted(success: false) }
            Task {
                // In real time the test would be over before.
                try await Task.sleep(for: .seconds(86_400))
                task.setTaskCompleted(success: true)
            }
        }
        scheduler.finishLaunching()
        let run = try await scheduler.simulateLaunch(refresh, submit: true).end(within: .seconds(100_000))
        #expect(run.outcome == .succeeded)
        // The code reads its own clock before it sleeps; on a busy machine a while passes in between.
        #expect(run.duration > .seconds(86_300) && run.duration < .seconds(86_401))
    }

    @Test("a run that goes on too long is expired by its budget, at its time")
    func budget() async throws {
        let scheduler = VirtualScheduler(manifest: try Self.manifest())
        try scheduler.register(refresh) { (_: TaskContext) in try await Task.sleep(for: .seconds(3_600)) }
        scheduler.finishLaunching()
        try scheduler.submit(refresh)
        await scheduler.advance(by: .seconds(60))
        let run = try #require(scheduler.lastRun(of: refresh))
        #expect(run.expirationReason == .budget)
        #expect(run.outcome == .failed)
        #expect(run.duration >= .seconds(30) && run.duration < .milliseconds(30_010))
    }
}

extension VirtualSchedulerTests {
    @Test("code that goes on after its scheduler is gone runs as without one", .timeLimit(.minutes(5)))
    func afterTheEnd() async throws {
        let released = DispatchSemaphore(value: 0)
        let (ran, continuation) = AsyncStream<Void>.makeStream()
        do {
            let scheduler = VirtualScheduler(manifest: try Self.manifest())
            scheduler.patience = .milliseconds(1)
            try scheduler.register(refresh) { (task: LaunchedTask) in
                released.wait()
                // Nobody drives any more.
                Task { continuation.finish() }
                task.setTaskCompleted(success: true)
            }
            scheduler.finishLaunching()
            try await scheduler.simulateLaunch(refresh, submit: true)
        }
        released.signal()
        for await _ in ran {}
    }

    @Test("an expiration of what does not run is refused, with what to do in a test")
    func nothingToExpire() async throws {
        let scheduler = VirtualScheduler(manifest: try Self.manifest())
        try scheduler.register(refresh) { (_: TaskContext) in }
        scheduler.finishLaunching()
        let refusal = await #expect(throws: Refusal.self) {
            try await scheduler.simulateExpiration("com.example.app.refresh")
        }
        #expect(refusal?.kind == .notRunning)
        #expect(refusal?.message == "\(refresh) does not run now; start it with simulateLaunch(_:submit:).")
    }

    @Test("what looks at the app whenever time goes on looks in the order in which it came, until it is removed")
    func samplers() async throws {
        let scheduler = VirtualScheduler(manifest: try Self.manifest())
        scheduler.finishLaunching()
        let seen = Locked<[Int]>([])
        let numbers = (0..<6).map { name in scheduler.addSampler { seen.withLock { $0.append(name) } } }
        scheduler.removeSampler(numbers[2])
        scheduler.sample()
        #expect(seen.withLock { $0 } == [0, 1, 3, 4, 5])
    }

    @Test("what the test itself asks of the scheduler does not come from out of sight")
    func ownCalls() throws {
        let scheduler = VirtualScheduler(manifest: try Self.manifest())
        try scheduler.register(refresh) { (_: TaskContext) in }
        scheduler.finishLaunching()
        try scheduler.submit(refresh, after: .seconds(900))
        #expect(try scheduler.cancel(refresh))
        #expect(scheduler.executor.outside == 0)
    }
}
