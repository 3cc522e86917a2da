import Scheduling
import Simulation
import TestSupport

/// One random life of a runner, drawn from a seed: callers, hosts, the device, the clocks, crashes and failed commits.
///
/// The part of the engine is played by this driver: effects gather in batches until they are committed, and what is
/// deferred leaves after the commit.
struct RandomHistory {
    /// What one event led to, as long as it is not committed.
    struct Batch {
        var effects: [Effect]
        /// The event, when it cannot be undone.
        var fact: Event?
    }

    /// What a host really does, whatever the scheduler knows of it.
    enum Code {
        case starting
        case entered
        /// It has completed, and its code goes on.
        case completed
    }

    struct Host {
        var identifier: TaskIdentifier
        var isCommand: Bool
        var code = Code.starting
        /// The process that has it.
        var process: ProcessNumber?
        /// Its process was gone before the launch came to it.
        var isLost = false
    }

    let seed: UInt64
    let policy: Policy
    var random: SplitMix64
    var scheduler: Scheduler
    var store = ShadowStore()
    var now: Moment
    var boot = Fixture.firstBoot
    var boots = 0

    var uncommitted: [Batch] = []
    var isStoreDown = false
    var hosts: [RunIdentifier: Host] = [:]
    var leftovers: [Leftover] = []
    /// The process of the app that has one.
    var process: Process?
    /// A process that was ordered, and of which the scheduler has not heard yet.
    var unreported: ProcessNumber?
    /// A process that an earlier runner started still lives.
    var hasAppLeftover = false
    /// Runs whose expiration handler was called in this life.
    var expired: Set<RunIdentifier> = []
    var hasDrained = false
    /// The embedded app's process has not finished launching yet.
    var isLaunching = false
    var calls: UInt64 = 0

    /// Who knows of this life only what was published.
    var observer: Observer

    var problems: [String] = []
    /// What every scheduler of this history lived through, when somebody wants to play it again.
    var tape: Tape?
    /// What happened, when somebody wants to read it.
    var log: [String]?

    init(seed: UInt64, logs: Bool = false, records: Bool = false, deafTo kind: Observer.Kind? = nil) {
        self.seed = seed
        log = logs ? [] : nil
        tape = records ? Tape() : nil
        var random = SplitMix64(seed: seed)
        policy = Self.policy(&random)
        self.random = random
        now = Moment(
            wall: WallTime(milliseconds: 1_796_000_000_000), boot: BootTime(milliseconds: 1_000_000),
            awake: AwakeTime(milliseconds: 900_000))
        scheduler = Scheduler(policy: policy, boot: boot, at: now)
        observer = Observer(scheduler, deafTo: kind)
        tape?.begin(Life(policy: policy, contents: StoreContents(), boot: boot, at: now))
        start()
    }

    /// Lives through so many steps and then through quiet time.
    mutating func live(steps: Int, endsQuietly: Bool) {
        for _ in 0..<steps where problems.isEmpty {
            if hasDrained { crash() } else { step() }
            check()
        }
        if problems.isEmpty, endsQuietly { quiet() }
    }

    private static func policy(_ random: inout SplitMix64) -> Policy {
        var policy = Policy(
            name: "random",
            limits: RequestLimits(
                name: "tiny", refreshPerApp: 2, processingPerApp: 2, allPerApp: 3, inAll: 5))
        policy.concurrency = 1 + random.below(2)
        if random.chance(40) {
            policy.gates.refreshSwitch = true
            policy.gates.forceQuitHoldsRefresh = true
            policy.gates.lowPowerModeHoldsRefresh = true
            policy.gates.processingNeedsIdle = true
            policy.gates.minimumBatteryLevel = 0.2
            policy.gates.runTimePerDay = .minutes(1)
            policy.gates.refreshInterval = .seconds(20)
            policy.gates.misbehaviourDoublesInterval = true
        }
        return policy
    }

    // MARK: - Events

    /// Feeds an event, and lets chance decide what becomes of its commit.
    mutating func feed(_ event: Event, settles: Bool = true) {
        log?.append("\(now.wall.milliseconds % 1_000_000_000) \(event)")
        let effects = scheduler.handle(event, at: now)
        tape?.add(.event(event, at: now), effects)
        for effect in effects { act(effect) }
        uncommitted.append(Batch(effects: effects, fact: event.isFact ? event : nil))
        reportSpawn()
        if settles { settle() }
    }

    mutating func call() -> CallIdentifier {
        calls += 1
        return CallIdentifier(calls)
    }

    /// What does not wait for a commit.
    private mutating func act(_ effect: Effect) {
        switch effect {
        case .expire(let run, let reason, _):
            log?.append("  expire \(run.number) \(reason)")
            if !expired.insert(run).inserted { problems.append("run \(run.number) was expired twice") }
            if hosts[run] == nil { problems.append("run \(run.number) was expired, but no host has it") }
        case .terminate(let run):
            log?.append("  terminate \(run.number)")
        case .launch(let order):
            log?.append("  launch \(order.identifier) as \(order.run.number)")
            if isStoreDown { problems.append("\(order.identifier) was launched while the store was down") }
        case .persist(let change): log?.append("  persist \(Self.short(change))")
        case .reply(_, let reply): log?.append("  reply \(Self.short(reply))")
        case .startProcess(let order): spawn(order)
        case .endProcess(_, let number, let cause): endProcess(number, cause)
        case .publish, .drained: break
        }
    }

    // MARK: - The store

