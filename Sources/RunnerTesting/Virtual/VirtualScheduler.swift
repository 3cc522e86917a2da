public import Dispatch
import Platform
public import Plugins
public import Scheduling

/// The scheduler that decides in the daemon, in virtual time, with the device that a test chooses.
///
/// Time stands still until `advance(by:)`. Handlers really run: their `Task.sleep` takes virtual time, on the main actor
/// too, and what they do outside of Swift concurrency takes real time, for which `advance` waits as `patience` says.
///
/// When it goes, so does the app: the tasks that its code left are cancelled and end without it, in real time.
///
/// The code under test reads the real clock, so dates that it submits are moved by what the virtual time is ahead.
public final class VirtualScheduler: Sendable {
    /// How long `advance` waits, in real time, for code that it cannot see, before time goes on; a second by default.
    ///
    /// So long it waits each time when nothing but such code could go on. See `patienceBesideSleep` for when a task sleeps.
    public var patience: Duration {
        get { settings.withLock { $0.patience } }
        set { settings.withLock { $0.patience = newValue } }
    }

    /// How long `advance` waits for code that it cannot see while a task sleeps; `nil`, the default, finds that out.
    ///
    /// Most tasks that sleep wait for nothing else, and waiting for each of them would take long. So, and never for longer
    /// than `patience`, it waits a tenth of a second in all, then 10 milliseconds each time; once something came from out
    /// of sight, 4 times as long as the slowest of that took, 0.4 seconds at most. Set it where an answer that takes longer
    /// races a sleep.
    public var patienceBesideSleep: Duration? {
        get { settings.withLock { $0.patienceBesideSleep } }
        set { settings.withLock { $0.patienceBesideSleep = newValue } }
    }

    struct Settings {
        var patience = Duration.seconds(1)
        var patienceBesideSleep: Duration?
        var outside = OutsidePatience()
        /// What the code under test wrote into its log.
        var log: [String] = []
        /// Calls that code made although its run was over.
        var lateCalls: [String] = []
        var watchesLateCalls = false
        /// Whether what goes on after the end of a run is watched.
        var closesBooks = false
        /// What a programmer has to mend, as the code under test was told.
        var misuses: [String] = []
        /// Those of them of which the test was not told, since the thread did not know of it.
        var untold: [(String, TestIssue.Place?)] = []
        /// What wants to be looked at before time goes on.
        var samplers: [Int: @Sendable () -> Void] = [:]
        var nextSampler = 0
        /// Called when a run is over.
        var runEnded: @Sendable () -> Void = {}
        var isFinished = false
        /// Whether requests stay pending, whatever their gates say.
        var holdsRequests = false
    }

    let manifest: Manifest
    let executor: VirtualExecutor
    let core: Locked<VirtualCore>
    let settings = Locked(Settings())
    let driver: DispatchQueue
    let driving = Locked(Driving())
    let contents = Locked(Contents())
    let beginning: Moment
    /// Whether the test that made it is one of Swift Testing.
    let isOfSwiftTesting = TestIssue.isInSwiftTesting

    struct Driving {
        /// Whether the driver will look anyway.
        var isAwaited = false
    }

    struct Contents {
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
        tellMisuses()
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
        defer { tellMisuses() }
        return await withCheckedContinuation { continuation in
            driver.async { continuation.resume(returning: body()) }
        }
    }
}

/// Gives a variable another value, and returns the old one.
func exchange<Value>(_ variable: inout Value, with new: Value) -> Value {
    let old = variable
    variable = new
    return old
}
