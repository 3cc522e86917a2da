import Platform
import Scheduling
import Storage
import SystemPlatform
import TestSupport

@testable import Hosting
@testable import Plugins
@testable import Runner

/// An engine on a real loop with real clocks, whose handlers are real commands.
final class HostingFixture: Sendable {
    static let app = try! AppIdentifier("com.example.shell")

    let folder: TemporaryFolder
    let notices = Notices()
    let engine: Engine
    private let commands: Commands
    private let store: StoreWorker
    private let thread: NamedThread

    /// The parts that live on the loop. Unchecked because tests reach them through the engine only.
    final class Commands: @unchecked Sendable {
        let host: CommandHost
        let bundles: BundleHost
        let output: OutputStore
        let environment: CommandEnvironment
        let leftovers: LeftoverWatch

        init(bundles: BundleHost, output: OutputStore, environment: CommandEnvironment, leftovers: LeftoverWatch) {
            host = bundles.commands
            self.bundles = bundles
            self.output = output
            self.environment = environment
            self.leftovers = leftovers
        }
    }

    init(
        folder: TemporaryFolder = TemporaryFolder(), memory: MemoryStore = MemoryStore(), policy: Policy = .prompt,
        bytesPerRun: Int = OutputStore.bytesPerRun, variables: [String: String] = ["PATH": "/usr/bin:/bin"],
        _ tasks: [CommandTask] = [], limits: ManifestLimits = ManifestLimits(),
        observing: @escaping @Sendable (Event) -> Void = { _ in }
    ) throws {
        self.folder = folder
        let loop = try EventLoop()
        let clock = try LoopClock(on: loop)
        let state = try OpenedState(memory: memory)
        store = state.store
        let start = StartFacts.ofThisMachine(version: "1")
        let scheduler = Scheduler(
            policy: policy, contents: state.contents, boot: start.bootIdentifier, at: clock.now())
        let engine = try Engine(
            loop: loop, clock: clock, store: state.store, scheduler: scheduler, storeReport: state.report,
            options: EngineOptions(policy: policy, start: start, version: "1"))
        self.engine = engine
        clock.onWakeup { [weak engine] in engine?.assumeIsolated { $0.timePassed() } }
        let output = OutputStore(folder: folder.file("logs"), bytesPerRun: bytesPerRun)
        let environment = CommandEnvironment(
            variable: { variables[$0] }, socket: "/run/control.sock", store: state.report.identifier)
        let report = { [weak engine] (event: Event) in
            guard let engine else { return }
            observing(event)
            engine.assumeIsolated { $0.feed(event) }
        }
        let commands = Commands(
            bundles: BundleHost(
                commands: CommandHost(
                    on: loop, output: output, environment: environment, boot: start.bootIdentifier, report: report),
                plugins: PluginHost(
                    on: loop, output: output, environment: environment, boot: start.bootIdentifier, pluginHost: nil,
                    engine: engine)),
            output: output, environment: environment,
            leftovers: LeftoverWatch(on: loop, environment: environment, boot: start.bootIdentifier, report: report))
        self.commands = commands
        let (notices, left) = (notices, state.contents.leftovers)
        engine.assumeIsolated { engine in
            engine.observe { notice, _ in notices.add(notice) }
            engine.setFallbackHost(commands.bundles)
            engine.setProcessHost(commands.bundles.plugins)
            engine.start()
            if !tasks.isEmpty {
                commands.host.setCommands(tasks, limits: limits, of: Self.app, hash: "")
                engine.feed(.appLoaded(Self.description(tasks)))
            }
            commands.leftovers.look(for: left)
            engine.feed(.loadingFinished)
        }
        thread = try loop.runOnOwnThread(name: "hosting-test")
    }

    deinit {
        engine.loop.stop()
        thread.join()
        store.stop()
    }

    static func description(_ tasks: [CommandTask], hash: String = "") -> AppDescription {
        AppDescription(
            app: app, host: .commands, permitted: tasks.map { .exact($0.identifier) }, modes: [.fetch, .processing],
            tasks: tasks.map(\.settings), bundleHash: hash)
    }

    /// A task that runs a shell script.
    static func shell(_ script: String, _ name: String = "task", in folder: String = "/") -> CommandTask {
        command(["/bin/sh", "-c", script], name, in: folder)
    }

    static func command(_ words: [String], _ name: String = "task", in folder: String = "/") -> CommandTask {
        let identifier = identifier(name)
        // Long enough that only what a test shortens ever ends a run.
        return CommandTask(
            identifier: identifier, executable: words[0], command: words, environment: [:], workingDirectory: folder,
            user: nil,
            settings: TaskSettings(identifier: identifier, kind: .processing, grace: .minutes(5), hasCommand: true))
    }

    static func identifier(_ name: String = "task") -> TaskIdentifier {
        try! TaskIdentifier("com.example.shell.\(name)")
    }

    // MARK: - On the loop

    /// Uses the parts that live on the loop.
    func with<Result: Sendable>(_ body: @Sendable (Commands, isolated Engine) throws -> Result) async rethrows -> Result
    {
        try await engine.with(commands, body)
    }

    func submit(_ name: String = "task") async {
        let identifier = Self.identifier(name)
        _ = await engine.answer {
            .requestSubmitted(TaskRequest(identifier: identifier), SubmissionOptions(), call: $0)
        }
    }

    func stop(_ name: String = "task") async {
        let identifier = Self.identifier(name)
        _ = await engine.answer { .stopAsked(identifier: identifier, run: nil, call: $0) }
    }

    func expire(_ reason: ExpirationReason = .simulated, _ name: String = "task") async {
        let identifier = Self.identifier(name)
        _ = await engine.answer { .expirationSimulated(identifier, reason, call: $0) }
    }

    func lines(_ run: RunRecord, limit: Int = 100_000) async -> [LogPage.Line] {
        await with { commands, _ in
            commands.output.lines(LogQuery(run: run.run, app: nil, limit: limit, after: nil)).lines
        }
    }

    /// Runs a script once, and gives what became of it.
    static func run(
        _ script: String, in folder: String = "/", _ change: (inout CommandTask) -> Void = { _ in }
    ) async throws -> (run: RunRecord, lines: [LogPage.Line]) {
        var task = shell(script, in: folder)
        change(&task)
        let fixture = try HostingFixture([task])
        await fixture.submit()
        let run = await fixture.notices.ended()
        return (run, await fixture.lines(run))
    }
}

extension Engine {
    func with<Parts: Sendable, Result: Sendable>(
        _ parts: Parts, _ body: @Sendable (Parts, isolated Engine) throws -> Result
    ) rethrows -> Result {
        try body(parts, self)
    }

    func answer(_ event: @escaping @Sendable (CallIdentifier) -> Event) async -> Answer {
        await withCheckedContinuation { continuation in
            call({ continuation.resume(returning: $0) }, event)
        }
    }

    func gate(_ name: GateName, of identifier: TaskIdentifier) -> Gate? {
        scheduler.explain(identifier, at: now()).gates.first { $0.gate == name }
    }
}
