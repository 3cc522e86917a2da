package import Platform
package import Recording
package import Scheduling
package import SystemPlatform

/// Owns a scheduler: feeds it what happens, and does what it says, behind the commit barrier.
///
/// It is pinned to the event loop, so that descriptors, timers and children enter it without a hop.
package actor Engine {
    package nonisolated let loop: EventLoop
    package nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }
    /// For messages from other threads.
    nonisolated let inbox: EngineInbox

    package private(set) var scheduler: Scheduler
    package private(set) var options: EngineOptions
    let clock: any EngineClock
    let store: any EngineStore
    package internal(set) var storeReport: StoreReport
    package let startedAt: WallTime

    var barrier = Barrier()
    var health = StoreHealth.healthy
    var hosts: [AppIdentifier: any HandlerHost] = [:]
    /// Runs what no app's own host runs: the commands of bundles.
    private var fallbackHost: (any HandlerHost)?
    private var processHost: (any ProcessHost)?
    var sources: [any DeviceSource] = []
    var waiters = RunWaiters()
    var observers: [(Notice, Moment) -> Void] = []
    var drainedHandlers: [() -> Void] = []
    package private(set) var directory: (any BundleDirectory)?
    package private(set) var control: ControlService?
    var recorder: Recorder?
    var recentDiagnostics = RecentDiagnostics()
    var events = EventLog()

    var questions = StoreQuestions()
    private var responders: [UInt64: (owner: UInt64?, answer: Responder)] = [:]
    private var nextCall: UInt64 = 1
    /// What the scheduler wants; `nil` when it may have changed. Most turns change nothing.
    private var schedulerWakeup: Wakeup?
    /// What the clock was told last; `nil` when a deadline has passed since.
    private var lastWakeup: Wakeup? = .never
    var reconfigure: () -> Void = {}
    private var endedSinceRetention = 0
    private var isInTurn = false
    private var isFeeding = false
    private var queued: [Event] = []

    /// Who gets the answer of a call.
    package typealias Responder = (Answer) -> Void

    package enum Answer: Sendable {
        case reply(Reply)
        /// Nothing happened: the store failed before the answer could be given.
        case void(StoreFailure)
    }

    /// An engine around a scheduler that holds what the store holds; nothing starts before `start`.
    package init(
        loop: EventLoop, clock: any EngineClock, store: any EngineStore, scheduler: Scheduler,
        storeReport: StoreReport, options: EngineOptions
    ) throws(SystemError) {
        self.loop = loop
        self.clock = clock
        self.store = store
        self.storeReport = storeReport
        self.options = options
        self.scheduler = scheduler
        startedAt = clock.now().wall
        inbox = try EngineInbox(on: loop)
        inbox.engine = self
    }

    /// Tells the scheduler what is known of the machine; call it once, before apps are loaded.
    package func start(recorder: Recorder? = nil) {
        self.recorder = recorder
        loop.atEndOfTurn { [weak self] in self?.assumeIsolated { $0.commit() } }
        feed(.started(options.start))
    }

    // MARK: - Feeding

    package func now() -> Moment { clock.now() }

    /// Feeds an event, and does what follows from it. While another one's effects are done, it comes after them.
    package func feed(_ event: Event) {
        if isFeeding {
            queued.append(event)
        } else if isInTurn {
            feedNow(event)
        } else {
            turn { $0.feedNow(event) }
        }
    }

    /// Feeds an event that a caller waits for; `owner` is the connection that it came by.
    package func call(
        owner: UInt64? = nil, _ responder: @escaping Responder, _ event: (CallIdentifier) -> Event
    ) {
        let number = nextCall
        nextCall += 1
        let event = event(CallIdentifier(number))
        // A wish is refused during an outage; a fact cannot be, and is answered when it is durable.
        if case .broken(let outage) = health, !event.isFact, !event.isRegistration,
            !(event.endsRun && outage.isReloaded)
        {
            responder(.void(outage.failure))
            return
        }
        responders[number] = (owner, responder)
        feed(event)
    }

    /// The answers that somebody still waits for.
    var callCount: Int { responders.count }

    /// A connection is gone: nobody waits for its answers any more, nor for the launches that it asked for.
    func abandonCalls(of owner: UInt64) {
        let abandoned = responders.filter { $0.value.owner == owner }.keys.sorted()
        for number in abandoned {
            responders[number] = nil
            let call = CallIdentifier(number)
            if scheduler.awaitsLaunch(for: call) { feed(.callAbandoned(call)) }
        }
    }

    /// Runs an answer as soon as everything that it may have seen is durable.
    package func afterCommit(_ answer: @escaping (StoreFailure?) -> Void) {
        if barrier.isClear { answer(nil) } else { barrier.hold(.answer(answer)) }
    }

    /// Does something as one turn of the loop: at its end output is written and timers are set.
    func turn(_ body: (isolated Engine) -> Void) {
        precondition(!isInTurn, "turns do not nest")
        isInTurn = true
        body(self)
        // Within the turn, since room in the output lets more requests in; before the timers, since output may stall.
        control?.flush(self)
        isInTurn = false
        setWakeup()
    }

    /// Does something in the turn that there is, or as one of its own.
    func inTurn(_ body: (isolated Engine) -> Void) {
        if isInTurn { body(self) } else { turn(body) }
    }

    /// From here on what is fed waits for `endFeeding`; says whether this is the outermost one.
    func beginFeeding() -> Bool {
        defer { isFeeding = true }
        return !isFeeding
    }

    /// Feeds what waited, in order.
    func endFeeding(_ isOutermost: Bool) {
        guard isOutermost else { return }
        var next = 0
        while next < queued.count {
            feedNow(queued[next])
            next += 1
        }
        queued.removeAll(keepingCapacity: true)
        isFeeding = false
    }

    func feedNow(_ event: Event) {
        let now = clock.now()
        noteForReplay(event, at: now)
        feed(event, at: now)
    }

    func feed(_ event: Event, at now: Moment) {
        let isOutermost = beginFeeding()
        recorder?.record(event, at: now)
        let effects = scheduler.handle(event, at: now)
        recorder?.record(effects)
        schedulerWakeup = nil
        let isMirroring = isMirroringStore
        for effect in effects {
            switch effect {
            case .persist(let change): if isMirroring { barrier.add(change) }
            case .expire(let run, let reason, let grace): host(of: run)?.expire(run, reason: reason, grace: grace)
            case .terminate(let run): host(of: run)?.terminate(run)
            case .startProcess(let order): processHost?.start(order)
            case .endProcess(let app, let process, let cause): processHost?.end(app, process, cause)
            case .drained where storeFailure != nil:
                // Nothing runs any more, and the store may never be back: what it does not hold is lost either way.
                perform(effect)
            // Neither ending a run nor registering a handler waits for a store, and so does who asked for it.
            case .reply where (event.endsRun || event.isRegistration) && storeFailure != nil: perform(effect)
            case .publish(let notice) where !isMirroring && notice.outlivesFailedCommit: perform(effect)
            case .reply, .launch, .publish, .drained:
                // What does not mirror the store is fed again, and says the same then.
                guard isMirroring else { break }
                if barrier.isClear { perform(effect) } else { barrier.hold(.effect(effect)) }
            }
        }
        if isMirroring, !barrier.isClear {
            if event.isFact { barrier.note(event, at: now) }
            if barrier.hasChanges { loop.requestEndOfTurn() }
        }
        endFeeding(isOutermost)
    }

    /// Makes the scheduler hold what the store holds.
    func reloadScheduler(_ contents: StoreContents, at now: Moment) {
        scheduler.reload(contents, at: now)
        schedulerWakeup = nil
    }

    func takeCounts() -> Scheduler.Counts { scheduler.takeCounts() }

    /// A clock reached a deadline.
    package func timePassed() {
        lastWakeup = nil
        // What was said before a deadline counts, whichever the loop happens to look at first.
        fallbackHost?.settle()
        turn { engine in
            engine.feedNow(.timePassed)
            engine.retryStoreIfDue()
            engine.control?.timePassed(at: engine.clock.now().boot)
            engine.tellDue(at: engine.clock.now())
            for waiter in engine.waiters.timedOut(at: engine.clock.now().boot) { waiter.answer(.timedOut) }
        }
    }

    func setWakeup() {
        if schedulerWakeup == nil { schedulerWakeup = scheduler.takeWakeup() }
        var wakeup = schedulerWakeup ?? .never
        wakeup.add(waiters.deadline)
        wakeup.add(health.retryAt)
        wakeup.add(control?.deadline)
        wakeup.add(eventDeadline)
        guard wakeup != lastWakeup else { return }
        lastWakeup = wakeup
        clock.setWakeup(wakeup)
    }

    // MARK: - Effects

    func perform(_ effect: Effect) {
        switch effect {
        case .reply(let call, let reply):
            responders.removeValue(forKey: call.number)?.answer(.reply(reply))
        case .launch(let order):
            guard let host = hosts[order.app] ?? fallbackHost else {
                feed(.startFailed(order.run, reason: "its app has no host in this process"))
                return
            }
            host.launch(order)
        case .publish(let notice): publish(notice)
        case .drained:
            for handler in drainedHandlers { handler() }
        case .persist, .expire, .terminate, .startProcess, .endProcess:
            preconditionFailure("this effect is never held back")
        }
    }

    private func publish(_ notice: Notice) {
        let now = clock.now()
        if case .diagnostic(let diagnostic) = notice { recentDiagnostics.add(diagnostic) }
        for observer in observers { observer(notice, now) }
        tell(notice, at: now)
        // What grew too old while nothing ran goes at the start.
        if case .phaseChanged(.running) = notice { applyRetention() }
        guard case .ended(let record) = notice else { return }
        for waiter in waiters.ended(record.run) { waiter.answer(.ended(record)) }
        endedSinceRetention += 1
        if endedSinceRetention >= EngineOptions.retentionInterval {
            endedSinceRetention = 0
            applyRetention()
        }
    }

    private func host(of run: RunIdentifier) -> (any HandlerHost)? {
        scheduler.liveRun(run).flatMap { hosts[$0.app] ?? fallbackHost }
    }

    func dropResponder(of call: CallIdentifier, failure: StoreFailure) {
        responders.removeValue(forKey: call.number)?.answer(.void(failure))
    }

    // MARK: - Wiring

    package func addHost(_ host: any HandlerHost, for app: AppIdentifier) {
        hosts[app] = host
    }

    package func setFallbackHost(_ host: any HandlerHost) {
        fallbackHost = host
    }

    package func setProcessHost(_ host: any ProcessHost) {
        processHost = host
    }

    package func addSource(_ source: any DeviceSource) throws {
        sources.append(source)
        try source.start { [weak self] event in self?.assumeIsolated { $0.feed(event) } }
    }

    package func setControl(_ service: ControlService?) {
        control = service
    }

    package func setDirectory(_ bundles: any BundleDirectory) {
        directory = bundles
    }

    /// Takes over what may change while it runs: the policy, retention and simulation.
    package func reconfigure(_ policy: Policy, retention: Retention, simulation: Bool) {
        options.policy = policy
        options.retention = retention
        options.simulation = simulation
        if policy != scheduler.policy { feed(.policyChanged(policy)) }
    }

    package func observe(_ observer: @escaping (Notice, Moment) -> Void) {
        observers.append(observer)
    }

    /// What reads the configuration again when a reload is asked for.
    package func onReload(_ handler: @escaping () -> Void) {
        reconfigure = handler
    }

    package func onDrained(_ handler: @escaping () -> Void) {
        drainedHandlers.append(handler)
    }

    // MARK: - Waiting for runs

    /// Answers when the run has ended, or at the timeout; the number cancels the wait.
    func waitForEnd(
        of run: RunIdentifier, timeout: Duration?, _ answer: @escaping (RunWaiters.Outcome) -> Void
    ) -> UInt64 {
        let deadline = timeout.map { clock.now().boot.advanced(by: $0) }
        let number = waiters.add(RunWaiters.Waiter(run: run, deadline: deadline, answer: answer))
        setWakeup()
        return number
    }

    package func cancelWait(_ number: UInt64) {
        waiters.remove(number)
    }
}

extension Wakeup {
    fileprivate mutating func add(_ deadline: BootTime?) {
        guard let deadline else { return }
        boot = boot.map { min($0, deadline) } ?? deadline
    }
}
