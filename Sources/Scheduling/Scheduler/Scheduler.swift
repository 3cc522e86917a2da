/// The scheduler as a value: events go in with the time they happened, effects come out.
///
/// It never reads a clock, a file, a socket or a random number, so that the same value drives the daemon, a test and a
/// simulated year. Cost: submitting, cancelling and waking are O(log n) in pending requests; an event that opens no
/// gate is O(1); nothing scans all pending requests.
package struct Scheduler: Sendable {
    package internal(set) var policy: Policy { didSet { holdingGates = Self.holdingGates(of: policy) } }
    /// The gates that can hold a single request under the policy, in the order in which they are looked at.
    private(set) var holdingGates: [GateName]
    package internal(set) var phase = RunnerPhase.starting
    package internal(set) var start: StartFacts?
    package internal(set) var recovered: RecoveryCause?

    /// The boot that readings of the boot clock count from.
    var bootIdentifier: BootIdentifier
    var facts = RunnerFacts()
    var tasks = TaskTable()
    var apps = AppTable()
    var runs = RunTable()
    var device = DeviceState()
    var windows: WindowState
    /// Whether what the last window let begin was ended with it.
    var windowHasEndedRuns = true

    /// Pending requests by the deadline that holds them, or by the gate, or ready to be claimed.
    var wallDeadlines = IndexedHeap()
    var bootDeadlines = IndexedHeap()
    var waiting = WaitingLists()
    var ready = IndexedHeap()
    /// Tasks whose re-arm was refused, by the boot time of the next try (B37).
    var rearms = IndexedHeap()

    /// Apps whose process is to be started, in the order in which it was asked for.
    var wantedApps: [Int32] = []
    /// Apps by what their process has to have done, or how long it may be idle; and by the end of their backoff.
    var processDeadlines = IndexedHeap()
    var processBackoffs = IndexedHeap()
    var nextProcess: Int64 = 1
    /// Submissions of apps of which it is not known yet what they register.
    var submissionsAwaitingLaunch: [AwaitingSubmission] = []

    /// What earlier runs left behind and is not gone yet.
    var leftovers: [TaskIdentifier: Leftover] = [:]
    /// Runs of the store that had not ended when the last runner did; `nil` once they are judged.
    var unjudgedRuns: [RunRecord]?
    /// Requests with smaller submission numbers are from before this start.
    var firstSubmission: Int64 = 1
    /// Runs below this were left by the last runner.
    var firstRun: Int64 = 1
    /// Simulated launches of apps whose launch is not finished.
    var simulationsAwaitingLaunch: [AwaitingSimulation] = []
    var storeFailure: StoreFailure?
    var storeFailedAt: WallTime?
    var drainBeganAt: WallTime?
    var drainDeadline: AwakeTime?
    var drainReported = false
    var closures = ClosureLog()
    var slotsTaken = 0
    /// Pending requests that count in no limit (B42).
    var strandedCount = 0
    var nextSubmission: Int64 = 1
    var nextRun: Int64 = 1

    /// How many more single tasks' gates may be told of while this event is handled.
    var gateNoticesLeft = 0
    /// The effects of the event that is being handled.
    private var effects: [Effect] = []

    struct AwaitingSimulation: Sendable {
        var app: Int32
        var identifier: TaskIdentifier
        var options: SimulationOptions
        var call: CallIdentifier
    }

    struct AwaitingSubmission: Sendable {
        var app: Int32
        var request: TaskRequest
        var options: SubmissionOptions
        var call: CallIdentifier?
    }

    /// A scheduler over what a store holds. Nothing runs before `loadingFinished`.
    package init(policy: Policy, contents: StoreContents = StoreContents(), boot: BootIdentifier, at now: Moment) {
        self.policy = policy
        holdingGates = Self.holdingGates(of: policy)
        windows = WindowState(seed: policy.windowSeed, boot: boot)
        bootIdentifier = boot
        adopt(contents, at: now)
    }

    /// Takes in what happened, and says what has to be done, in order.
    package mutating func handle(_ event: Event, at now: Moment) -> [Effect] {
        gateNoticesLeft = Self.mostGateNotices
        advance(to: now)
        apply(event, at: now)
        pump(at: now)
        reportDrained()
        var result: [Effect] = []
        swap(&result, &effects)
        return result
    }

    /// When the time must be told next; at most one deadline a clock.
    package var nextWakeup: Wakeup {
        var wakeup = Wakeup()
        wakeup.wall = wallDeadlines.first.map { WallTime(milliseconds: $0.key) }
        wakeup.boot = device.deadline
        for key in [
            bootDeadlines.first?.key, rearms.first?.key, processBackoffs.first?.key, windowDeadline?.milliseconds,
        ] {
            guard let key, key < wakeup.boot?.milliseconds ?? .max else { continue }
            wakeup.boot = BootTime(milliseconds: key)
        }
        wakeup.awake = drainDeadline
        for key in [runs.deadlines.first?.key, processDeadlines.first?.key] {
            guard let key, key < wakeup.awake?.milliseconds ?? .max else { continue }
            wakeup.awake = AwakeTime(milliseconds: key)
        }
        return wakeup
    }

    // MARK: - For the parts

    mutating func emit(_ effect: Effect) {
        if effects.isEmpty { effects.reserveCapacity(8) }
        effects.append(effect)
    }

    mutating func persist(_ change: StoreChange) {
        emit(.persist(change))
    }

    mutating func reply(_ call: CallIdentifier?, _ reply: Reply) {
        guard let call else { return }
        emit(.reply(call, reply))
    }

    mutating func publish(_ notice: Notice) {
        emit(.publish(notice))
    }

    mutating func diagnose(
        _ name: Diagnostic.Name, _ severity: Diagnostic.Severity, _ identifier: TaskIdentifier?,
        app: AppIdentifier? = nil, at now: Moment, _ message: String, expected: String? = nil, fix: String? = nil
    ) {
        publish(
            .diagnostic(
                Diagnostic(
                    name, severity, at: now.wall, identifier: identifier, app: app, message: message,
                    expected: expected, fix: fix)))
    }

    private mutating func apply(_ event: Event, at now: Moment) {
        switch event {
        case .started(let facts): began(facts, at: now)
        case .loadingFinished: finishLoading(at: now)
        case .timePassed: break
        case .policyChanged(let policy): changePolicy(policy, at: now)
        case .clockJumped(let milliseconds): clockJumped(milliseconds, at: now)
        case .utcOffsetChanged(let seconds): device.setUTCOffset(seconds)
        case .drainBegan(let grace): drain(grace: grace, at: now)
        case .drainHurried: hurryDrain(at: now)
        case .storeFailed(let failure): storeFailed(failure, at: now)
        case .storeRecovered: storeRecovered(at: now)
        case .appLoaded, .appRemoved, .handlerRegistered, .launchFinished, .paused, .resumed, .appOpened,
            .appForceQuit, .refreshSwitched, .quarantineLifted:
            applyToApp(event, at: now)
        case .processStarted, .processStartFailed, .appConnected, .processGone, .foreignRunNamed, .appLeftoverFound,
            .appLeftoverGone:
            applyToProcess(event, at: now)
        case .requestSubmitted(let request, let options, let call):
            submit(request, options, call: call, at: now)
        case .requestCancelled(let identifier, let app, let call):
            cancel(identifier, by: app, call: call, at: now)
        case .allRequestsCancelled(let app, let call): cancelAll(app, call: call, at: now)
        case .launchSimulated(let identifier, let options, let call):
            simulateLaunch(identifier, options, call: call, at: now)
        case .expirationSimulated(let identifier, let reason, let call):
            simulateExpiration(identifier, reason, call: call, at: now)
        case .stopAsked(let identifier, let run, let call): stop(identifier, run: run, call: call, at: now)
        case .callAbandoned(let call): simulationsAwaitingLaunch.removeAll { $0.call == call }
        case .handlerEntered(let run, let process): handlerEntered(run, process, at: now)
        case .startFailed(let run, let reason, let remedy): startFailed(run, reason, remedy: remedy, at: now)
        case .runCompleted(let run, let result, let message, let call):
            complete(run, result, message: message, call: call, at: now)
        case .handlerReturned(let run): handlerReturned(run, at: now)
        case .processExited(let run, let exit): processExited(run, exit, at: now)
        case .progressed(let run, let progress): progressed(run, progress, at: now)
        case .leftoverFound(let leftover): leftoverFound(leftover, at: now)
        case .leftoverGone(let identifier): leftoverGone(identifier, at: now)
        case .windowOpened(let length): openWindow(lasting: length, at: now)
        case .conditionReported, .sourceLost, .conditionOverridden, .overrideCleared:
            applyToDevice(event, at: now)
        }
    }

    private mutating func applyToApp(_ event: Event, at now: Moment) {
        switch event {
        case .appLoaded(let description): loadApp(description, at: now)
        case .appRemoved(let app): removeApp(app, at: now)
        case .handlerRegistered(let registration, let call): register(registration, call: call, at: now)
        case .launchFinished(let app): finishLaunching(app, at: now)
        case .paused(let app, let call): setPaused(true, app, call: call, at: now)
        case .resumed(let app, let call): setPaused(false, app, call: call, at: now)
        case .appOpened(let app, let call): appOpened(app, call: call, at: now)
        case .appForceQuit(let app, let call):
            changeApp(app, call: call, at: now) { $0.forceQuitAt = now.wall }
        case .refreshSwitched(let app, let enabled, let call):
            changeApp(app, call: call, at: now) { $0.refreshDisabledAt = enabled ? nil : now.wall }
        case .quarantineLifted(let app, let call):
            if let position = apps.find(app) { forgetFailures(of: position) }
            changeApp(app, call: call, at: now) { $0.endQuarantine() }
        default: preconditionFailure("not an event of an app")
        }
    }

    private mutating func applyToProcess(_ event: Event, at now: Moment) {
        switch event {
        case .processStarted(let app, let process, let mark): processStarted(app, process, mark, at: now)
        case .processStartFailed(let app, let process, let reason, let remedy):
            processStartFailed(app, process, reason, remedy: remedy, at: now)
        case .appConnected(let app, let process): appConnected(app, process, at: now)
        case .processGone(let app, let process, let end): processGone(app, process, end, at: now)
        case .foreignRunNamed(let app, let run):
            diagnose(
                .foreignRun, .error, nil, app: app, at: now,
                "\(app) spoke of run \(run.number), which is not its own; it was refused.",
                expected: "A plugin that completes its own runs only.", fix: "Use the run of task.launch.")
        case .appLeftoverFound(let app): appLeftoverFound(app, at: now)
        case .appLeftoverGone(let app): appLeftoverGone(app, at: now)
        default: preconditionFailure("not an event of a process")
        }
    }
}
