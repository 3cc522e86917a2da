import BackgroundTasks
import Platform
import Scheduling
import TestSupport
import Testing

@Suite("Tasks", .timeLimit(.minutes(1)))
struct TaskTests {
    @Test("the class of a task comes from its request, whoever registered the handler")
    func classes() async throws {
        let requests: [(BGTaskRequest, AnyClass)] = [
            (BGAppRefreshTaskRequest(identifier: SchedulerFixture.refresh), BGAppRefreshTask.self),
            (BGProcessingTaskRequest(identifier: SchedulerFixture.refresh), BGProcessingTask.self),
            (BGHealthResearchTaskRequest(identifier: SchedulerFixture.refresh), BGHealthResearchTask.self),
            (
                BGContinuedProcessingTaskRequest(identifier: SchedulerFixture.refresh, title: "A", subtitle: "b"),
                BGContinuedProcessingTask.self
            ),
        ]
        let fixture = try await SchedulerFixture()
        let seen = Locked<[ObjectIdentifier]>([])
        fixture.scheduler.register(forTaskWithIdentifier: SchedulerFixture.refresh, using: nil) { task in
            seen.withLock { $0.append(ObjectIdentifier(type(of: task))) }
            #expect(task.identifier == SchedulerFixture.refresh)
            task.setTaskCompleted(success: true)
        }
        fixture.finishLaunching()
        for (number, request) in requests.enumerated() {
            try fixture.scheduler.submit(request.0)
            let run = await fixture.notices.ended(number + 1)
            #expect(run.state == .succeeded)
        }
        #expect(seen.withLock { $0 } == requests.map { ObjectIdentifier($0.1) })
        try await fixture.stop()
    }

    @Test("a task ends as it was completed, and a second completion is recorded (B26)", arguments: [true, false])
    func completesOnce(success: Bool) async throws {
        let fixture = try await SchedulerFixture()
        fixture.scheduler.register(forTaskWithIdentifier: SchedulerFixture.refresh, using: nil) { task in
            task.setTaskCompleted(success: success)
            task.setTaskCompleted(success: !success)
        }
        fixture.finishLaunching()
        try fixture.scheduler.submit(BGAppRefreshTaskRequest(identifier: SchedulerFixture.refresh))
        _ = await fixture.notices.diagnostic(.duplicateCompletion)
        #expect(fixture.notices.ended.map(\.state) == [success ? .succeeded : .failed])
        try await fixture.stop()
    }

    @Test("dropping a task closes its run as abandoned (B27)")
    func drops() async throws {
        let fixture = try await SchedulerFixture()
        fixture.scheduler.register(forTaskWithIdentifier: SchedulerFixture.refresh, using: nil) { _ in }
        fixture.finishLaunching()
        try fixture.scheduler.submit(BGAppRefreshTaskRequest(identifier: SchedulerFixture.refresh))
        #expect(await fixture.notices.ended().state == .abandoned)
        try await fixture.stop()
    }

    @Test("the expiration handler is called once, and may complete the task (B24)")
    func expires() async throws {
        let fixture = try await SchedulerFixture()
        let (entered, calls) = (Occurrence<Void>(), Locked(0))
        fixture.scheduler.register(forTaskWithIdentifier: SchedulerFixture.clean, using: nil) { task in
            task.expirationHandler = {
                calls.withLock { $0 += 1 }
                task.setTaskCompleted(success: false)
            }
            entered.happen()
        }
        fixture.finishLaunching()
        try fixture.scheduler.submit(BGProcessingTaskRequest(identifier: SchedulerFixture.clean))
        await entered.value
        try await fixture.expire(SchedulerFixture.clean, .budget)
        let run = await fixture.notices.ended()
        #expect(run.state == .failed)
        #expect(run.expirationReason == .budget)
        #expect(calls.withLock { $0 } == 1)
        try await fixture.stop()
    }

    @Test("without an expiration handler, also one that was taken away, the run is closed as expired (B25)")
    func hasNoExpirationHandler() async throws {
        let fixture = try await SchedulerFixture()
        let task = Occurrence<BGTask>()
        fixture.scheduler.register(forTaskWithIdentifier: SchedulerFixture.clean, using: nil) {
            $0.expirationHandler = { Issue.record("it was taken away") }
            #expect($0.expirationHandler != nil)
            $0.expirationHandler = nil
            #expect($0.expirationHandler == nil)
            task.happen($0)
        }
        fixture.finishLaunching()
        try fixture.scheduler.submit(BGProcessingTaskRequest(identifier: SchedulerFixture.clean))
        let kept = await task.value
        try await fixture.expire(SchedulerFixture.clean)
        #expect(await fixture.notices.ended().state == .expired)
        _ = await fixture.notices.diagnostic(.noExpirationHandler)
        withExtendedLifetime(kept) {}
        try await fixture.stop()
    }

    @Test("a handler runs on its queue, or without one on a private one in the background")
    func queues() async throws {
        let fixture = try await SchedulerFixture()
        let (queue, key) = (DispatchQueue(label: "own"), DispatchSpecificKey<Bool>())
        queue.setSpecific(key: key, value: true)
        let (own, isBackground) = (Occurrence<Bool>(), Occurrence<Bool>())
        fixture.scheduler.register(forTaskWithIdentifier: SchedulerFixture.refresh, using: queue) { task in
            own.happen(DispatchQueue.getSpecific(key: key) == true)
            task.setTaskCompleted(success: true)
        }
        fixture.scheduler.register(forTaskWithIdentifier: SchedulerFixture.clean, using: nil) { task in
            isBackground.happen(!Thread.isMainThread && DispatchQueue.getSpecific(key: key) == nil)
            task.setTaskCompleted(success: true)
        }
        fixture.finishLaunching()
        try fixture.scheduler.submit(BGAppRefreshTaskRequest(identifier: SchedulerFixture.refresh))
        try fixture.scheduler.submit(BGProcessingTaskRequest(identifier: SchedulerFixture.clean))
        #expect(await own.value)
        #expect(await isBackground.value)
        try await fixture.stop()
    }
}
