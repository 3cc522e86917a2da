public import Dispatch
import Platform
public import Plugins
import RPC
public import Scheduling
import SystemPlatform

/// A runner inside of a program: register handlers, then `run()`.
///
/// The program is its own app, with its own state folder and control socket. Requests survive its end.
public final class TaskRunner: Sendable {
    private let manifest: Manifest
    private let options: TaskRunnerOptions
    private let state: Locked<State>

    private enum State {
        /// Handlers are registered. Can transition to `started`, `ended`.
        case registering(Registrations)
        /// Runs on a thread of its own. Can transition to `ended`.
        case started(EmbeddedRunner)
        case ended
    }

    /// What is registered before there is an engine: a scheduler without a store checks it (B4–B7).
    private struct Registrations {
        var scheduler: Scheduler
        var handlers: [TaskIdentifier: HandlerRuns.Handler] = [:]
        var plugins: [any TaskPlugin] = []
    }

    /// Makes a runner for the app of a manifest. Nothing is opened or started yet.
    public init(manifest: Manifest, options: TaskRunnerOptions = TaskRunnerOptions()) {
        self.manifest = manifest
        self.options = options
        state = Locked(.registering(Registrations(scheduler: Self.scheduler(for: manifest, options: options))))
    }

    // MARK: - Registering

    /// Registers an async handler: returning completes the task, throwing fails it, expiration cancels it (B28).
    ///
    /// Throws `notPermitted`, `alreadyRegistered`, `registrationClosed`, `wildcardRegistration` or `invalidIdentifier`.
    public func register(
        _ identifier: String, kind: TaskKind? = nil, using queue: DispatchQueue? = nil,
        fileID: StaticString = #fileID, line: UInt = #line,
        handler: @escaping @Sendable (TaskContext) async throws -> Void
    ) throws(Refusal) {
        let pending = PendingRegistration(
            identifier: identifier, kind: kind, origin: "\(fileID):\(line)", handler: .async(handler))
        try add(pending, queue: queue)
    }

    /// Registers a handler in the explicit form: it sets `expirationHandler` and calls `setTaskCompleted(success:)`.
    ///
    /// It runs on the queue, or on a private serial one. Throws as the async form does.
    public func register(
        _ identifier: String, kind: TaskKind? = nil, using queue: DispatchQueue? = nil,
        fileID: StaticString = #fileID, line: UInt = #line,
        launchHandler: @escaping @Sendable (LaunchedTask) -> Void
    ) throws(Refusal) {
        let pending = PendingRegistration(
            identifier: identifier, kind: kind, origin: "\(fileID):\(line)", handler: .explicit(launchHandler))
        try add(pending, queue: queue)
    }

    /// Registers a handler for continued processing on demand, while the runner runs (B5).
    ///
    /// Throws as the other forms do, and `limitExceeded` for the 65th.
    public func registerContinued(
        _ identifier: String, using queue: DispatchQueue? = nil, fileID: StaticString = #fileID, line: UInt = #line,
        handler: @escaping @Sendable (TaskContext) async throws -> Void
    ) async throws(Refusal) {
        let registration = PendingRegistration(
            identifier: identifier, kind: .continuedProcessing, origin: "\(fileID):\(line)", handler: .async(handler))
        try await started().calls.register(registration, of: manifest.identifier, queue: queue)
    }

    /// Registers all handlers of a plugin, which is told when the runner has started.
    public func register(_ plugin: some TaskPlugin) throws {
        try plugin.register(in: TaskRegistry { (pending) throws(Refusal) in try self.add(pending, queue: nil) })
        state.withLock { state in
            guard case .registering(var registrations) = state else { return }
            registrations.plugins.append(plugin)
            state = .registering(registrations)
        }
    }

    // MARK: - Running

    /// Opens the store and the socket, finishes launching (B5), and runs until it is stopped or its task is cancelled.
    ///
    /// Returns after a drain: runs may end, for 10 seconds, before they are expired. Throws `TaskRunnerError`.
    public func run() async throws {
        let runner = try current() ?? start(throwing: ())
        await withTaskCancellationHandler {
            await runner.waitForEnd()
        } onCancel: {
            runner.stop()
        }
        state.withLock { $0 = .ended }
    }

    /// Opens the store and the socket and finishes launching, without waiting for the end.
    ///
    /// Throws `TaskRunnerError`, `startedTwice` included.
    public func start() throws {
        guard try current() == nil else {
            throw TaskRunnerError(.startedTwice, "The runner was started already; start it once, then run it.")
        }
        _ = try start(throwing: ())
    }

