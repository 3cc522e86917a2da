/// What the evaluation of one gate says; `explain` adds the words.
struct GateState {
    /// What opens a closed gate.
    enum Opening: Hashable {
        case wall(Int64)
        case boot(Int64)
        case event(WaitKey)
        /// A gate of the whole runner: looked at when a request is about to be claimed.
        case global
    }

    var verdict: GateVerdict
    var opening: Opening

    static let open = GateState(verdict: .open, opening: .global)

    static func closed(_ opening: Opening) -> GateState {
        GateState(verdict: .closed, opening: opening)
    }
}

/// What holds a pending request.
enum Hold: Hashable {
    case nothing
    case gate(GateName, GateState.Opening)
}

extension Scheduler {
    /// The order in which gates are looked at; the first that is not open holds the request.
    ///
    /// Global gates come last: they are looked at only when a request is about to be claimed, so that closing and
    /// opening one costs nothing per request. Of the others `launching` is the last: a request that nothing else holds
    /// is what an app's process is started for.
    static let gateOrder: [GateName] = [
        .notPermitted, .appMissing, .earliestBeginDate, .backoff, .quarantined, .handlerMissing,
        .alreadyRunning, .externalPower, .network, .deviceIdle, .lowPowerMode, .batteryLevel, .thermal,
        .backgroundRefreshDisabled, .forceQuit, .beforeFirstUnlock, .usage, .budget, .rateLimit, .misbehaviour,
        .window, .paused, .launching, .draining, .storeUnavailable, .concurrency,
    ]

    /// Those that can hold a single request under a policy, in that order.
    static func holdingGates(of policy: Policy) -> [GateName] {
        gateOrder.filter { gate in
            policy.uses(gate) && gate != .draining && gate != .storeUnavailable && gate != .concurrency
        }
    }

    /// Gates of the whole runner.
    static let globalGates: [GateName] = [.paused, .draining, .storeUnavailable, .concurrency]

    /// The first gate but the global ones that holds the request of a slot.
    func firstHold(_ slot: Int32, at now: Moment) -> Hold {
        firstHold(of: tasks[slot], slot, at: now)
    }

    /// The same for an entry that is not filed yet.
    func firstHold(of entry: TaskEntry, _ slot: Int32, at now: Moment) -> Hold {
        for gate in holdingGates {
            let state = gateState(gate, entry, slot, at: now)
            guard state.verdict == .open else {
                if state.opening == .global { continue }
                return .gate(gate, state.opening)
            }
        }
        return .nothing
    }

    /// The gate of the whole runner that holds every scheduled launch.
    var globalHold: GateName? {
        if phase == .draining { return .draining }
        if storeFailure != nil { return .storeUnavailable }
        if facts.pausedAt != nil { return .paused }
        return slotsTaken >= policy.concurrency ? .concurrency : nil
    }

    /// Whether one gate lets the request of a slot through.
    func gateState(_ gate: GateName, _ slot: Int32, at now: Moment) -> GateState {
        gateState(gate, tasks[slot], slot, at: now)
    }

    private func gateState(_ gate: GateName, _ entry: TaskEntry, _ slot: Int32, at now: Moment) -> GateState {
        switch gate {
        case .earliestBeginDate:
            let floor = entry.effectiveFloor
            return floor > now.wall.milliseconds ? .closed(.wall(floor)) : .open
        case .backoff:
            return entry.backoffUntil > now.boot.milliseconds ? .closed(.boot(entry.backoffUntil)) : .open
        case .notPermitted:
            guard !isPermitted(slot), apps[entry.app].phase != .missing else { return .open }
            return .closed(.wall(dropTime(of: slot)))
        case .appMissing:
            return apps[entry.app].phase == .missing ? .closed(.wall(dropTime(of: slot))) : .open
        case .handlerMissing:
            guard !entry.isRegistered, apps[entry.app].phase == .launched else { return .open }
            return .closed(.event(.task))
        case .launching:
            guard apps[entry.app].isOpen else { return .closed(.event(.app(entry.app))) }
            let isThere = apps[entry.app].process.state == .launched || !runsInProcess(slot)
            return isThere ? .open : .closed(.event(.app(entry.app)))
        case .alreadyRunning:
            return entry.run >= 0 || entry.hasLeftover ? .closed(.event(.task)) : .open
        case .externalPower, .network, .deviceIdle, .lowPowerMode, .batteryLevel, .thermal, .beforeFirstUnlock:
            return deviceGate(gate, entry)
        case .quarantined, .backgroundRefreshDisabled, .forceQuit, .usage, .budget, .rateLimit, .misbehaviour:
            return appGate(gate, entry, at: now)
        case .window:
            guard waitsForWindows(entry.kind), !isWindowOpen(at: now) else { return .open }
            return .closed(.event(.window))
        case .paused:
            if apps[entry.app].facts.pausedAt != nil { return .closed(.event(.app(entry.app))) }
            return facts.pausedAt == nil ? .open : .closed(.global)
        case .draining: return phase == .draining ? .closed(.global) : .open
        case .storeUnavailable: return storeFailure == nil ? .open : .closed(.global)
        case .concurrency: return slotsTaken >= policy.concurrency ? .closed(.global) : .open
        }
    }

