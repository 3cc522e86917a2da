import BackgroundTasks
import Platform
import Scheduling
import TestSupport
import Testing

@testable import BackgroundTasks
import Platform
import Scheduling

@Suite("The shared scheduler", .serialized, .timeLimit(.minutes(1)))
struct SharedTests {
    @Test("a test's own scheduler is the shared one in its tasks, and another for all other threads")
    func overrides() async {
        // In a process of its own: tests of the kit have a scheduler for all threads of theirs.
        await #expect(processExitsWith: .success) {
            let (own, other) = (try await SchedulerFixture(), try await SchedulerFixture())
            BGTaskScheduler.fallback.withLock { $0 = other.scheduler }
            await BGTaskScheduler.$current.withValue(own.scheduler) {
                #expect(BGTaskScheduler.shared === own.scheduler)
                #expect(await Task { BGTaskScheduler.shared === own.scheduler }.value)
                let seen = Occurrence<Bool>()
                DispatchQueue(label: "elsewhere").async { seen.happen(BGTaskScheduler.shared === other.scheduler) }
                #expect(await seen.value)
            }
            #expect(BGTaskScheduler.shared === other.scheduler)
            try await own.stop()
            try await other.stop()
        }
    }

    @Test("an async handler completes when it returns, and is cancelled on expiration (B28)")
    func asyncHandlers() async throws {
        let fixture = try await SchedulerFixture()
        let entered = Occurrence<Void>()
        fixture.scheduler.register(SchedulerFixture.refresh, kind: .appRefresh, origin: "here") {}
        fixture.scheduler.register(SchedulerFixture.clean, kind: .processing, origin: "here") {
            entered.happen()
            while !Task.isCancelled { await Task.yield() }
        }
        fixture.finishLaunching()
        try fixture.scheduler.submit(BGAppRefreshTaskRequest(identifier: SchedulerFixture.refresh))
        #expect(await fixture.notices.ended().state == .succeeded)
        try fixture.scheduler.submit(BGProcessingTaskRequest(identifier: SchedulerFixture.clean))
        await entered.value
        try await fixture.expire(SchedulerFixture.clean)
        #expect(await fixture.notices.ended(2).expirationReason == .simulated)
        do {
            try fixture.scheduler.submit(BGProcessingTaskRequest(identifier: SchedulerFixture.refresh))
            Issue.record("it is registered for app refresh")
        } catch BGTaskScheduler.Error.notPermitted {}
        try await fixture.stop()
    }
}
