import Platform
import RPC
import Runner
import Scheduling
import Storage
import SystemPlatform

/// An engine with a store in memory and a control socket, whose runs end as soon as they begin.
final class FuzzedDaemon {
    static let app = "com.example.fuzz"

    let path: String
    private let loop: EventLoop
    private let engine: Engine
    private let store: StoreWorker
    private let thread: NamedThread
    private let ending: LoopMailbox<Void>

    init(path: String, limits: ConnectionLimits) throws {
        self.path = path
        let state = try OpenedState(memory: MemoryStore())
        store = state.store
        loop = try EventLoop()
        let clock = try LoopClock(on: loop)
        let start = StartFacts.ofThisMachine(version: "fuzz")
        let scheduler = Scheduler(
            policy: .prompt, contents: state.contents, boot: start.bootIdentifier, at: clock.now())
        engine = try Engine(
            loop: loop, clock: clock, store: state.store, scheduler: scheduler, storeReport: state.report,
            options: EngineOptions(policy: .prompt, start: start, version: "fuzz"))
        let listening = try UnixSocket.listen(path: path, mode: 0o600)
        let service = ControlService(
            listening, access: AccessRules(owner: ProcessEnvironment.effectiveUser), limits: limits, engine: engine,
            loop: loop)
        clock.onWakeup { [engine] in engine.assumeIsolated { $0.timePassed() } }
        let description = try Self.description()
        try engine.assumeIsolated { engine in
            engine.setFallbackHost(EndingHost(engine))
            engine.start()
            engine.feed(.appLoaded(description))
            engine.feed(.loadingFinished)
            engine.setControl(service)
            try service.start()
        }
        ending = try LoopMailbox(on: loop) { [engine, loop] _ in
            service.close()
            engine.assumeIsolated { $0.setControl(nil) }
            loop.stop()
        }
        thread = try loop.runOnOwnThread(name: "fuzzed")
    }

    func stop() {
        ending.post(())
        thread.join()
        store.stop()
    }

    private static func description() throws -> AppDescription {
        let names = try ["refresh", "clean"].map { try TaskIdentifier("\(app).\($0)") }
        return AppDescription(
            app: try AppIdentifier(app), host: .commands, permitted: names.map { .exact($0) },
            modes: [.fetch, .processing],
            tasks: [
                TaskSettings(identifier: names[0], kind: .appRefresh, hasCommand: true),
                TaskSettings(identifier: names[1], kind: .processing, hasCommand: true),
            ])
    }
}

/// Enters a handler and ends its run at once, so that nobody waits for long.
private final class EndingHost: HandlerHost {
    private weak let engine: Engine?

    init(_ engine: Engine) {
        self.engine = engine
    }

    func launch(_ order: LaunchOrder) {
        engine?.assumeIsolated { engine in
            engine.feed(.handlerEntered(order.run, nil))
            engine.feed(.processExited(order.run, .code(0)))
        }
    }

    func expire(_ run: RunIdentifier, reason: ExpirationReason, grace: Duration) {}

    func settle() {}

    func terminate(_ run: RunIdentifier) {}
}
