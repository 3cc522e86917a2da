import BackgroundTasks
import Platform
import Plugins
import Runner
import Scheduling
import TestSupport

@testable import BackgroundTasks

/// A scheduler over an embedded runner of its own, whose launch the test finishes.
final class SchedulerFixture: Sendable {
    static let refresh = "com.example.app.refresh"
    static let clean = "com.example.app.clean"
    static let upload = "com.example.app.upload"
    static let job = "com.example.app.jobs.one"

    let scheduler: BGTaskScheduler
    let backend: NotingBackend
    let notices = Notices()
    private let folder: TemporaryFolder
    private let turns = DispatchQueue(label: "turns", attributes: .initiallyInactive)
    private let embedded: EmbeddedBackend

    init(
        folder: TemporaryFolder = TemporaryFolder(), modes: [String] = ["fetch", "processing"],
        _ change: (inout TaskRunnerOptions) -> Void = { _ in }
    ) async throws {
        let manifest = try Manifest(
            identifier: "com.example.app",
            permittedIdentifiers: [Self.refresh, Self.clean, Self.upload, "com.example.app.jobs.*"],
            backgroundModes: modes)
        var options = TaskRunnerOptions()
        options.stateFolder = folder.file("state")
        options.socket = .none
        options.observesDevice = false
        // Long enough that only what a test shortens ever ends a run.
        options.policy.budgets.grace = .minutes(5)
        options.policy.timing.drain = .minutes(5)
        change(&options)
        let chosen = options
        self.folder = folder
        embedded = EmbeddedBackend(
            manifest: { () throws(Refusal) in manifest }, options: chosen, launch: LaunchPhase(turns: turns))
        backend = NotingBackend(embedded)
        scheduler = BGTaskScheduler(backend: backend)
        let notices = notices
        try await engine.observe { notice, _ in notices.add(notice) }
    }

    var engine: Engine {
        get throws { try embedded.runner().engine }
    }

    /// The turn of the main queue that ends the launch.
    func finishLaunching() {
        turns.activate()
        turns.sync {}
    }

    func simulateLaunch(_ identifier: String) async throws -> Engine.Answer {
        let identifier = try TaskIdentifier(identifier)
        return try await engine.answer { .launchSimulated(identifier, SimulationOptions(submit: true), call: $0) }
    }

    @discardableResult
    func expire(_ identifier: String, _ reason: ExpirationReason = .simulated) async throws -> Engine.Answer {
        let identifier = try TaskIdentifier(identifier)
        return try await engine.answer { .expirationSimulated(identifier, reason, call: $0) }
    }

    @discardableResult
    func stopRun(of identifier: String) async throws -> Engine.Answer {
        let identifier = try TaskIdentifier(identifier)
        return try await engine.answer { .stopAsked(identifier: identifier, run: nil, call: $0) }
    }

    /// Ends the runner; a launch that was not finished stays so.
    func stop() async throws {
        let runner = try embedded.runner()
        runner.stop()
        await runner.waitForEnd()
    }

    deinit {
        turns.activate()
    }
}

extension Engine {
    /// The answer of a call from a test's own thread.
    func answer(_ event: @escaping @Sendable (CallIdentifier) -> Event) async -> Answer {
        await withCheckedContinuation { continuation in
            call({ continuation.resume(returning: $0) }, event)
        }
    }
}
