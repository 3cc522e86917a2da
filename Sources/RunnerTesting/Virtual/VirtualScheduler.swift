public import Dispatch
import Platform
public import Plugins
public import Scheduling

/// The scheduler that decides in the daemon, in virtual time, with the device that a test chooses.
///
/// Time stands still until `advance(by:)`. Handlers really run: their `Task.sleep` takes virtual time, and what they do
/// outside of Swift concurrency takes real time, for which `advance` waits as long as `patience` says.
///
/// The code under test reads the real clock, so dates that it submits are moved by what the virtual time is ahead.
public final class VirtualScheduler: Sendable {
    /// How long `advance` waits, in real time, for code that it cannot see, before time goes on.
    public var patience: Duration {
        get { settings.withLock { $0.patience } }
        set { settings.withLock { $0.patience = newValue } }
    }

    struct Settings {
        var patience = Duration.seconds(1)
        /// What the code under test wrote into its log.
        var log: [String] = []
        /// Calls that code made although its run was over.
        var lateCalls: [String] = []
        var watchesLateCalls = false
        /// Whether what goes on after the end of a run is watched.
        var closesBooks = false
        /// What a programmer has to mend, as the code under test was told.
        var misuses: [String] = []
        var isFinished = false
    }

    let manifest: Manifest
    let executor: VirtualExecutor
    let core: Locked<VirtualCore>
    let settings = Locked(Settings())
    private let driver: DispatchQueue
    private let driving = Locked(Driving())
    private let contents = Locked(Contents())
    let beginning: Moment

    private struct Driving {
        /// Whether the driver will look anyway.
        var isAwaited = false
    }

    private struct Contents {
        var runs: HandlerRuns?
        var calls: [CallIdentifier: @Sendable (Reply) -> Void] = [:]
        var plugins: [any TaskPlugin] = []
    }

    /// Makes a scheduler for the app of a manifest. Register handlers, then `finishLaunching()`.
    ///
    /// - Parameters:
    ///   - manifest: who the app is, and which identifiers it may use.
    ///   - limits: how many requests may be pending (B13).
    ///   - seed: 0 runs Swift tasks in the order in which they became ready; another one chooses another order.
    public init(manifest: Manifest, limits: VirtualLimits = .apple, seed: UInt64 = 0) {
        self.manifest = manifest
        var policy = Policy.prompt
        policy.limits = limits.requests
        // Far from the edges of the clocks, as on a machine that has been up for a while.
        let start = WallTime(milliseconds: SystemClock.milliseconds(.wall))
        let beginning = Moment(
            wall: start, boot: BootTime(milliseconds: 3_600_000), awake: AwakeTime(milliseconds: 3_600_000))
        self.beginning = beginning
        let boot = BootIdentifier("virtual")
        var scheduler = Scheduler(policy: policy, boot: boot, at: beginning)
        let facts = StartFacts(
            bootIdentifier: boot, osVersion: "virtual", runnerVersion: RunnerVersion.text, utcOffsetSeconds: 0)
        _ = scheduler.handle(.started(facts), at: beginning)
        _ = scheduler.handle(.appLoaded(manifest.appDescription(host: .embedded)), at: beginning)
        core = Locked(VirtualCore(scheduler))
        let driver = DispatchQueue(label: "virtual scheduler")
        self.driver = driver
        let wake = Locked<@Sendable () -> Void>({})
        executor = VirtualExecutor(seed: seed) { wake.withLock { $0 }() }
        let executor = executor
        let channel = VirtualChannel(self)
        let runs = HandlerRuns(channel: channel) { [beginning] in
            beginning.awake.advanced(by: executor.now)
        } makeExecutor: { queue, _ in
            if let queue { VirtualQueue(queue, executor) } else { executor }
        }
        contents.withLock { $0.runs = runs }
        wake.withLock { $0 = { [weak self] in self?.look() } }
    }

    deinit {
        executor.finish()
    }

    // MARK: - Registering

    /// Registers an async handler: returning completes the task, throwing fails it, expiration cancels it (B28).
    ///
    /// Throws `notPermitted`, `alreadyRegistered`, `registrationClosed`, `wildcardRegistration` or `invalidIdentifier`.
    public func register(
        _ identifier: String, kind: TaskKind? = nil, fileID: StaticString = #fileID, line: UInt = #line,
        handler: @escaping @Sendable (TaskContext) async throws -> Void
    ) throws(Refusal) {
        let registration = PendingRegistration(
            identifier: identifier, kind: kind, origin: "\(fileID):\(line)", handler: .async(handler))
        try add(registration, queue: nil)
    }

