import BackgroundTasks
import Platform
import Scheduling
import TestSupport
import Testing

@testable import BackgroundTasks

@Suite("The launch", .timeLimit(.minutes(1)))
struct LaunchTests {
    @Test("a request is judged before the launch is finished, and runs then (B8)")
    func judgesEarly() async throws {
        let fixture = try await SchedulerFixture()
        let ran = Occurrence<Void>()
        fixture.scheduler.register(forTaskWithIdentifier: SchedulerFixture.refresh, using: nil) { task in
            ran.happen()
            task.setTaskCompleted(success: true)
        }
        try fixture.scheduler.submit(BGAppRefreshTaskRequest(identifier: SchedulerFixture.refresh))
        #expect(await fixture.scheduler.pendingTaskRequests().count == 1)
        #expect(!ran.hasHappened)
        fixture.finishLaunching()
        #expect(await fixture.notices.ended().state == .succeeded)
        try await fixture.stop()
    }

    @Test("what was submitted is there after another start, and runs when it has a handler again (B15)")
    func survives() async throws {
        let folder = TemporaryFolder()
        let first = try await SchedulerFixture(folder: folder)
        first.scheduler.register(forTaskWithIdentifier: SchedulerFixture.refresh, using: nil) { _ in }
        try first.scheduler.submit(BGAppRefreshTaskRequest(identifier: SchedulerFixture.refresh))
        try await first.stop()
        let second = try await SchedulerFixture(folder: folder)
        #expect(await second.scheduler.pendingTaskRequests().count == 1)
        second.scheduler.register(forTaskWithIdentifier: SchedulerFixture.refresh, using: nil) {
            $0.setTaskCompleted(success: true)
        }
        second.finishLaunching()
        #expect(await second.notices.ended().state == .succeeded)
        try await second.stop()
    }

    @Test("registering what is not permitted, or a pattern, is false (B4, B7)")
    func refusesRegistration() async throws {
        let fixture = try await SchedulerFixture()
        for identifier in ["com.example.other", "com.example.app.jobs.*", "com..app"] {
            #expect(!fixture.scheduler.register(forTaskWithIdentifier: identifier, using: nil) { _ in })
        }
        #expect(fixture.scheduler.register(forTaskWithIdentifier: SchedulerFixture.job, using: nil) { _ in })
        #expect(fixture.backend.misuses.isEmpty)
        try await fixture.stop()
    }

    @Test("a program without a manifest beside it is told where to put one, and goes on")
    func manifestMissing() async throws {
        let refusal = #expect(throws: Refusal.self) { _ = try ProgramManifest.read() }
        #expect(refusal?.message.contains("Info.plist") == true)
        #expect(refusal?.message.contains(Bundle.main.bundlePath) == true)
        let scheduler = BGTaskScheduler(backend: EmbeddedBackend(manifest: ProgramManifest.read))
        #expect(!scheduler.register(forTaskWithIdentifier: SchedulerFixture.refresh, using: nil) { _ in })
        let error = #expect(throws: BGTaskScheduler.Error.self) {
            try scheduler.submit(BGAppRefreshTaskRequest(identifier: SchedulerFixture.refresh))
        }
        #expect(error?.code == .notPermitted)
        scheduler.cancelAllTaskRequests()
        #expect(await scheduler.pendingTaskRequests().isEmpty)
    }

    @Test("the launch ends one turn after the first use")
    func endsAfterTurn() {
        let turns = DispatchQueue(label: "turns", attributes: .initiallyInactive)
        let phase = LaunchPhase(turns: turns)
        let log = Locked<[Int]>([])
        phase.whenFinished { log.withLock { $0.append(1) } }
        phase.whenFinished { log.withLock { $0.append(2) } }
        #expect(log.withLock { $0 } == [])
        turns.activate()
        turns.sync {}
        #expect(log.withLock { $0 } == [1, 2])
        phase.whenFinished { log.withLock { $0.append(3) } }
        #expect(log.withLock { $0 } == [1, 2, 3])
    }

    @Test("where there is a delegate the launch ends one turn after it has returned, whoever used a scheduler before")
    func endsAfterDelegate() {
        let turns = DispatchQueue(label: "turns")
        let phase = LaunchPhase(turns: turns)
        let log = Locked<[Int]>([])
        phase.delegateBegan()
        phase.whenFinished { log.withLock { $0.append(1) } }
        turns.sync {}
        #expect(log.withLock { $0 } == [])
        phase.delegateReturned()
        turns.sync {}
        #expect(log.withLock { $0 } == [1])
    }

    @Test("a delegate that uses no scheduler ends the launch nevertheless")
    func endsWithoutUse() {
        let turns = DispatchQueue(label: "turns")
        let phase = LaunchPhase(turns: turns)
        phase.delegateBegan()
        phase.delegateReturned()
        turns.sync {}
        let log = Locked<[Int]>([])
        phase.whenFinished { log.withLock { $0.append(1) } }
        #expect(log.withLock { $0 } == [1])
    }
}
