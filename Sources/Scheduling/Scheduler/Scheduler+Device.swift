extension Scheduler {
    mutating func applyToDevice(_ event: Event, at now: Moment) {
        let before = conditionValues
        switch event {
        case .conditionReported(let condition, let value, let source, let validFor, let call):
            if let value, !condition.accepts(value) {
                reply(call, .refused(illFitting(condition)))
                return
            }
            if call != nil, let refusal = device.refusal(of: source, for: condition) {
                reply(call, .refused(refusal))
                return
            }
            device.report(condition, value, source: source, validFor: validFor, at: now)
            reply(call, .done)
        case .sourceLost(let source):
            device.lose(source: source, holdingFor: policy.timing.sourceLoss, at: now)
        case .conditionOverridden(let condition, let value, let lasting, let call):
            guard condition.accepts(value) else {
                reply(call, .refused(illFitting(condition)))
                return
            }
            device.setOverride(
                ConditionOverride(
                    condition: condition, value: value, since: now.wall,
                    until: lasting.map { now.boot.advanced(by: $0) }, bootIdentifier: bootIdentifier))
            keepOverrides()
            reply(call, .done)
        case .overrideCleared(let condition, let call):
            for condition in condition.map({ [$0] }) ?? DeviceCondition.allCases { device.clearOverride(condition) }
            keepOverrides()
            reply(call, .done)
        default: preconditionFailure("not an event of the device")
        }
        conditionsChanged(from: before, at: now)
    }

    /// Values that end by themselves have ended.
    mutating func expireConditions(at now: Moment) {
        let before = conditionValues
        device.expire(at: now)
        keepOverrides()
        conditionsChanged(from: before, at: now)
    }

    /// A run that needs a condition which is lost is expired after a while (B21).
    mutating func noteLostConditions(of run: Int32, at now: Moment) {
        if runs[run].record.state == .running, runs[run].record.origin == .scheduled {
            let request = runs[run].record.request
            let needsIdle = policy.gates.processingNeedsIdle && request.kind.requiredMode == .processing
            if request.requiresExternalPower { noteLost(.externalPower, run, at: now) }
            if request.requiresNetworkConnectivity { noteLost(.network, run, at: now) }
            if needsIdle {
                noteLost(.idle, run, at: now)
            } else {
                runs[run].lostConditions.removeAll { $0.condition == .idle }
            }
        }
        runs.scheduleDeadline(run)
    }

    /// Every condition, as `device` shows it.
    package func deviceReadings(at now: Moment) -> [ConditionReading] {
        DeviceCondition.allCases.map { device.reading(of: $0, at: now) }
    }

    package var utcOffsetSeconds: Int { device.utcOffsetSeconds }

    // MARK: - For the parts

    var conditionValues: [ConditionValue?] {
        DeviceCondition.allCases.map { device.value(of: $0) }
    }

    mutating func conditionsChanged(from before: [ConditionValue?], at now: Moment) {
        for (condition, old) in zip(DeviceCondition.allCases, before) {
            let value = device.value(of: condition)
            guard value != old else { continue }
            let reading = device.reading(of: condition, at: now)
            let change = DeviceChange(
                at: now.wall, condition: condition, value: value, source: reading.source,
                overridden: reading.overridden)
            persist(.appendDeviceChange(change))
            publish(.deviceChanged(change))
            reopen(.condition(condition), at: now)
            if condition == .externalPower {
                powerChanged(from: old, at: now)
                reopen(.condition(.batteryLevel), at: now)
                reopenBudgets(at: now)
            }
            if policy.isDoze, condition == .externalPower || condition == .idle, isWindowOpen(at: now) {
                reopen(.window, at: now)
            }
        }
        let values = conditionValues
        guard before != values else { return }
        publishGates(before: before, after: values)
        if policy.hasWindows { advanceWindows(to: now) }
        for run in runs.active { noteLostConditions(of: run, at: now) }
    }

    // MARK: - Private

    private mutating func noteLost(_ condition: DeviceCondition, _ run: Int32, at now: Moment) {
        let isThere =
            switch device.value(of: condition) {
            case .flag(let flag): flag
            case .network(let network): network != .none
            case .level, .thermal, .none: false
            }
        let known = runs[run].lostConditions.firstIndex { $0.condition == condition }
        switch (isThere, known) {
        case (true, .some(let position)): runs[run].lostConditions.remove(at: position)
        case (false, .none):
            runs[run].lostConditions.append((condition, now.awake.advanced(by: policy.timing.conditionLoss)))
        case (true, .none), (false, .some): break
        }
    }

    private mutating func keepOverrides() {
        guard facts.overrides != device.overrides else { return }
        facts.overrides = device.overrides
        persist(.putRunner(facts))
    }

    private func illFitting(_ condition: DeviceCondition) -> Refusal {
        let expected =
            switch condition {
            case .externalPower, .lowPowerMode, .idle, .unlocked, .backgroundRefresh: "true or false"
            case .batteryLevel: "a number from 0 to 1"
            case .network: NetworkState.allCases.map(\.rawValue).joined(separator: ", ")
            case .thermal: ThermalState.allCases.map(\.rawValue).joined(separator: ", ")
            }
        return Refusal(
            .invalidParams, "'value' does not fit: \(condition.rawValue) takes \(expected).", member: "value")
    }
}
