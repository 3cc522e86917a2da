import Scheduling
import Simulation
import Testing

/// Lives through a timeline: events go in at virtual moments, effects come out and are committed at once.
struct Timeline {
    private(set) var scheduler: Scheduler
    private(set) var store = ShadowStore()
    private(set) var now: Moment
    /// Everything that came out since the last restart.
    private(set) var effects: [Effect] = []
    private(set) var wakeups = 0
    private(set) var boot = Fixture.firstBoot

    private let policy: Policy
    private var apps: [AppDescription]
    private var calls: UInt64 = 0
    /// Handlers that are registered again at every start: identifier and kind.
    private var handlers: [(identifier: TaskIdentifier, kind: TaskKind?)]

    /// A runner whose apps are loaded, whose handlers are registered and whose launch is finished.
    init(
        policy: Policy = .prompt, apps: [AppDescription] = [Fixture.embedded()],
        handlers: [(String, TaskKind?)] = [("refresh", nil), ("export", .processing), ("upload", .processing)],
        launched: Bool = true
    ) {
        self.policy = policy
        self.apps = apps
        self.handlers = handlers.map { (Fixture.task($0.0), $0.1) }
        now = Moment(
            wall: WallTime(milliseconds: 1_796_000_000_000), boot: BootTime(milliseconds: 1_000_000),
            awake: AwakeTime(milliseconds: 900_000))
        scheduler = Scheduler(policy: policy, boot: boot, at: now)
        if launched { launch() }
    }

    // MARK: Time

    /// Lets time pass, waking the scheduler whenever it asked to be woken.
    mutating func wait(_ duration: Duration, sourceLocation: SourceLocation = #_sourceLocation) {
        var left = duration.wholeMilliseconds
        var wakeupsAtOnce = 0
        while let next = timeToWakeup, next <= left {
            wakeupsAtOnce = next == 0 ? wakeupsAtOnce + 1 : 0
            if wakeupsAtOnce > 3 {
                Issue.record("the scheduler asks to be woken at once, again and again", sourceLocation: sourceLocation)
                return
            }
            move(next)
            left -= next
            wakeups += 1
            send(.timePassed)
        }
        move(left)
        send(.timePassed)
    }

    /// The machine sleeps: the awake clock stands still, and nobody is woken.
    mutating func sleep(_ duration: Duration) {
        now.wall = now.wall.advanced(by: duration)
        now.boot = now.boot.advanced(by: duration)
        send(.timePassed)
    }

    /// Somebody sets the wall clock.
    mutating func setClock(by change: Duration) {
        now.wall = now.wall.advanced(by: change)
        send(.clockJumped(milliseconds: change.wholeMilliseconds))
    }

    /// The time until the scheduler wants to be woken; `nil` when never.
    var timeToWakeup: Int64? {
        let wakeup = scheduler.nextWakeup
        let times = [
            wakeup.wall.map { $0.milliseconds - now.wall.milliseconds },
            wakeup.boot.map { $0.milliseconds - now.boot.milliseconds },
            wakeup.awake.map { $0.milliseconds - now.awake.milliseconds },
        ]
        return times.compactMap(\.self).min().map { max(0, $0) }
    }

    private mutating func move(_ milliseconds: Int64) {
        now.wall.milliseconds += milliseconds
        now.boot.milliseconds += milliseconds
        now.awake.milliseconds += milliseconds
    }

    // MARK: Life of the runner

    /// The runner dies and is started again; what was committed is all that is left.
    mutating func restart(launched: Bool = true) {
        effects = []
        scheduler = Scheduler(policy: policy, contents: store.contents, boot: boot, at: now)
        if launched { launch() }
    }

    /// The runner is started again, and finds other manifests.
    mutating func restart(with descriptions: [AppDescription]) {
        apps = descriptions
        restart()
    }

    /// The machine boots again after a while.
    mutating func reboot(after duration: Duration = .seconds(60), launched: Bool = true) {
        boot = BootIdentifier(boot.text + "'")
        now = Moment(
            wall: now.wall.advanced(by: duration), boot: BootTime(milliseconds: 5_000),
            awake: AwakeTime(milliseconds: 5_000))
        restart(launched: launched)
    }

