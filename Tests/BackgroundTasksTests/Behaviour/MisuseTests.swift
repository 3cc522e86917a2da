import BackgroundTasks
import Foundation
import Plugins
import Runner
import Scheduling
import TestSupport
import Testing

@testable import BackgroundTasks

@Suite("Programmers' errors", .timeLimit(.minutes(1)))
struct MisuseTests {
    @Test("submitting without a handler is one, with Apple's wording, the place and what to change")
    func submitsWithoutHandler() async throws {
        let fixture = try await SchedulerFixture()
        let request = BGAppRefreshTaskRequest(identifier: SchedulerFixture.refresh)
        #expect(throws: BGTaskScheduler.Error.self) { try fixture.scheduler.submit(request) }
        let misuse = try #require(fixture.backend.misuses.first)
        #expect(misuse.wording == "No launch handler registered for task with identifier \(SchedulerFixture.refresh)")
        #expect(misuse.explanation.contains("submit(_:) at BackgroundTasksTests/MisuseTests.swift:"))
        #expect(misuse.explanation.contains("register(forTaskWithIdentifier: \"\(SchedulerFixture.refresh)\", …)"))
        try await fixture.stop()
    }

    @Test("registering twice is one, and names where the first one came from (B6)")
    func registersTwice() async throws {
        let fixture = try await SchedulerFixture()
        #expect(fixture.scheduler.register(forTaskWithIdentifier: SchedulerFixture.refresh, using: nil) { _ in })
        let line = #line - 1
        #expect(!fixture.scheduler.register(forTaskWithIdentifier: SchedulerFixture.refresh, using: nil) { _ in })
        let misuse = try #require(fixture.backend.misuses.first)
        #expect(
            misuse.wording
                == "Launch handler for task with identifier \(SchedulerFixture.refresh) has already been registered")
        #expect(misuse.explanation.contains("MisuseTests.swift:\(line)"))
        #expect(misuse.explanation.contains("MisuseTests.swift:\(line + 2)"))
        try await fixture.stop()
    }

    @Test("registering after the launch is one, whatever iOS is imitated (B5)")
    func registersLate() async throws {
        let fixture = try await SchedulerFixture()
        fixture.finishLaunching()
        #expect(!fixture.scheduler.register(forTaskWithIdentifier: SchedulerFixture.refresh, using: nil) { _ in })
        let misuse = try #require(fixture.backend.misuses.first)
        #expect(misuse.wording == "All launch handlers must be registered before application finishes launching")
        #expect(misuse.explanation.contains("didFinishLaunchingWithOptions"))
        try await fixture.stop()
    }

    @Test("a call through a protocol is one too, without a place")
    func throughProtocols() async throws {
        let fixture = try await SchedulerFixture()
        let scheduling: any TaskScheduling = fixture.scheduler
        #expect(throws: BGTaskScheduler.Error.self) {
            try scheduling.submit(BGAppRefreshTaskRequest(identifier: SchedulerFixture.refresh))
        }
        #expect(fixture.backend.misuses.first?.explanation.contains("an unnamed place") == true)
        try await fixture.stop()
    }

    @Test("they end the process: submitting without a handler")
    func submissionEndsTheProcess() async throws {
        let result = await #expect(processExitsWith: .signal(SIGABRT), observing: [\.standardErrorContent]) {
            try LoneProgram.scheduler().submit(BGAppRefreshTaskRequest(identifier: LoneProgram.refresh))
        }
        try expectTwoLines(result, "No launch handler registered for task with identifier com.example.lone.refresh")
    }

    @Test("they end the process: registering twice")
    func secondRegistrationEndsTheProcess() async throws {
        let result = await #expect(processExitsWith: .signal(SIGABRT), observing: [\.standardErrorContent]) {
            let scheduler = try LoneProgram.scheduler()
            scheduler.register(forTaskWithIdentifier: LoneProgram.refresh, using: nil) { _ in }
            scheduler.register(forTaskWithIdentifier: LoneProgram.refresh, using: nil) { _ in }
        }
        let words = "Launch handler for task with identifier com.example.lone.refresh has already been registered"
        try expectTwoLines(result, words)
    }

    @Test("they end the process: registering late")
    func lateRegistrationEndsTheProcess() async throws {
        let result = await #expect(processExitsWith: .signal(SIGABRT), observing: [\.standardErrorContent]) {
            let scheduler = try LoneProgram.scheduler(isLaunched: true)
            scheduler.register(forTaskWithIdentifier: LoneProgram.refresh, using: nil) { _ in }
        }
        try expectTwoLines(result, "All launch handlers must be registered before application finishes launching")
    }

    private func expectTwoLines(_ result: ExitTest.Result?, _ wording: String) throws {
        let text = String(decoding: try #require(result).standardErrorContent, as: UTF8.self)
        let lines = text.split(separator: "\n")
        let place = try #require(lines.firstIndex { $0 == wording }, "\(text)")
        #expect(lines[place + 1].hasPrefix("BackgroundTasks: "), "\(text)")
        #expect(lines[place + 1].contains("MisuseTests.swift:"), "\(text)")
    }
}

/// A scheduler in a process that a test expects to end.
private enum LoneProgram {
    static let refresh = "com.example.lone.refresh"

    static func scheduler(isLaunched: Bool = false) throws -> BGTaskScheduler {
        var options = TaskRunnerOptions()
        options.stateFolder = "\(NSTemporaryDirectory())/lone-\(UUID().uuidString)"
        options.socket = .none
        options.observesDevice = false
        let chosen = options
        let manifest = try Manifest(
            identifier: "com.example.lone", permittedIdentifiers: [refresh], backgroundModes: ["fetch"])
        let phase = LaunchPhase(turns: DispatchQueue(label: "turns"))
        let backend = EmbeddedBackend(
            manifest: { () throws(Refusal) in manifest }, options: chosen,
            launch: phase)
        // No turn of its own comes: the test says when.
        phase.delegateBegan()
        let scheduler = BGTaskScheduler(backend: backend)
        if isLaunched {
            _ = try backend.runner()
            backend.finishLaunching()
        }
        return scheduler
    }
}
