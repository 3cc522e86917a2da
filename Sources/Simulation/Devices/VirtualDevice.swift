package import Scheduling

/// One device that lives through a scenario's days: the real scheduler, with everything around it made up.
///
/// The same scenario and seed give the same days, everywhere.
package struct VirtualDevice: Sendable {
    /// What is on the agenda.
    enum Item: Sendable {
        case day(Int)
        case action(ScenarioAction)
        case arrival(app: Int)
        case runEnds(RunIdentifier, ProcessExit)
        case becomesIdle(Int)
        case processReady(app: Int, ProcessNumber)
        case fetchEnds(app: Int)
        case fetchIsDue(app: Int)
        case bootEnds
        case sourceReturns
    }

    let scenario: Scenario
    let device: ScenarioDevice
    let seed: UInt64

    package private(set) var scheduler: Scheduler
    var clock: VirtualClock
    var agenda = Agenda<Item>()
    var apps: [VirtualApp]
    var random: SplitMix64
    var conditions: [DeviceCondition: ConditionValue] = [:]
    var runs: [RunIdentifier: VirtualRun] = [:]
    var recorder: DayRecorder?
    /// Watches over every effect, and holds what a crash leaves; `nil` when nothing can crash and nobody watches.
    package internal(set) var shadow: ShadowStore?
    /// Holds every launch against rules of its own; there with `shadow`.
    var gates: ShadowGates?
    /// Changes what the scheduler says before anything sees it, to see that the shadow finds it out.
    private let tampering: (@Sendable (inout [Effect]) -> Void)?
    let faults: Faults
    var faultRandom: SplitMix64
    /// Changes that the scheduler was not told of yet.
    var unreported: [DeviceCondition] = []
    /// What the checks of the whole have found.
    private(set) var found: [String] = []
    /// How much happened: events of all kinds.
    package private(set) var eventCount = 0
    package internal(set) var launchCount = 0
    /// How often the runner died.
    var crashCount = 0
    /// Nothing goes wrong any more, and nothing of the scenario happens.
    var isCalm = false

    private let places: [TaskIdentifier: (app: Int, task: Int)]
    private let end: Int64
    private var inbox: [Event] = []
    private var isFeeding = false
    private var call: UInt64 = 0
    private(set) var bootNumber = 1
    var osVersion = "1"
    /// When the last run of each task began.
    var lastStarts: [TaskIdentifier: WallTime] = [:]
    /// How often the device was taken into use.
    var useNumber = 0
    var usedUntil = Int64.min
    var isOff = false
    /// Whether windows have to be looked at though no request waits for one.
    private let watchesWindows: Bool

    /// - Parameters:
    ///   - recording: whether a report is wanted; without one only the scheduler's own work is done.
    ///   - schedulerPolicy: what the scheduler does otherwise than the shadow model believes, to see that it is seen.
    ///   - watching: whether every effect is held against the shadow model.
    ///   - effects: what is planted among the effects of each event, to see that it is seen.
    package init(
        _ scenario: Scenario, device: ScenarioDevice, seed: UInt64, days: Int? = nil, recording: Bool = true,
        watching: Bool = true, faults: Faults = .none, schedulerPolicy: (inout Policy) -> Void = { _ in },
        effects: (@Sendable (inout [Effect]) -> Void)? = nil
    ) {
        tampering = effects
        self.device = device
        self.faults = faults
        faultRandom = SplitMix64(seed: seed ^ 0x00FA_0175)
        self.seed = seed
        var scenario = scenario
        scenario.apps.removeAll { $0.devices?.contains(device.name) == false }
        self.scenario = scenario
        apps = scenario.apps.map { VirtualApp($0) }
        var places: [TaskIdentifier: (app: Int, task: Int)] = [:]
        for (app, content) in scenario.apps.enumerated() {
            for (task, content) in content.tasks.enumerated() { places[content.identifier] = (app, task) }
        }
        self.places = places
        random = SplitMix64(seed: seed)
        var policy = device.policy
        policy.apple?.seed = random.next()
        policy.doze?.seed = random.next()
        clock = VirtualClock(start: scenario.start, time: -Int64(scenario.warmUpDays) * Self.day)
        end = Int64(days ?? scenario.days) * Self.day
        var planted = policy
        schedulerPolicy(&planted)
        scheduler = Scheduler(policy: planted, boot: Self.boot(1), at: clock.now)
        if watching || scenario.events.contains(where: \.action.endsScheduler) {
            shadow = ShadowStore()
            gates = ShadowGates(policy, at: clock.now)
        }
        if recording { recorder = DayRecorder(scenario, device) }
        watchesWindows = recording || scenario.apps.contains { $0.pushes != nil || $0.fetch != nil }
        for condition in device.conditions { conditions[condition.condition] = condition.value }
    }

    static let day = Duration.days(1).wholeMilliseconds

    /// Lives through all days.
    package mutating func live() {
        start(.atBeginning)
        switchNeighbours()
        for app in device.refreshDisabled { setRefresh(app, on: false) }
        agenda.add(.day(1 - scenario.warmUpDays), at: clock.time)
        while let next = nextTime, next < end {
            clock.move(to: next)
            step()
        }
        clock.move(to: end)
        if !isOff { feed(.timePassed) }
    }

    /// The report of the days that were lived.
    package mutating func report() -> DeviceReport? {
        recorder?.report(
            seed: seed, end: clock.now.wall, problems: problems, scheduler: scheduler, at: clock.now)
    }

    /// Rules that were broken, as sentences; empty when none was.
    package var problems: [String] {
        found + (shadow?.problems ?? []) + (gates?.problems ?? [])
    }

    // MARK: - For the parts

    /// Why the runner is started.
    enum StartCause {
        case atBeginning
        case crash
        case reboot
    }

    /// Gives the scheduler an event, and does what comes out until nothing does.
    mutating func feed(_ event: Event) {
        inbox.append(event)
        guard !isFeeding else { return }
        isFeeding = true
        var position = 0
        while position < inbox.count {
            let event = inbox[position]
            position += 1
            eventCount += 1
            gates?.passed(at: clock.now)
            var effects = scheduler.handle(event, at: clock.now)
            tampering?(&effects)
            if faults.crashes > 0, !isCalm, let point = crashPoint(effects) {
                isFeeding = false
                crash(effects, at: point)
                return
            }
            shadow?.judge(effects)
            for effect in effects { perform(effect) }
        }
        inbox.removeAll(keepingCapacity: true)
        isFeeding = false
        recorder?.look(at: scheduler, clock.now)
    }

    mutating func nextCall() -> CallIdentifier {
        call += 1
        return CallIdentifier(call)
    }

    func place(of identifier: TaskIdentifier) -> (app: Int, task: Int)? {
        places[identifier]
    }

    /// The runner starts: over nothing, or over what is stored.
    mutating func start(_ cause: StartCause) {
        if cause == .reboot { bootNumber += 1 }
        if cause != .atBeginning {
            inbox.removeAll()
            runs.removeAll()
            gates?.restarted(isReboot: cause == .reboot, at: clock.now)
            for app in apps.indices {
                apps[app].runsInFlight = 0
                apps[app].process = nil
            }
            scheduler = Scheduler(
                policy: scheduler.policy, contents: shadow?.contents ?? StoreContents(), boot: Self.boot(bootNumber),
                at: clock.now)
        }
        recorder?.begin(with: conditions, clock.now)
        feed(
            .started(
                StartFacts(
                    bootIdentifier: Self.boot(bootNumber), osVersion: osVersion, runnerVersion: "1",
                    utcOffsetSeconds: scenario.utcOffsetSeconds)))
        for app in apps { feed(.appLoaded(app.description)) }
        report(DeviceCondition.allCases)
        feed(.loadingFinished)
        if cause != .atBeginning { checkRestored() }
        guard cause != .crash else { return }
        for app in apps.indices { follow(.launch, app: app) }
    }

    /// Tells the scheduler what is so of some conditions.
    mutating func report(_ changed: [DeviceCondition]) {
        unreported.removeAll()
        for condition in changed {
            guard let value = conditions[condition] else { continue }
            gates?.told(condition, value, at: clock.now)
            feed(.conditionReported(condition, value, source: "scenario", validFor: nil, call: nil))
        }
    }

    /// An event opens a window.
    mutating func openWindow(lasting length: Duration) {
        gates?.given(until: clock.now.boot.advanced(by: length))
        feed(.windowOpened(lasting: length))
    }

    private func isRecurring(_ identifier: TaskIdentifier) -> Bool {
        place(of: identifier).map { scenario.apps[$0.app].tasks[$0.task].every != nil } ?? false
    }

    mutating func note(_ problem: String) {
        found.append(problem)
    }

    /// Looks at the whole: nothing is lost, and the scheduler's own state is consistent.
    package mutating func check() {
        gates?.passed(at: clock.now)
        found += lostRequests() + scheduler.checkInvariants(at: clock.now)
    }

    private mutating func checkRestored() {
        found += lostRequests()
    }

    // MARK: - Private

    private static func boot(_ number: Int) -> BootIdentifier {
        BootIdentifier("boot-\(number)")
    }

    var nextTime: Int64? {
        var next = agenda.first
        func take(_ time: Int64?) {
            guard let time else { return }
            next = min(next ?? time, time)
        }
        guard !isOff else { return next }
        take(clock.time(of: scheduler.nextWakeup))
        if watchesWindows { take(scheduler.nextWindow.map { clock.time(of: $0) }) }
        for app in apps { take(app.transfers.deadline.map { clock.time(of: $0) }) }
        return next
    }

    mutating func step() {
        if let first = agenda.first, first <= clock.time, let item = agenda.pop() {
            perform(item)
        } else {
            feed(.timePassed)
            for app in apps.indices where apps[app].transfers.deadline != nil {
                take(apps[app].transfers.passed(at: clock.now), app: app)
            }
        }
    }

    private mutating func perform(_ effect: Effect) {
        shadow?.see(effect, at: clock.now)
        switch effect {
        case .launch(let order): launch(order)
        case .expire(let run, _, _): expire(run)
        case .terminate(let run):
            guard runs[run] != nil else { return }
            agenda.add(.runEnds(run, .signal(9)), at: clock.time + 1)
        case .publish(let notice):
            recorder?.hear(notice, at: clock.now)
            switch notice {
            case .launched(let record):
                let recurs = isRecurring(record.identifier)
                gates?.entered(record, isRecurring: recurs, at: clock.now)
            case .ended(let record): gates?.ended(record.run)
            case .gateChanged(let change) where change.gate == .window && change.verdict == .open:
                let until = scheduler.openWindow(at: clock.now)
                gates?.windowOpened(until: until, at: clock.now)
                recorder?.windowOpened(at: clock.now, until: until)
                grantAll()
            default: break
            }
        case .startProcess(let order): startProcess(order)
        case .endProcess(let app, let number, let cause): endProcess(app, number, cause)
        case .persist, .reply, .drained: break
        }
    }
}

extension ScenarioAction {
    /// Whether the scheduler starts anew from what is stored.
    var endsScheduler: Bool {
        switch self {
        case .reboot, .osUpgrade, .crash: true
        case .open, .use, .forceQuit, .submit, .cancel, .push, .transfer, .setCondition, .refreshSwitch, .openWindow,
            .setClock, .loseSource:
            false
        }
    }
}