    /// What a start does: loads the apps, registers, finishes.
    mutating func launch(os: String = "12", runner: String = "1.0") {
        send(.started(Fixture.startFacts(boot: boot, os: os, runner: runner)))
        for app in apps { send(.appLoaded(app)) }
        send(.loadingFinished)
        for app in apps where app.host == .embedded {
            registerHandlers()
            send(.launchFinished(app.app))
        }
    }

    /// Other manifests, as a reload finds them.
    mutating func reload(_ descriptions: [AppDescription]) {
        for app in apps where !descriptions.contains(where: { $0.app == app.app }) { send(.appRemoved(app.app)) }
        for description in descriptions { send(.appLoaded(description)) }
        apps = descriptions
    }

    mutating func registerHandlers() {
        for handler in handlers { register(handler.identifier.text, kind: handler.kind) }
    }

    /// A commit failed: the scheduler goes back to what the store holds.
    mutating func reloadFromStore() {
        scheduler.reload(store.contents, at: now)
    }

    // MARK: Events

    @discardableResult
    mutating func send(_ event: Event, sourceLocation: SourceLocation = #_sourceLocation) -> [Effect] {
        let new = handleWithoutCommit(event)
        store.commit(new)
        check(sourceLocation)
        return new
    }

    /// What an event leads to, with its commit still open.
    mutating func handleWithoutCommit(_ event: Event) -> [Effect] {
        let new = scheduler.handle(event, at: now)
        effects += new
        return new
    }

    private func check(_ sourceLocation: SourceLocation) {
        for problem in scheduler.checkInvariants(at: now) + store.problems {
            Issue.record(Comment(rawValue: problem), sourceLocation: sourceLocation)
        }
    }

    /// Sends an event that is answered, and gives the answer.
    mutating func ask(
        sourceLocation: SourceLocation = #_sourceLocation, _ event: (CallIdentifier) -> Event
    ) -> Reply? {
        calls += 1
        let call = CallIdentifier(calls)
        send(event(call), sourceLocation: sourceLocation)
        return reply(to: call)
    }

    /// A call whose answer may come later.
    mutating func begin(_ event: (CallIdentifier) -> Event) -> CallIdentifier {
        calls += 1
        let call = CallIdentifier(calls)
        send(event(call))
        return call
    }

    func reply(to call: CallIdentifier) -> Reply? {
        for case .reply(call, let reply) in effects { return reply }
        return nil
    }

    @discardableResult
    mutating func register(
        _ identifier: String, kind: TaskKind? = nil, infersKind: Bool? = nil, app: AppIdentifier = Fixture.app
    ) -> Reply? {
        ask {
            .handlerRegistered(
                HandlerRegistration(
                    identifier: identifier, app: app, kind: kind, origin: "Main.swift:1", infersKind: infersKind),
                call: $0)
        }
    }

    @discardableResult
    mutating func submit(
        _ identifier: TaskIdentifier, after delay: Duration? = nil, kind: TaskKind? = nil, network: Bool = false,
        power: Bool = false, title: String? = nil, strategy: SubmissionStrategy? = nil,
        ifPending: PendingChoice = .replace, by app: AppIdentifier? = nil
    ) -> Reply? {
        let request = TaskRequest(
            identifier: identifier, kind: kind, floor: delay.map { now.wall.advanced(by: $0) },
            requiresNetworkConnectivity: network, requiresExternalPower: power, title: title, strategy: strategy)
        return ask { .requestSubmitted(request, SubmissionOptions(ifPending: ifPending, by: app), call: $0) }
    }

    @discardableResult
    mutating func cancel(_ identifier: TaskIdentifier, by app: AppIdentifier? = nil) -> Reply? {
        ask { .requestCancelled(identifier, by: app, call: $0) }
    }

    @discardableResult
    mutating func simulate(_ identifier: TaskIdentifier, submit: Bool = false, budget: Bool = false) -> CallIdentifier {
        begin { .launchSimulated(identifier, SimulationOptions(submit: submit, budget: budget), call: $0) }
    }