    /// Registers a handler in the explicit form: it sets `expirationHandler` and calls `setTaskCompleted(success:)`.
    ///
    /// It runs on the queue, or on a private serial one. Throws as the async form does.
    public func register(
        _ identifier: String, kind: TaskKind? = nil, using queue: DispatchQueue? = nil,
        fileID: StaticString = #fileID, line: UInt = #line,
        launchHandler: @escaping @Sendable (LaunchedTask) -> Void
    ) throws(Refusal) {
        let registration = PendingRegistration(
            identifier: identifier, kind: kind, origin: "\(fileID):\(line)", handler: .explicit(launchHandler))
        try add(registration, queue: queue)
    }

    /// Registers all handlers of a plugin, which is told when launching is finished.
    public func register(_ plugin: some TaskPlugin) throws {
        try plugin.register(in: TaskRegistry { (pending) throws(Refusal) in try self.add(pending, queue: nil) })
        contents.withLock { $0.plugins.append(plugin) }
    }

    /// Closes registration, and lets what is due be launched (B5, B8). Later calls change nothing.
    public func finishLaunching() {
        guard settings.withLock({ !exchange(&$0.isFinished, with: true) }) else { return }
        feed(.launchFinished(manifest.identifier))
        feed(.loadingFinished)
        let context = AppContext(identifier: manifest.identifier, recovered: nil, channel: VirtualChannel(self))
        for plugin in contents.withLock({ $0.plugins }) { announce(context, to: plugin) }
    }

    // MARK: - Requests

    /// Submits a request as the app would; its floor is in virtual time.
    @discardableResult
    public func submit(_ request: TaskRequest, ifPending: PendingChoice = .replace) throws(Refusal) -> Submission {
        try submission(
            ask { [manifest] in
                .requestSubmitted(
                    request, SubmissionOptions(ifPending: ifPending, by: manifest.identifier), call: $0)
            })
    }

    /// Submits a request that may not start before so much virtual time has passed.
    @discardableResult
    public func submit(_ identifier: String, after delay: Duration = .zero) throws(Refusal) -> Submission {
        let floor = delay > .zero ? now.advanced(by: delay) : nil
        return try submit(TaskRequest(identifier: TaskIdentifier(identifier), floor: floor))
    }

    /// Cancels the pending request of an identifier, and says whether there was one (B17).
    @discardableResult
    public func cancel(_ identifier: String) throws(Refusal) -> Bool {
        try cancelFromCode(TaskIdentifier(identifier))
    }

    /// What is pending, in virtual time.
    public var pendingRequests: [TaskRequest] {
        core.withLock { [manifest] core in
            core.scheduler.pending(app: manifest.identifier, after: 0, limit: .max).requests.map(\.asked)
        }
    }

    /// The pending request of an identifier.
    public func pendingRequest(_ identifier: String) -> TaskRequest? {
        pendingRequests.first { $0.identifier.text == identifier }
    }

    /// How long from now the pending request of an identifier is held by its floor; zero without one.
    ///
    /// `nil` when nothing is pending.
    public func floor(of identifier: String) -> Duration? {
        pendingRequest(identifier).map { request in
            request.floor.map { max(.zero, now.duration(to: $0)) } ?? .zero
        }
    }

    // MARK: - The device

    /// Says what the device is like from now on; what was never said is ideal (B19).
    public func set(_ conditions: VirtualCondition...) {
        for (condition, value) in conditions.map(\.reported) {
            feed(.conditionReported(condition, value, source: "the test", validFor: nil, call: nil))
        }
    }

    // MARK: - Looking

    /// The virtual time.
    public var now: WallTime { moment.wall }

    /// The virtual time since the beginning.
    public var elapsed: Duration { executor.now }

    /// Every run that has ended, in order.
    public var history: [RunReport] {
        core.withLock { [beginning] core in
            core.endedOrder.compactMap { run in
                core.ended[run].flatMap {
                    RunReport($0, diagnostics: core.diagnosticNames(of: run), since: beginning.wall)
                }
            }
        }
    }

    /// Why the task of an identifier has not run yet: one sentence, and a line for each gate that holds it.
    public func explain(_ identifier: String) throws(Refusal) -> String {
        let identifier = try TaskIdentifier(identifier)
        let moment = moment
        let explanation = core.withLock { $0.scheduler.explain(identifier, at: moment) }
        let gates = explanation.gates.filter { $0.verdict != .open }
        return ([explanation.summary] + gates.map { "\($0.gate.rawValue): \($0.detail)" }).joined(separator: "\n")
    }