    /// Lets the runs end, expires those that do not, and ends `run()`. A second call expires at once.
    public func stop() {
        let started: EmbeddedRunner? = state.withLock { if case .started(let runner) = $0 { runner } else { nil } }
        started?.stop()
    }

    // MARK: - Requests

    /// Submits a request of this app; a reply means that it is on disk (B15). Only between `start` and the end.
    @discardableResult
    public func submit(_ request: TaskRequest, ifPending: PendingChoice = .replace) async throws(Refusal)
        -> Submission
    {
        try await started().calls.submit(request, SubmissionOptions(ifPending: ifPending, by: manifest.identifier))
    }

    /// Cancels the pending request of an identifier, and says whether there was one (B17).
    @discardableResult
    public func cancel(_ identifier: TaskIdentifier) async throws(Refusal) -> Bool {
        try await started().calls.cancel(identifier, by: manifest.identifier)
    }

    /// The engine, for tests and benchmarks.
    package func engine() throws(Refusal) -> Engine {
        try started().engine
    }

    /// A scheduler that knows the app, and no store yet.
    static func scheduler(for manifest: Manifest, options: TaskRunnerOptions) -> Scheduler {
        var policy = options.policy
        policy.concurrency = max(1, options.concurrency)
        let now = Moment(SystemClock.now())
        var scheduler = Scheduler(policy: policy, boot: BootIdentifier(SystemClock.bootIdentifier()), at: now)
        _ = scheduler.handle(.appLoaded(manifest.appDescription(host: .embedded)), at: now)
        return scheduler
    }

    // MARK: - Private

    private func started() throws(Refusal) -> EmbeddedRunner {
        let started: EmbeddedRunner? = state.withLock { if case .started(let runner) = $0 { runner } else { nil } }
        guard let started else {
            throw Refusal(.unavailable, "The runner does not run; call start or run first.")
        }
        return started
    }

    private func add(_ pending: PendingRegistration, queue: DispatchQueue?) throws(Refusal) {
        let refusal: Refusal? = state.withLock { state in
            guard case .registering(var registrations) = state else {
                return Refusal(
                    .registrationClosed,
                    "Registration ended when the runner started; register \(pending.identifier) before run().")
            }
            // The scheduler is changed in place: a second reference would copy it for each registration.
            state = .ended
            defer { state = .registering(registrations) }
            let registration = HandlerRegistration(
                identifier: pending.identifier, app: manifest.identifier, kind: pending.kind, origin: pending.origin)
            let now = Moment(SystemClock.now())
            let effects = registrations.scheduler.handle(
                .handlerRegistered(registration, call: CallIdentifier(0)), at: now)
            for case .reply(_, .refused(let refusal)) in effects { return refusal }
            let identifier = TaskIdentifier(checked: pending.identifier)
            registrations.handlers[identifier] = HandlerRuns.Handler(pending, queue: queue)
            return nil
        }
        if let refusal { throw refusal }
    }

    private func current() throws -> EmbeddedRunner? {
        try state.withLock { state in
            switch state {
            case .registering: return nil
            case .started(let runner): return runner
            case .ended: throw TaskRunnerError(.startedTwice, "The runner has ended; make a new one.")
            }
        }
    }

    private func start(throwing: Void) throws -> EmbeddedRunner {
        let registrations: Registrations? = state.withLock { state in
            guard case .registering(let registrations) = state else { return nil }
            state = .ended
            return registrations
        }
        guard let registrations else {
            throw TaskRunnerError(.startedTwice, "The runner was started already; start it once, then run it.")
        }
        let host = { (channel: EmbeddedChannel, awakeNow: @escaping @Sendable () -> AwakeTime) in
            EmbeddedHost(
                HandlerRuns(registrations.handlers, channel: channel, awakeNow: awakeNow), inbox: channel.inbox)
        }
        do {
            let runner = try EmbeddedRunner(
                app: manifest.identifier, scheduler: registrations.scheduler, options: options, host: host)
            state.withLock { $0 = .started(runner) }
            for plugin in registrations.plugins { runner.context.announceLaunch(to: plugin) }
            return runner
        } catch {
            // Nothing was started: the registrations are still good for another try.
            state.withLock { $0 = .registering(registrations) }
            throw error
        }
    }
}
