import BackgroundTasks
import Scheduling
import TestSupport
import Testing

@Suite("Requests", .timeLimit(.minutes(1)))
struct RequestTests {
    private func fixture() async throws -> SchedulerFixture {
        let fixture = try await SchedulerFixture()
        for identifier in [SchedulerFixture.refresh, SchedulerFixture.clean, SchedulerFixture.upload] {
            fixture.scheduler.register(forTaskWithIdentifier: identifier, using: nil) { _ in }
        }
        return fixture
    }

    private let date = Date(timeIntervalSince1970: 4_000_000_000)

    @Test("a request is copied on submission, and what is pending is given as copies (B16)")
    func copies() async throws {
        let fixture = try await fixture()
        let request = BGProcessingTaskRequest(identifier: SchedulerFixture.clean)
        request.earliestBeginDate = date
        request.requiresExternalPower = true
        try fixture.scheduler.submit(request)
        request.earliestBeginDate = nil
        request.requiresExternalPower = false
        let pending = try #require(await fixture.scheduler.pendingTaskRequests().first as? BGProcessingTaskRequest)
        #expect(pending.earliestBeginDate == date)
        #expect(pending.requiresExternalPower)
        #expect(!pending.requiresNetworkConnectivity)
        pending.earliestBeginDate = nil
        #expect(await fixture.scheduler.pendingTaskRequests().first?.earliestBeginDate == date)
        try await fixture.stop()
    }

    @Test("what is pending has the class and the values of what was submitted")
    func roundTrips() async throws {
        let fixture = try await fixture()
        let refresh = BGAppRefreshTaskRequest(identifier: SchedulerFixture.refresh)
        let research = BGHealthResearchTaskRequest(identifier: SchedulerFixture.clean)
        research.requiresNetworkConnectivity = true
        let upload = BGContinuedProcessingTaskRequest(
            identifier: SchedulerFixture.upload, title: "Upload", subtitle: "3 files")
        for request in [refresh, research, upload] as [BGTaskRequest] { try fixture.scheduler.submit(request) }
        let pending = await fixture.scheduler.pendingTaskRequests()
        #expect(pending.map(\.identifier) == [refresh, research, upload].map(\.identifier))
        #expect(type(of: pending[0]) == BGAppRefreshTaskRequest.self)
        #expect((pending[1] as? BGHealthResearchTaskRequest)?.requiresNetworkConnectivity == true)
        let continued = try #require(pending[2] as? BGContinuedProcessingTaskRequest)
        #expect([continued.title, continued.subtitle] == ["Upload", "3 files"])
        #expect(continued.strategy == .queue)
        try await fixture.stop()
    }

    @Test("a copy has the class and all values, and is another object")
    func copiesObjects() throws {
        let request = BGContinuedProcessingTaskRequest(identifier: "a.b", title: "A", subtitle: "b")
        request.strategy = .fail
        request.requiredResources = .gpu
        let copy = try #require(request.copy() as? BGContinuedProcessingTaskRequest)
        #expect(copy !== request)
        #expect([copy.identifier, copy.title, copy.subtitle] == ["a.b", "A", "b"])
        #expect(copy.strategy == .fail)
        #expect(copy.requiredResources == .gpu)
        copy.title = "B"
        #expect(request.title == "A")
        let research = BGHealthResearchTaskRequest(identifier: "a.c")
        research.protectionTypeOfRequiredData = "NSFileProtectionComplete"
        research.earliestBeginDate = date
        let other = try #require(research.copy(with: nil) as? BGHealthResearchTaskRequest)
        #expect(other.protectionTypeOfRequiredData == "NSFileProtectionComplete")
        #expect(other.earliestBeginDate == date)
        #expect(BGAppRefreshTaskRequest(identifier: "a").copy() is BGAppRefreshTaskRequest)
        #expect(type(of: BGProcessingTaskRequest(identifier: "a").copy()) == BGProcessingTaskRequest.self)
    }

    @Test("cancelling removes a request, or all of them, and says nothing of what is not pending (B17)")
    func cancels() async throws {
        let fixture = try await fixture()
        for identifier in [SchedulerFixture.refresh, SchedulerFixture.clean, SchedulerFixture.upload] {
            let request = BGProcessingTaskRequest(identifier: identifier)
            request.earliestBeginDate = date
            try fixture.scheduler.submit(request)
        }
        fixture.scheduler.cancel(taskRequestWithIdentifier: SchedulerFixture.clean)
        fixture.scheduler.cancel(taskRequestWithIdentifier: SchedulerFixture.clean)
        #expect(await fixture.scheduler.pendingTaskRequests().count == 2)
        fixture.scheduler.cancelAllTaskRequests()
        #expect(await fixture.scheduler.pendingTaskRequests().isEmpty)
        try await fixture.stop()
    }

    @Test("a request is submitted as well by the calls of iOS 27")
    func newCalls() async throws {
        let fixture = try await fixture()
        let request = BGProcessingTaskRequest(identifier: SchedulerFixture.clean)
        request.earliestBeginDate = date
        try await fixture.scheduler.submitTaskRequest(request)
        #expect(await fixture.scheduler.pendingTaskRequests().count == 1)
        let foreign = BGAppRefreshTaskRequest(identifier: "com.example.other")
        await #expect(throws: BGTaskScheduler.Error.self) { try await fixture.scheduler.submitTaskRequest(foreign) }
        let codes = Occurrence<[Int?]>()
        fixture.scheduler.submitTaskRequest(request) { first in
            fixture.scheduler.submitTaskRequest(foreign) { second in
                codes.happen([first.map { ($0 as NSError).code }, second.map { ($0 as NSError).code }])
            }
        }
        #expect(await codes.value == [nil, 3])
        try await fixture.stop()
    }
}
