import Platform
import Plugins
import Scheduling
import SystemPlatform
import TestSupport

@testable import Runner

/// A program's runner with a state folder of its own.
final class EmbeddedFixture: Sendable {
    static let app = "com.example.app"
    static let refresh = "com.example.app.refresh"
    static let refreshIdentifier = try! TaskIdentifier(refresh)

    let folder: TemporaryFolder
    let runner: TaskRunner
    let notices = Notices()

    init(folder: TemporaryFolder = TemporaryFolder(), _ change: (inout TaskRunnerOptions) -> Void = { _ in }) throws {
        self.folder = folder
        runner = TaskRunner(manifest: try Self.manifest(), options: Self.options(folder, change))
    }

    static func manifest() throws -> Manifest {
        try Manifest(
            identifier: app, permittedIdentifiers: [refresh, "com.example.app.clean", "com.example.app.batch.*"],
            backgroundModes: ["fetch", "processing"])
    }

    static func options(
        _ folder: TemporaryFolder, _ change: (inout TaskRunnerOptions) -> Void = { _ in }
    ) -> TaskRunnerOptions {
        var options = TaskRunnerOptions()
        options.stateFolder = folder.file("state")
        options.socket = .none
        options.observesDevice = false
        // Long enough that only what a test shortens ever ends a run.
        options.policy.budgets.grace = .minutes(5)
        options.policy.timing.drain = .minutes(5)
        change(&options)
        return options
    }

    /// Starts the runner and watches it.
    func start() async throws {
        try runner.start()
        try await engine.observe { [notices] notice, _ in notices.add(notice) }
    }

    var engine: Engine {
        get throws { try runner.engine() }
    }

    func submit(_ identifier: String = refresh, floor: WallTime? = nil) async throws {
        try await runner.submit(TaskRequest(identifier: try TaskIdentifier(identifier), floor: floor))
    }

    @discardableResult
    func expire(_ reason: ExpirationReason = .simulated, _ identifier: String = refresh) async throws -> Engine.Answer {
        let identifier = try TaskIdentifier(identifier)
        return try await engine.answer { .expirationSimulated(identifier, reason, call: $0) }
    }

    func stop() async throws {
        runner.stop()
        try await runner.run()
    }
}

extension Engine {
    /// The answer of a call from a test's own thread.
    func answer(_ event: @escaping @Sendable (CallIdentifier) -> Event) async -> Answer {
        await withCheckedContinuation { continuation in
            call({ continuation.resume(returning: $0) }, event)
        }
    }

    func threadNumber() -> Int32 { NamedThread.currentIdentifier }
}
