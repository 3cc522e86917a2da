import Platform
import Plugins
import RPC
import Scheduling
import Storage
import SystemPlatform

/// A started runner of a program: an engine on a loop with a thread of its own.
final class EmbeddedRunner: Sendable {
    let engine: Engine
    let calls: EmbeddedCalls
    private let channel: EmbeddedChannel
    private let recovered = Locked<RecoveryCause?>(nil)
    private let loop: EventLoop
    private let lock: StateLock?
    private let ending: Locked<Ending>
    private let finishesLaunching: Bool

    private enum Ending {
        case running(thread: NamedThread?, waiting: [CheckedContinuation<Void, Never>])
        case ended
    }

    /// - Parameter finishesLaunching: whether nothing more will be registered; else `finishLaunching` says so.
    init(
        app: AppIdentifier, scheduler: Scheduler, options: TaskRunnerOptions, finishesLaunching: Bool = true,
        host: (EmbeddedChannel, @escaping @Sendable () -> AwakeTime) -> EmbeddedHost
    ) throws {
        self.finishesLaunching = finishesLaunching
        let locations = EmbeddedLocations(app: app)
        let state = try Self.open(options.stateFolder ?? locations.stateFolder)
        lock = state.lock
        do {
            loop = try EventLoop()
            let clock = try LoopClock(on: loop)
            var engineOptions = EngineOptions(
                policy: scheduler.policy, start: .ofThisMachine(version: RunnerVersion.text),
                version: RunnerVersion.text)
            engineOptions.simulation = options.allowsSimulation
            var scheduler = scheduler
            scheduler.adopt(state.contents, at: clock.now())
            engine = try Engine(
                loop: loop, clock: clock, store: state.store, scheduler: scheduler, storeReport: state.report,
                options: engineOptions)
            calls = EmbeddedCalls(inbox: engine.inbox)
            channel = EmbeddedChannel(inbox: engine.inbox, calls: calls, app: app)
            ending = Locked(.running(thread: nil, waiting: []))
            try launch(app, clock, options, locations, host: host)
        } catch let error as SystemError {
            state.store.stop()
            throw TaskRunnerError(.system, error.description)
        } catch {
            state.store.stop()
            throw error
        }
    }

    /// What plugins of this program are given.
    var context: AppContext {
        AppContext(identifier: channel.app, recovered: recovered.withLock { $0 }, channel: channel)
    }

    /// Drains; a second call expires what still runs.
    func stop() {
        engine.inbox.post(.body { $0.drain(grace: nil) })
    }

    func waitForEnd() async {
        await withCheckedContinuation { continuation in
            let hasEnded = ending.withLock { ending in
                guard case .running(let thread, var waiting) = ending else { return true }
                waiting.append(continuation)
                ending = .running(thread: thread, waiting: waiting)
                return false
            }
            if hasEnded { continuation.resume() }
        }
    }

    // MARK: - Private

    private static func open(_ folder: String) throws(TaskRunnerError) -> OpenedState {
        do throws(StateFailure) {
            return try OpenedState(folder: folder, now: WallTime(milliseconds: SystemClock.milliseconds(.wall)))
        } catch {
            switch error.kind {
            case .folder: throw TaskRunnerError(.stateFolder, error.description)
            case .held: throw TaskRunnerError(.alreadyRunning, error.description)
            case .store: throw TaskRunnerError(.store, error.description)
            }
        }
    }

    private func launch(
        _ app: AppIdentifier, _ clock: LoopClock, _ options: TaskRunnerOptions, _ locations: EmbeddedLocations,
        host: (EmbeddedChannel, @escaping @Sendable () -> AwakeTime) -> EmbeddedHost
    ) throws {
        let engine = engine
        let embedded = host(channel) { AwakeTime(milliseconds: SystemClock.milliseconds(.awake)) }
        let control = try listen(options, locations)
        do {
            // Until it has drained it keeps itself: a program may drop its runner and go on.
            clock.onWakeup { [engine] in engine.assumeIsolated { $0.timePassed() } }
            engine.assumeIsolated { $0.onDrained { self.drained(clock) } }
            try start(app, embedded, control, options)
            let thread = try loop.runOnOwnThread(name: "runner")
            ending.withLock { ending in
                if case .running(_, let waiting) = ending { ending = .running(thread: thread, waiting: waiting) }
            }
        } catch {
            clock.onWakeup {}
            engine.assumeIsolated { engine in
                engine.drainedHandlers = []
                for source in engine.sources { source.stop() }
                engine.setControl(nil)
            }
            control?.close()
            throw error
        }
    }

    /// Closes registration, and lets what is due be launched (B5, B8).
    func finishLaunching() {
        let app = channel.app
        engine.inbox.post(.body { engine in self.finishLaunching(app, engine) })
    }

    private func finishLaunching(_ app: AppIdentifier, _ engine: isolated Engine) {
        engine.feed(.launchFinished(app))
        recovered.withLock { $0 = engine.scheduler.allApps.first { $0.app == app }?.recovered }
    }

    private func start(
        _ app: AppIdentifier, _ embedded: sending EmbeddedHost, _ control: ControlService?,
        _ options: TaskRunnerOptions
    ) throws {
        try engine.assumeIsolated { engine in
            engine.addHost(embedded, for: app)
            engine.start()
            if options.observesDevice {
                try engine.addSource(PowerSource(on: loop))
                try engine.addSource(NetworkSource(on: loop))
            }
            try engine.addSource(ClockSource(on: loop))
            if finishesLaunching { finishLaunching(app, engine) }
            engine.feed(.loadingFinished)
            engine.setControl(control)
            try control?.start()
        }
    }

    private func listen(_ options: TaskRunnerOptions, _ locations: EmbeddedLocations) throws -> ControlService? {
        let path: String
        switch options.socket {
        case .none: return nil
        case .path(let chosen): path = chosen
        case .standard:
            path = locations.socketPath
            do throws(RuntimeFolderFailure) {
                for folder in locations.socketFolders { try RuntimeFolder.prepare(path: folder, mode: 0o700) }
            } catch {
                throw TaskRunnerError(.socket, error.description)
            }
        }
        do throws(SocketListenFailure) {
            let listening = try UnixSocket.listen(path: path, mode: 0o600)
            return ControlService(
                listening, access: AccessRules(owner: ProcessEnvironment.effectiveUser), limits: ConnectionLimits(),
                engine: engine, loop: loop)
        } catch {
            throw TaskRunnerError(.socket, error.description)
        }
    }

    /// Nothing runs any more: closes everything, on the loop, and lets `run()` return.
    private func drained(_ clock: LoopClock) {
        clock.onWakeup {}
        engine.assumeIsolated { engine in
            engine.drainedHandlers = []
            engine.control?.flushAndClose()
            engine.setControl(nil)
            for source in engine.sources { source.stop() }
        }
        calls.end()
        loop.stop()
        engine.assumeIsolated { $0.store.stop() }
        lock?.release()
        // Only now: whoever sees that it has ended may start the next one.
        let waiting: [CheckedContinuation<Void, Never>] = ending.withLock { ending in
            guard case .running(_, let waiting) = ending else { return [] }
            ending = .ended
            return waiting
        }
        for continuation in waiting { continuation.resume() }
    }
}
