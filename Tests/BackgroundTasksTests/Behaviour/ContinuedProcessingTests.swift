import BackgroundTasks
import Platform
import Runner
import Scheduling
import TestSupport
import Testing

@Suite("Continued processing", .timeLimit(.minutes(1)))
struct ContinuedProcessingTests {
    private func request(_ identifier: String = SchedulerFixture.job) -> BGContinuedProcessingTaskRequest {
        let request = BGContinuedProcessingTaskRequest(identifier: identifier, title: "Export", subtitle: "begins")
        request.strategy = .fail
        return request
    }

    private func progress(_ notices: [Notice]) -> [RunProgress] {
        notices.compactMap { if case .progressed(let run) = $0 { run.progress } else { nil } }
    }

    @Test("it is registered on demand where a wildcard admits it, and starts at once (B5, B29)")
    func onDemand() async throws {
        let fixture = try await SchedulerFixture()
        fixture.finishLaunching()
        let words = Occurrence<[String]>()
        #expect(
            fixture.scheduler.register(forTaskWithIdentifier: SchedulerFixture.job, using: nil) { task in
                let task = task as! BGContinuedProcessingTask
                words.happen([task.title, task.subtitle])
                task.setTaskCompleted(success: true)
            })
        try fixture.scheduler.submit(request())
        #expect(await words.value == ["Export", "begins"])
        #expect(await fixture.notices.ended().state == .succeeded)
        #expect(fixture.backend.misuses.isEmpty)
        try await fixture.stop()
    }

    @Test("children move its progress, which is told while it runs and once more at its end (B29)")
    func children() async throws {
        let fixture = try await SchedulerFixture()
        let running = Occurrence<BGContinuedProcessingTask>()
        fixture.scheduler.register(forTaskWithIdentifier: SchedulerFixture.job, using: nil) {
            running.happen($0 as! BGContinuedProcessingTask)
        }
        fixture.finishLaunching()
        try fixture.scheduler.submit(request())
        let task = await running.value
        task.progress.totalUnitCount = 2
        let child = Progress(totalUnitCount: 10)
        task.progress.addChild(child, withPendingUnitCount: 1)
        child.completedUnitCount = 5
        // By its own timer: nobody asks.
        await fixture.notices.wait { progress($0).contains { $0.fraction == 0.25 } }
        task.updateTitle("Export", subtitle: "half of the first")
        #expect([task.title, task.subtitle] == ["Export", "half of the first"])
        await fixture.notices.wait { progress($0).last?.subtitle == "half of the first" }
        child.completedUnitCount = 10
        task.progress.completedUnitCount = 2
        task.setTaskCompleted(success: true)
        let run = await fixture.notices.ended()
        #expect(run.progress == RunProgress(fraction: 1, title: "Export", subtitle: "half of the first"))
        try await fixture.stop()
    }

    @Test("without a change of its progress it is expired as stalled (B29)")
    func stalls() async throws {
        let fixture = try await SchedulerFixture { $0.policy.timing.stall = .milliseconds(50) }
        fixture.scheduler.register(forTaskWithIdentifier: SchedulerFixture.job, using: nil) { task in
            task.expirationHandler = { task.setTaskCompleted(success: false) }
        }
        fixture.finishLaunching()
        try fixture.scheduler.submit(request())
        let run = await fixture.notices.ended()
        #expect(run.expirationReason == .stalled)
        try await fixture.stop()
    }

    @Test("a person's stop expires it (B17)")
    func stopped() async throws {
        let fixture = try await SchedulerFixture()
        let running = Occurrence<Void>()
        fixture.scheduler.register(forTaskWithIdentifier: SchedulerFixture.job, using: nil) { task in
            task.expirationHandler = { task.setTaskCompleted(success: false) }
            running.happen()
        }
        fixture.finishLaunching()
        try fixture.scheduler.submit(request())
        await running.value
        try await fixture.stopRun(of: SchedulerFixture.job)
        #expect(await fixture.notices.ended().expirationReason == .stopped)
        try await fixture.stop()
    }

    @Test("with the strategy queue it waits for a slot, with fail it is refused (B29)")
    func strategies() async throws {
        let fixture = try await SchedulerFixture { $0.concurrency = 1 }
        let running = Occurrence<BGTask>()
        fixture.scheduler.register(forTaskWithIdentifier: SchedulerFixture.refresh, using: nil) { running.happen($0) }
        fixture.scheduler.register(forTaskWithIdentifier: SchedulerFixture.job, using: nil) {
            $0.setTaskCompleted(success: true)
        }
        fixture.finishLaunching()
        try fixture.scheduler.submit(BGAppRefreshTaskRequest(identifier: SchedulerFixture.refresh))
        let first = await running.value
        do {
            try fixture.scheduler.submit(request())
            Issue.record("there is no slot")
        } catch BGTaskScheduler.Error.immediateRunIneligible {}
        let queued = request()
        queued.strategy = .queue
        try fixture.scheduler.submit(queued)
        #expect(await fixture.scheduler.pendingTaskRequests().map(\.identifier) == [SchedulerFixture.job])
        first.setTaskCompleted(success: true)
        #expect(await fixture.notices.ended(2).identifier.text == SchedulerFixture.job)
        try await fixture.stop()
    }
}