    /// Whether a gate is one that the policy, the kind or the request asks for; only those are shown.
    func applies(_ gate: GateName, to entry: TaskEntry) -> Bool {
        guard policy.uses(gate) else { return false }
        let isRefresh = entry.kind == .appRefresh
        let isProcessing = entry.kind == .processing || entry.kind == .healthResearch
        switch gate {
        case .earliestBeginDate: return entry.effectiveFloor != TaskEntry.noFloor
        case .backoff: return entry.backoffUntil != TaskEntry.noFloor
        case .externalPower: return entry.requiresExternalPower
        case .network: return entry.requiresNetworkConnectivity
        case .deviceIdle: return isProcessing
        case .usage where policy.isDoze: return entry.requiresNetworkConnectivity && (isRefresh || isProcessing)
        case .lowPowerMode, .backgroundRefreshDisabled, .forceQuit, .usage: return isRefresh
        case .rateLimit, .misbehaviour: return hasInterval(entry.kind)
        case .window: return waitsForWindows(entry.kind)
        case .budget where policy.isApple: return isRefresh || isProcessing
        case .quarantined: return apps[entry.app].facts.quarantinedAt != nil
        case .batteryLevel, .thermal, .beforeFirstUnlock, .budget, .notPermitted, .appMissing, .handlerMissing,
            .launching, .alreadyRunning, .paused, .draining,
            .storeUnavailable, .concurrency:
            return true
        }
    }

    /// Whether the starts of an app's scheduled runs of a kind keep a time between them.
    func hasInterval(_ kind: TaskKind) -> Bool {
        !policy.isApple ? fixedInterval(for: kind) != nil : kind != .continuedProcessing
    }

    /// Whether the manifest of the task's app permits it. Apps that are not loaded yet are not judged.
    func isPermitted(_ slot: Int32) -> Bool {
        let entry = tasks.entries[Int(slot)]
        if entry.isRegistered || apps[entry.app].phase == .starting { return true }
        return apps.owner(of: tasks.identifier(of: slot)) == entry.app
    }

    /// When a request that is stranded is dropped (B42).
    func dropTime(of slot: Int32) -> Int64 {
        let since = tasks.facts[slot]?.strandedSince?.milliseconds ?? .max
        return WallTime(milliseconds: since).advanced(by: policy.timing.stranded).milliseconds
    }

    /// The condition that a gate looks at.
    static func condition(of gate: GateName) -> DeviceCondition? {
        switch gate {
        case .externalPower: .externalPower
        case .network: .network
        case .deviceIdle: .idle
        case .lowPowerMode: .lowPowerMode
        case .batteryLevel: .batteryLevel
        case .thermal: .thermal
        case .beforeFirstUnlock: .unlocked
        case .backgroundRefreshDisabled: .backgroundRefresh
        default: nil
        }
    }

    private func deviceGate(_ gate: GateName, _ entry: TaskEntry) -> GateState {
        guard let condition = Self.condition(of: gate), applies(gate, to: entry) else { return .open }
        switch verdict(of: gate, by: device.value(of: condition), power: device.value(of: .externalPower)) {
        case .open: return .open
        case .closed: return .closed(.event(.condition(condition)))
        case .unknown: return GateState(verdict: .unknown, opening: .event(.condition(condition)))
        }
    }

    /// What a gate of the device says when its condition has this value.
    func verdict(of gate: GateName, by value: ConditionValue?, power: ConditionValue?) -> GateVerdict {
        guard let value else { return .unknown }
        let opens: Bool
        switch (gate, value) {
        case (.lowPowerMode, .flag(let on)): opens = !on
        case (_, .flag(let flag)): opens = flag
        case (_, .network(let network)): opens = network != .none
        case (_, .level(let level)):
            opens = level >= policy.gates.minimumBatteryLevel ?? 0 || power == .flag(true)
        case (_, .thermal(let thermal)): opens = thermal <= policy.gates.warmest ?? .critical
        }
        return opens ? .open : .closed
    }