    mutating func settle() {
        guard !uncommitted.isEmpty else { return }
        if isStoreDown {
            if random.chance(30) { recover() }
            return
        }
        switch random.below(100) {
        case ..<72: commit(uncommitted.count)
        case ..<93: break
        case ..<97: crash()
        default: failCommit()
        }
    }

    /// Commits the first batches in one transaction, and lets out what waited for it.
    mutating func commit(_ count: Int) {
        for batch in uncommitted.prefix(count) {
            store.commit(batch.effects)
            for effect in batch.effects { release(effect) }
        }
        uncommitted.removeFirst(count)
        problems += store.problems
    }

    /// A failed commit is a crash in place (01).
    private mutating func failCommit() {
        log?.append("the commit failed")
        let facts = uncommitted.compactMap(\.fact)
        uncommitted = []
        isStoreDown = true
        feed(.storeFailed(StoreFailure(.full, "The disk is full.")), settles: false)
        scheduler.reload(store.contents, at: now)
        tape?.add(.reload(store.contents, at: now), [])
        check()
        for fact in facts { feed(fact, settles: false) }
    }

    mutating func recover() {
        log?.append("the store recovered")
        isStoreDown = false
        commit(uncommitted.count)
        feed(.storeRecovered, settles: false)
        commit(uncommitted.count)
    }

    private mutating func release(_ effect: Effect) {
        switch effect {
        case .launch(let order):
            hosts[order.run] = host(of: order)
        case .reply(_, .submitted(let result)):
            if result.outcome != .kept, !store.wasPending(result.request.submission) {
                problems.append("submission \(result.request.submission) was acknowledged, but never stored")
            }
        case .reply(_, .cancelled(.some(let request))):
            if store.requests[request.identifier]?.submission == request.submission {
                problems.append("submission \(request.submission) was cancelled, but is still stored")
            }
        case .drained:
            hasDrained = true
            if !store.contents.unfinishedRuns.isEmpty { problems.append("the runner drained while something ran") }
        case .publish(let notice): observer.apply(notice)
        case .persist, .reply, .expire, .terminate, .startProcess, .endProcess: break
        }
    }

    // MARK: - Crashes and starts

    /// The process dies: what was committed is all that is left of what it knew.
    mutating func crash() {
        commit(random.below(uncommitted.count + 1))
        let reboots = random.chance(25)
        log?.append(reboots ? "crash and reboot" : "crash")
        if reboots {
            boots += 1
            boot = BootIdentifier("boot \(boots)")
            now.wall = now.wall.advanced(by: .seconds(random.below(100)))
            now.boot = BootTime(milliseconds: 1_000)
            now.awake = AwakeTime(milliseconds: 1_000)
            leftovers = []
        } else {
            for (run, host) in hosts.sorted(by: { $0.key < $1.key })
            where host.isCommand && host.code == .entered && random.chance(30) {
                if let record = store.runs[run] { leftovers.append(Leftover(record)) }
            }
        }
        crashProcess(reboots: reboots)
        uncommitted = []
        isStoreDown = false
        hosts = [:]
        expired = []
        hasDrained = false
        let claims = store.contents.unfinishedRuns
        scheduler = Scheduler(policy: policy, contents: store.contents, boot: boot, at: now)
        observer = Observer(scheduler, deafTo: observer.deaf)
        tape?.begin(Life(policy: policy, contents: store.contents, boot: boot, at: now))
        checkRestored()
        start()
        checkJudged(claims)
    }

    private mutating func start() {
        let known = Set(store.contents.leftovers.map(\.run))
        for leftover in leftovers where !known.contains(leftover.run) {
            problems.append("what run \(leftover.run.number) left behind is not looked for")
        }
        feed(.started(Fixture.startFacts(boot: boot)), settles: false)
        for leftover in leftovers { feed(.leftoverFound(leftover), settles: false) }
        feed(hasAppLeftover ? .appLeftoverFound(Self.plug) : .appLeftoverGone(Self.plug), settles: false)
        if random.chance(90) { feed(.appLoaded(Self.plugin(random.below(2))), settles: false) }
        if random.chance(90) { feed(.appLoaded(Self.embedded(random.below(2))), settles: false) }
        if random.chance(90) { feed(.appLoaded(Self.commands(random.below(2))), settles: false) }
        isLaunching = true
        if random.chance(30) { finishLaunching() }
        feed(.loadingFinished, settles: false)
        if random.chance(80) { finishLaunching() }
        commit(uncommitted.count)
    }

    /// The embedded program registers its handlers and finishes its launch.
    mutating func finishLaunching() {
        guard isLaunching else { return }
        isLaunching = false
        for (identifier, kind) in Self.handlers where random.chance(92) {
            let registration = HandlerRegistration(
                identifier: identifier.text, app: Fixture.app, kind: kind, origin: "Main.swift:1")
            feed(.handlerRegistered(registration, call: call()), settles: false)
        }
        feed(.launchFinished(Fixture.app), settles: false)
    }
}

extension Event {
    /// Whether it cannot be undone, so that it is fed again after a failed commit.
    fileprivate var isFact: Bool {
        switch self {
        case .started, .handlerEntered, .startFailed, .runCompleted, .handlerReturned, .processExited, .progressed,
            .leftoverFound, .leftoverGone, .sourceLost, .clockJumped, .conditionReported, .drainBegan, .drainHurried,
            .processGone, .processStartFailed:
            true
        default: false
        }
    }
}
