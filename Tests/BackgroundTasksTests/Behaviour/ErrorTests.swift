import BackgroundTasks
import Runner
import Scheduling
import TestSupport
import Testing

@Suite("Errors", .timeLimit(.minutes(1)))
struct ErrorTests {
    /// What submitting throws.
    private func error(
        _ request: BGTaskRequest, modes: [String] = ["fetch", "processing"],
        _ change: (inout TaskRunnerOptions) -> Void = { _ in }, first: [BGTaskRequest] = []
    ) async throws -> BGTaskScheduler.Error {
        let fixture = try await SchedulerFixture(modes: modes, change)
        for identifier in [SchedulerFixture.refresh, SchedulerFixture.clean, SchedulerFixture.upload] {
            fixture.scheduler.register(forTaskWithIdentifier: identifier, using: nil) { _ in }
        }
        for request in first { try fixture.scheduler.submit(request) }
        let error = #expect(throws: BGTaskScheduler.Error.self) { try fixture.scheduler.submit(request) }
        #expect(fixture.backend.misuses.isEmpty)
        try await fixture.stop()
        return try #require(error)
    }

    private func kind(of error: BGTaskScheduler.Error) -> String? {
        error.userInfo[BGTaskScheduler.Error.refusalKindKey] as? String
    }

    @Test("an identifier that is not permitted is notPermitted, and the sentence names the nearest one (B7)")
    func notPermitted() async throws {
        let error = try await error(BGAppRefreshTaskRequest(identifier: "com.example.app.refesh"))
        #expect(error.code == .notPermitted)
        #expect(kind(of: error) == "notPermitted")
        #expect(error.localizedDescription.contains(SchedulerFixture.refresh))
    }

    @Test("a mode that is not declared is notPermitted too, with its own kind and sentence (B10)")
    func modeMissing() async throws {
        let request = BGAppRefreshTaskRequest(identifier: SchedulerFixture.refresh)
        let error = try await error(request, modes: ["processing"])
        #expect(error.code == .notPermitted)
        #expect(kind(of: error) == "backgroundModeMissing")
        #expect(error.localizedDescription.contains("“fetch”"))
    }

    @Test(
        "an identifier that is none, a date beyond reason and a title that is empty are notPermitted",
        arguments: [("invalidIdentifier", 0), ("invalidDate", 1), ("invalidParams", 2)])
    func illFormed(name: String, number: Int) async throws {
        let late = BGAppRefreshTaskRequest(identifier: SchedulerFixture.refresh)
        late.earliestBeginDate = .distantFuture
        let requests = [
            BGAppRefreshTaskRequest(identifier: "com..app"), late,
            BGContinuedProcessingTaskRequest(identifier: SchedulerFixture.upload, title: "", subtitle: ""),
        ]
        let error = try await error(requests[number])
        #expect(error.code == .notPermitted)
        #expect(kind(of: error) == name)
    }

    @Test("over the limit is tooManyPendingTaskRequests, and names what fills the slots (B13)")
    func tooMany() async throws {
        let first = BGAppRefreshTaskRequest(identifier: SchedulerFixture.refresh)
        let error = try await error(
            BGAppRefreshTaskRequest(identifier: SchedulerFixture.clean), { $0.policy.limits = .apple }, first: [first])
        #expect(error.code == .tooManyPendingTaskRequests)
        #expect(error.localizedDescription.contains(SchedulerFixture.refresh))
    }

    @Test("continued processing that cannot start at once and must is immediateRunIneligible (B29)")
    func immediateRunIneligible() async throws {
        let request = BGContinuedProcessingTaskRequest(identifier: SchedulerFixture.upload, title: "A", subtitle: "b")
        request.strategy = .fail
        // The launch is not finished, so nothing can start.
        let error = try await error(request)
        #expect(error.code == .immediateRunIneligible)
        #expect(error.localizedDescription.contains("launching"))
    }

    @Test("resources are unavailable here (B10)")
    func resources() async throws {
        let request = BGContinuedProcessingTaskRequest(identifier: SchedulerFixture.upload, title: "A", subtitle: "b")
        request.requiredResources = .gpu
        let error = try await error(request)
        #expect(error.code == .unavailable)
        #expect(error.localizedDescription.contains("supportedResources"))
        #expect(BGTaskScheduler.supportedResources.isEmpty)
    }

    @Test("resources are looked at after the permission and the handler (B10)")
    func resourcesComeLater() async throws {
        let request = BGContinuedProcessingTaskRequest(
            identifier: "com.example.other.export", title: "Export", subtitle: "")
        request.requiredResources = .gpu
        let error = try await error(request)
        #expect(error.code == .notPermitted)
        #expect(kind(of: error) == "notPermitted")
    }

    @Test("a state folder that another runner holds is unavailable, and ends nothing")
    func heldFolder() async throws {
        let folder = TemporaryFolder()
        let first = try await SchedulerFixture(folder: folder)
        await #expect(throws: Refusal.self) { _ = try await SchedulerFixture(folder: folder) }
        try await first.stop()
    }

    @Test("it matches in every form that code uses")
    func forms() throws {
        let refusal = Refusal(.backgroundModeMissing, "Add “fetch” to UIBackgroundModes.")
        let thrown: any Error = BGTaskScheduler.Error(refusal)
        do { throw thrown } catch BGTaskScheduler.Error.notPermitted {} catch { Issue.record("\(error)") }
        do { throw thrown } catch let error as BGTaskScheduler.Error where error.code == .notPermitted {} catch {
            Issue.record("\(error)")
        }
        do { throw thrown } catch BGTaskScheduler.Error.unavailable { Issue.record("another code") } catch {}
        #expect((thrown as NSError).code == 3)
        #expect((thrown as NSError).domain == "BGTaskSchedulerErrorDomain")
        #expect(thrown.localizedDescription == refusal.message)
        #expect((thrown as NSError).localizedDescription == refusal.message)
        #expect(BGTaskScheduler.Error(.unavailable) == BGTaskScheduler.Error(.unavailable))
        #expect(BGTaskScheduler.Error(.unavailable) != BGTaskScheduler.Error(.notPermitted))
        #expect(Set([BGTaskScheduler.Error(.unavailable), BGTaskScheduler.Error(.unavailable)]).count == 1)
    }

    @Test("each refusal has one of Apple's codes", arguments: Refusal.Kind.allCases)
    func codes(kind: Refusal.Kind) {
        let expected: BGTaskScheduler.Error.Code? =
            switch kind {
            case .backgroundModeMissing, .invalidIdentifier, .invalidDate, .kindMismatch, .notPermitted: .notPermitted
            case .storeUnavailable, .draining, .unavailable: .unavailable
            case .tooManyPendingTaskRequests: .tooManyPendingTaskRequests
            case .immediateRunIneligible: .immediateRunIneligible
            default: nil
            }
        let error = BGTaskScheduler.Error(Refusal(kind, "Words."))
        if let expected { #expect(error.code == expected) }
        #expect(error.userInfo[BGTaskScheduler.Error.refusalKindKey] as? String == kind.rawValue)
    }
}