    private func appGate(_ gate: GateName, _ entry: TaskEntry, at now: Moment) -> GateState {
        guard applies(gate, to: entry) else { return .open }
        let facts = apps[entry.app].facts
        let byEvent = GateState.closed(.event(.app(entry.app)))
        switch gate {
        case .quarantined: return facts.quarantinedAt == nil ? .open : byEvent
        case .backgroundRefreshDisabled:
            if facts.refreshDisabledAt != nil { return byEvent }
            switch device.value(of: .backgroundRefresh) {
            case .flag(true): return .open
            case .none: return GateState(verdict: .unknown, opening: .event(.condition(.backgroundRefresh)))
            default: return .closed(.event(.condition(.backgroundRefresh)))
            }
        case .forceQuit: return facts.forceQuitAt == nil ? .open : byEvent
        case .usage:
            switch usageHold(entry, at: now) {
            case nil: return .open
            case .notOpened: return byEvent
            // Nothing can begin before the next window, at which it is looked at again.
            case .unusualHour: return .closed(.event(.window))
            case .idleNetwork(let until): return .closed(.boot(until.milliseconds))
            }
        case .budget:
            let wait = budgetWait(entry, at: now)
            if wait > 0 { return .closed(.boot(now.boot.advanced(by: .milliseconds(wait)).milliseconds)) }
            // A day that begins in the future is from before the clock was set back.
            guard let allowed = policy.gates.runTimePerDay, let began = facts.usageDayStart, began <= now.wall else {
                return .open
            }
            let refill = began.advanced(by: .hours(24))
            guard facts.usedMilliseconds >= allowed.wholeMilliseconds, refill > now.wall else { return .open }
            return .closed(.wall(refill.milliseconds))
        case .rateLimit: return rateState(entry, at: now, factor: 1)
        case .misbehaviour:
            let recent = facts.misbehaviours.filter { $0.advanced(by: .hours(24)) > now.wall }
            guard let oldest = recent.min() else { return .open }
            let state = rateState(entry, at: now, factor: 1 << min(recent.count, 10))
            guard case .boot(let time) = state.opening else { return state }
            // It may open sooner: when the oldest of them is forgotten.
            let forgotten = now.wall.duration(to: oldest.advanced(by: .hours(24)))
            return .closed(.boot(min(time, now.boot.advanced(by: forgotten).milliseconds)))
        default: return .open
        }
    }

    /// Whether the app's last start of this kind is long enough ago.
    private func rateState(_ entry: TaskEntry, at now: Moment, factor: Int) -> GateState {
        guard let last = lastStart(entry.kind, of: entry.app),
            let interval = interval(for: entry.kind, of: entry.app, at: now)
        else { return .open }
        let left = (interval * factor).wholeMilliseconds - last.elapsed(to: now, in: bootIdentifier)
        return left > 0 ? .closed(.boot(now.boot.advanced(by: .milliseconds(left)).milliseconds)) : .open
    }
}

extension Policy {
    /// Whether anything can wait at a gate under this policy.
    func uses(_ gate: GateName) -> Bool {
        switch gate {
        case .deviceIdle: gates.processingNeedsIdle
        case .lowPowerMode: gates.lowPowerModeHoldsRefresh
        case .batteryLevel: gates.minimumBatteryLevel != nil
        case .thermal: gates.warmest != nil
        case .beforeFirstUnlock: gates.needsFirstUnlock
        case .backgroundRefreshDisabled: gates.refreshSwitch
        case .forceQuit: gates.forceQuitHoldsRefresh
        case .usage: gates.unopenedAfter != nil || isDoze
        case .budget: gates.runTimePerDay != nil || hasWindows
        case .misbehaviour: gates.misbehaviourDoublesInterval
        case .window: hasWindows
        case .earliestBeginDate, .backoff, .externalPower, .network, .rateLimit, .quarantined, .notPermitted,
            .appMissing,
            .handlerMissing, .launching, .alreadyRunning, .paused, .draining, .storeUnavailable, .concurrency:
            true
        }
    }
}

extension Policy {
    /// What the times of windows are drawn from.
    var windowSeed: UInt64 { apple?.seed ?? doze?.seed ?? 0 }
}