    mutating func report(_ condition: DeviceCondition, _ value: ConditionValue?, source: String = "kernel") {
        send(.conditionReported(condition, value, source: source, validFor: nil, call: nil))
    }

    // MARK: Runs

    /// The run of an identifier that has not ended.
    func run(_ identifier: TaskIdentifier) -> RunRecord? {
        scheduler.activeRuns.first { $0.identifier == identifier }
    }

    /// The host confirms that the handler was entered.
    mutating func enter(_ identifier: TaskIdentifier, sourceLocation: SourceLocation = #_sourceLocation) {
        guard let run = run(identifier), run.state == .starting else {
            Issue.record("\(identifier) is not being started", sourceLocation: sourceLocation)
            return
        }
        send(.handlerEntered(run.run, nil), sourceLocation: sourceLocation)
    }

    /// The handler could not be started.
    mutating func failStart(_ identifier: TaskIdentifier, sourceLocation: SourceLocation = #_sourceLocation) {
        guard let run = run(identifier) else {
            Issue.record("\(identifier) is not being started", sourceLocation: sourceLocation)
            return
        }
        send(.startFailed(run.run, reason: "no such file"), sourceLocation: sourceLocation)
    }

    /// The handler completes, and its code is over.
    @discardableResult
    mutating func complete(
        _ identifier: TaskIdentifier, _ result: RunResult = .succeeded, returns: Bool = true,
        sourceLocation: SourceLocation = #_sourceLocation
    ) -> Reply? {
        guard let run = run(identifier) else {
            Issue.record("\(identifier) does not run", sourceLocation: sourceLocation)
            return nil
        }
        let answer = ask(sourceLocation: sourceLocation) { .runCompleted(run.run, result, message: nil, call: $0) }
        if returns { send(.handlerReturned(run.run), sourceLocation: sourceLocation) }
        return answer
    }

    /// Starts, enters and completes what is due.
    mutating func finish(_ identifier: TaskIdentifier, sourceLocation: SourceLocation = #_sourceLocation) {
        enter(identifier, sourceLocation: sourceLocation)
        complete(identifier, sourceLocation: sourceLocation)
    }

    // MARK: What came out

    func pending(_ identifier: TaskIdentifier) -> PendingRequest? {
        scheduler.pending(identifier)
    }

    func lastRun(_ identifier: TaskIdentifier) -> RunRecord? {
        store.lastRun(of: identifier)
    }

    /// The gates that hold the pending request of an identifier.
    func closedGates(_ identifier: TaskIdentifier) -> [GateName] {
        scheduler.explain(identifier, at: now).gates.filter { $0.verdict != .open }.map(\.gate)
    }

    /// The runs that were launched, in order.
    var launches: [LaunchOrder] {
        effects.compactMap { if case .launch(let order) = $0 { order } else { nil } }
    }

    var expirations: [ExpirationReason] {
        effects.compactMap { if case .expire(_, let reason, _) = $0 { reason } else { nil } }
    }

    var terminations: Int {
        effects.count { if case .terminate = $0 { true } else { false } }
    }

    var withdrawals: [TaskIdentifier] {
        effects.compactMap { if case .publish(.withdrawn(let request, _)) = $0 { request.identifier } else { nil } }
    }

    var diagnostics: [Diagnostic] {
        effects.compactMap { if case .publish(.diagnostic(let diagnostic)) = $0 { diagnostic } else { nil } }
    }
}

extension Reply? {
    /// The refusal's kind, if it is one.
    var refusal: Refusal.Kind? {
        if case .refused(let refusal) = self { refusal.kind } else { nil }
    }

    var message: String? {
        if case .refused(let refusal) = self { refusal.message } else { nil }
    }

    var submission: SubmissionResult? {
        if case .submitted(let result) = self { result } else { nil }
    }

    var outcome: SubmissionResult.Outcome? { submission?.outcome }

    /// Whether a cancel found a pending request.
    var cancelled: Bool? {
        if case .cancelled(let request) = self { request != nil } else { nil }
    }

    var accepted: Bool? {
        if case .accepted(let accepted) = self { accepted } else { nil }
    }

    var run: RunRecord? {
        if case .run(let record) = self { record } else { nil }
    }
}
