/// Gates and apps, as observers are told of them.
///
/// One cause is one notice, however many requests wait at the gate: who wants to know more asks `explain`.
extension Scheduler {
    /// Floors and backoffs that pass at the same time, as after a clock jump, are not told of beyond this.
    static let mostGateNotices = 64

    /// Gates that look at the device, in the order of `gateOrder`.
    private static let deviceGates = gateOrder.filter { condition(of: $0) != nil }

    mutating func publishState(of app: Int32, unless old: AppState) {
        guard apps[app].state != old else { return }
        publish(.appStateChanged(apps[app].identifier, apps[app].state))
    }

    /// Says which gates of an app opened or closed with what is kept of it.
    mutating func publishGates(of app: Int32, before old: AppFacts) {
        let (identifier, facts) = (apps[app].identifier, apps[app].facts)
        let gates: [(name: GateName, was: WallTime?, since: WallTime?)] = [
            (.quarantined, old.quarantinedAt, facts.quarantinedAt), (.paused, old.pausedAt, facts.pausedAt),
            (.forceQuit, old.forceQuitAt, facts.forceQuitAt),
            (.backgroundRefreshDisabled, old.refreshDisabledAt, facts.refreshDisabledAt),
        ]
        for gate in gates where policy.uses(gate.name) && (gate.was == nil) != (gate.since == nil) {
            publish(.gateChanged(GateChange(gate.name, gate.since == nil ? .open : .closed, app: identifier)))
        }
    }

    /// Says which gates of the device opened or closed.
    mutating func publishGates(before: [ConditionValue?], after: [ConditionValue?]) {
        let conditions = DeviceCondition.allCases
        func value(_ condition: DeviceCondition, _ values: [ConditionValue?]) -> ConditionValue? {
            conditions.firstIndex(of: condition).flatMap { values[$0] }
        }
        for gate in Self.deviceGates where policy.uses(gate) {
            guard let condition = Self.condition(of: gate) else { continue }
            let old = verdict(of: gate, by: value(condition, before), power: value(.externalPower, before))
            let new = verdict(of: gate, by: value(condition, after), power: value(.externalPower, after))
            if new != old { publish(.gateChanged(GateChange(gate, new))) }
        }
    }

    /// Says that a gate which a clock held closed is open for a task, and what holds the task now.
    mutating func publishGate(_ opened: GateName, of slot: Int32) {
        guard tasks[slot].hasRequest, gateNoticesLeft > 0 else { return }
        let held = tasks[slot].place == .ready ? nil : tasks[slot].gate
        guard held != opened else { return }
        gateNoticesLeft -= 1
        publish(
            .gateChanged(
                GateChange(
                    opened, .open, identifier: tasks.identifier(of: slot), app: apps[tasks[slot].app].identifier,
                    heldBy: held)))
    }
}