    /// What the code under test wrote into its log.
    public var log: [String] { settings.withLock { $0.log } }

    // MARK: - For the parts

    var moment: Moment {
        let elapsed = executor.now
        return Moment(
            wall: beginning.wall.advanced(by: elapsed), boot: beginning.boot.advanced(by: elapsed),
            awake: beginning.awake.advanced(by: elapsed))
    }

    /// Takes in what happened, and does what has to be done.
    func feed(_ event: Event) {
        answer(handle(event))
        perform()
        executor.somethingHappened()
    }

    /// Asks, where the answer comes at once.
    func ask(_ event: (CallIdentifier) -> Event) -> Reply? {
        let call = core.withLock { $0.takeCall() }
        var own: Reply?
        var others: [(CallIdentifier, Reply)] = []
        for (answered, reply) in handle(event(call)) {
            if answered == call { own = reply } else { others.append((answered, reply)) }
        }
        answer(others)
        perform()
        executor.somethingHappened()
        return own
    }

    /// Asks, where the answer may come later.
    func ask(_ event: (CallIdentifier) -> Event, answer: @escaping @Sendable (Reply) -> Void) {
        let call = core.withLock { $0.takeCall() }
        contents.withLock { $0.calls[call] = answer }
        feed(event(call))
    }

    func add(_ registration: PendingRegistration, queue: DispatchQueue?) throws(Refusal) {
        let handler = HandlerRegistration(
            identifier: registration.identifier, app: manifest.identifier, kind: registration.kind,
            origin: registration.origin, infersKind: registration.infersKind ? true : nil)
        if case .refused(let refusal) = ask({ .handlerRegistered(handler, call: $0) }) { throw refusal }
        let identifier = TaskIdentifier(checked: registration.identifier)
        contents.withLock { $0.runs }?.add(HandlerRuns.Handler(registration, queue: queue), for: identifier)
    }

    /// Does something on the queue that moves time and runs what is ready.
    func drive<Result: Sendable>(_ body: @escaping @Sendable () -> Result) async -> Result {
        await withCheckedContinuation { continuation in
            driver.async { continuation.resume(returning: body()) }
        }
    }

    // MARK: - Private

    private func handle(_ event: Event) -> [(CallIdentifier, Reply)] {
        let moment = moment
        let (replies, ended) = core.withLock { core in
            let before = core.endedOrder.count
            return (core.handle(event, at: moment), core.endedOrder.count > before)
        }
        if ended { runEnded() }
        return replies
    }

    private func answer(_ replies: [(CallIdentifier, Reply)]) {
        for (call, reply) in replies {
            let answer = contents.withLock { $0.calls.removeValue(forKey: call) }
            answer?(reply)
        }
    }

    /// Does what is in the outbox, in order: one thread at a time.
    private func perform() {
        while true {
            let effects: [Effect] = core.withLock { core in
                guard !core.isPerforming, !core.outbox.isEmpty else { return [] }
                core.isPerforming = true
                return exchange(&core.outbox, with: [])
            }
            guard !effects.isEmpty else { return }
            for effect in effects { perform(effect) }
            core.withLock { $0.isPerforming = false }
        }
    }

    private func perform(_ effect: Effect) {
        guard let runs = contents.withLock({ $0.runs }) else { return }
        switch effect {
        case .launch(let order):
            if !runs.launch(order) { feed(.startFailed(order.run, reason: "no handler is registered")) }
        case .expire(let run, let reason, let grace): runs.expire(run, reason: reason, grace: grace)
        case .terminate(let run):
            if runs.revoke(run) { feed(.startFailed(run, reason: "its queue was busy")) }
        case .persist, .reply, .startProcess, .endProcess, .publish, .drained: break
        }
    }

    private func announce(_ context: AppContext, to plugin: some TaskPlugin) {
        Task(executorPreference: executor) {
            do {
                try await plugin.launched(context)
            } catch {
                context.log("The plugin could not do what it does after launching: \(error)", level: .error)
            }
        }
    }

    /// Something is ready while perhaps nobody drives.
    private func look() {
        guard driving.withLock({ !exchange(&$0.isAwaited, with: true) }) else { return }
        driver.async { [weak self] in
            guard let self else { return }
            driving.withLock { $0.isAwaited = false }
            executor.settle()
        }
    }
}

/// Gives a variable another value, and returns the old one.
func exchange<Value>(_ variable: inout Value, with new: Value) -> Value {
    let old = variable
    variable = new
    return old
}
