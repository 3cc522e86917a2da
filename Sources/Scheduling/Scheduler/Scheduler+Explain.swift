extension Scheduler {
    /// Why the task has not run yet: every gate that applies, and one sentence that a person can act on (B18, B19).
    package func explain(_ identifier: TaskIdentifier, at now: Moment) -> Explanation {
        var result = Explanation(
            identifier: identifier, status: .idle, summary: "", gates: [], pending: nil, running: nil, diagnostics: [])
        guard let slot = tasks.slot(of: identifier) else {
            guard let owner = apps.owner(of: identifier) else {
                result.status = .notPermitted
                result.summary = notPermitted(identifier, by: nil).message
                return result
            }
            result.status = .notRegistered
            result.summary = notRegistered(identifier, owner: owner).message
            return result
        }
        let entry = tasks.entries[Int(slot)]
        if entry.hasRequest {
            result.pending = pendingRequest(at: slot)
            result.gates = Self.gateOrder.filter { applies($0, to: entry) }.map { gate($0, slot, at: now) }
        }
        if entry.run >= 0 {
            result.running = runs[entry.run].record
            result.add(runs[entry.run].record.diagnostics)
        }
        result.status = status(slot, gates: result.gates)
        result.summary = summary(result, slot)
        return result
    }

    // MARK: - Private

    private func status(_ slot: Int32, gates: [Gate]) -> Explanation.Status {
        let entry = tasks.entries[Int(slot)]
        if entry.run >= 0, !runs[entry.run].record.state.isEnded { return .running }
        if !entry.isRegistered, !isPermitted(slot) || apps[entry.app].phase == .missing { return .notPermitted }
        if !entry.isRegistered, apps[entry.app].phase == .launched { return .notRegistered }
        if !entry.hasRequest { return .idle }
        return gates.allSatisfy { $0.verdict == .open } ? .eligible : .waiting
    }

    private func summary(_ explanation: Explanation, _ slot: Int32) -> String {
        let identifier = explanation.identifier
        switch explanation.status {
        case .running:
            let run = explanation.running
            let next = explanation.pending == nil ? "" : " Its next request is pending."
            return "\(identifier) runs now, as run \(run?.run.number ?? 0) (\(run?.state.rawValue ?? "")).\(next)"
        case .notPermitted where explanation.pending == nil:
            return notPermitted(identifier, by: nil).message
        case .notRegistered where explanation.pending == nil:
            return notRegistered(identifier, owner: tasks.entries[Int(slot)].app).message
        case .idle:
            let last = tasks.outcomes[slot].map { " \($0.sentence)" } ?? ""
            return "Nothing is pending for \(identifier).\(last) Submit a request to let it run."
        case .eligible:
            return "All gates of \(identifier) are open; it starts now."
        case .waiting, .notPermitted, .notRegistered:
            let closed = explanation.gates.filter { $0.verdict != .open }
            guard let first = closed.first else { return "\(identifier) waits." }
            let more = closed.count - 1
            let others = more > 0 ? " \(more) more of its gates \(more == 1 ? "is" : "are") closed." : ""
            return "\(identifier) waits at the gate \(first.gate.rawValue): \(first.detail).\(others)"
        }
    }

    /// One gate with its words.
    private func gate(_ name: GateName, _ slot: Int32, at now: Moment) -> Gate {
        let state = gateState(name, slot, at: now)
        var gate = Gate(name, state.verdict, detail: "")
        switch state.opening {
        case .wall(let time): gate.opensAt = WallTime(milliseconds: time)
        case .boot(let time):
            gate.opensAt = now.wall.advanced(by: now.boot.duration(to: BootTime(milliseconds: time)))
        case .event, .global: break
        }
        if name == .launching, state.verdict == .closed, isIdleApp(slot, at: now) {
            gate.verdict = .open
            gate.detail = "\(apps.entries[Int(tasks.entries[Int(slot)].app)].identifier) is idle; it is started for it"
            return gate
        }
        let isOpen = state.verdict == .open
        if let condition = Self.condition(of: name) {
            let reading = device.reading(of: condition, at: now)
            gate.source = reading.source
            gate.since = reading.since
            gate.detail = words(for: name, reading: reading, isOpen: isOpen)
            if reading.overridden, !isOpen {
                gate.opensAt = reading.until
                gate.detail = "\(condition.rawValue) was set by hand; end the override with device.clear"
            }
            if name == .backgroundRefreshDisabled { nameSwitch(&gate, slot) }
            return gate
        }
        if !isOpen { gate.since = since(name, slot, at: now) }
        if name == .launching, !isOpen, let until = apps.entries[Int(tasks.entries[Int(slot)].app)].process.backoffUntil
        {
            gate.opensAt = now.wall.advanced(by: now.boot.duration(to: until))
        }
        if name == .alreadyRunning, tasks.entries[Int(slot)].hasLeftover { gate.source = "leftover process" }
        gate.detail = isOpen ? openWords(name, slot, at: now) : closedWords(name, slot, gate, at: now)
        return gate
    }

    private func since(_ name: GateName, _ slot: Int32, at now: Moment) -> WallTime? {
        let entry = tasks.entries[Int(slot)]
        let app = apps.entries[Int(entry.app)].facts
        switch name {
        case .earliestBeginDate: return WallTime(milliseconds: entry.submittedWall)
        case .alreadyRunning: return entry.run >= 0 ? runs[entry.run].record.startedAt : nil
        case .appMissing: return app.missingSince
        case .notPermitted: return tasks.facts[slot]?.strandedSince
        case .forceQuit: return app.forceQuitAt
        case .quarantined: return app.quarantinedAt
        case .paused: return facts.pausedAt ?? app.pausedAt
        case .draining: return drainBeganAt
        case .storeUnavailable: return storeFailedAt
        case .rateLimit, .misbehaviour:
            return lastStart(entry.kind, of: entry.app).map { last in
                now.wall.advanced(by: .milliseconds(-last.elapsed(to: now, in: bootIdentifier)))
            }
        // The last window's end; in this boot there may have been none yet.
        case .window: return windows.openUntil.map { now.wall.advanced(by: now.boot.duration(to: $0)) }
        default: return nil
        }
    }

    private func nameSwitch(_ gate: inout Gate, _ slot: Int32) {
        let app = apps.entries[Int(tasks.entries[Int(slot)].app)]
        guard let disabled = app.facts.refreshDisabledAt else { return }
        gate.since = disabled
        gate.source = "app.setRefresh"
        gate.detail = "background refresh is switched off for \(app.identifier); switch it on with app.setRefresh"
    }

    private func words(for name: GateName, reading: ConditionReading, isOpen: Bool) -> String {
        let rule = reading.source.hasPrefix("assumed") ? " (\(reading.source))" : ""
        guard reading.value != nil else {
            return "its source \(reading.source) is gone, so the condition is unknown and holds; bring the source back"
        }
        switch name {
        case .externalPower:
            return isOpen ? "the device is on external power\(rule)" : "it needs external power; plug the device in"
        case .network: return isOpen ? "there is a network\(rule)" : "it needs a network; connect the device"
        case .deviceIdle:
            return isOpen ? "the device is idle\(rule)" : "it needs an idle device; it runs when nobody uses it"
        case .lowPowerMode:
            return isOpen ? "Low Power Mode is off\(rule)" : "Low Power Mode is on; switch it off"
        case .batteryLevel:
            return isOpen ? "the battery is full enough\(rule)" : "the battery is too low; charge the device"
        case .thermal: return isOpen ? "the device is cool enough\(rule)" : "the device is too warm; let it cool"
        case .beforeFirstUnlock:
            return isOpen ? "the device was unlocked\(rule)" : "the device was not unlocked since it booted; unlock it"
        default: return isOpen ? "background refresh is on\(rule)" : "background refresh is off; switch it on"
        }
    }

    private func openWords(_ name: GateName, _ slot: Int32, at now: Moment) -> String {
        switch name {
        case .earliestBeginDate: "its earliestBeginDate has passed"
        case .backoff: "its backoff is over"
        case .notPermitted: "the manifest of \(apps[tasks.entries[Int(slot)].app].identifier) permits it"
        case .appMissing: "its bundle is there"
        case .quarantined: "its app is not in quarantine"
        case .handlerMissing: "its handler is registered"
        case .launching: "its app has finished launching"
        case .alreadyRunning: "no run of it is in flight"
        case .forceQuit: "its app was not force-quit"
        case .usage: "its app was opened recently"
        case .budget: policy.isApple ? "its app has energy left" : "its app has run time left"
        case .rateLimit, .misbehaviour: "its app's last start is long enough ago"
        case .window: windows.isOpen(at: now) ? "a window is open" : "the device is in use or charges"
        case .concurrency:
            policy.concurrency == 1 ? "the only slot is free" : "\(slotsTaken) of \(policy.concurrency) slots are taken"
        case .paused: "nothing is paused"
        case .draining: "the runner accepts launches"
        case .storeUnavailable: "the store can be written"
        default: "open"
        }
    }

    /// Whether the app's process is down only because nothing needed it so far.
    private func isIdleApp(_ slot: Int32, at now: Moment) -> Bool {
        let app = apps.entries[Int(tasks.entries[Int(slot)].app)]
        return runsInProcess(slot) && app.isOpen && !app.process.isUp && app.process.backoffUntil == nil
            && !app.process.hasLeftover && tasks.entries[Int(slot)].gate != .launching
    }

    private func launchingWords(_ app: Int32, inTime: String) -> String {
        let entry = apps.entries[Int(app)]
        let name = entry.identifier
        if entry.successor.isWaiting { return "\(name) switches to its new manifest when its runs have ended" }
        guard entry.description?.host == .process else {
            return "\(name) has not finished launching; it goes right after finishLaunching"
        }
        switch entry.process.state {
        case .down where entry.process.hasLeftover:
            return "a process of \(name) that an earlier runner started still lives; end it"
        case .down where entry.process.backoffUntil != nil:
            let what =
                entry.process.shortage.map { "could not be started (\($0.reason))" }
                ?? "failed (\(entry.process.lastFailure ?? ""))"
            return "the process of \(name) \(what); it is started again\(inTime)"
        case .down: return "the process of \(name) is started as soon as the runner may start one"
        case .starting, .registering: return "the process of \(name) is starting; it goes right after finishLaunching"
        case .launched: return "\(name) has launched"
        case .condemned, .ending: return "the process of \(name) is ending; it is started again after that"
        }
    }

    private func closedWords(_ name: GateName, _ slot: Int32, _ gate: Gate, at now: Moment) -> String {
        let entry = tasks.entries[Int(slot)]
        let app = apps[entry.app].identifier
        let inTime = gate.opensAt.map { " in \(now.wall.duration(to: $0).words)" } ?? ""
        switch name {
        case .earliestBeginDate: return "its earliestBeginDate comes\(inTime)"
        case .backoff: return "its last start or run failed; it is tried again\(inTime)"
        case .notPermitted:
            return
                "no loaded manifest permits it; add it to BGTaskSchedulerPermittedIdentifiers of \(app) and reload, or cancel it"
        case .appMissing: return "the bundle of \(app) is gone; put it back and reload, or cancel the request"
        case .quarantined:
            return
                "\(app) failed too often (\(apps[entry.app].facts.quarantineReason ?? "no reason given")); repair it and call app.resume"
        case .handlerMissing: return notRegistered(tasks.identifier(of: slot), owner: entry.app).message
        case .launching:
            return launchingWords(entry.app, inTime: inTime)
        case .alreadyRunning:
            if entry.hasLeftover { return "a process that an earlier run left behind still lives; end it" }
            return
                "run \(entry.run >= 0 ? runs[entry.run].record.run.number : 0) of it is in flight; wait for it, or stop it"
        case .forceQuit: return "\(app) was force-quit; open it (app.opened)"
        case .usage: return usageWords(entry, at: now)
        case .window:
            let when = windows.next.map { " about \(now.boot.duration(to: $0).words) from now" } ?? ""
            if policy.doze?.onlyInWindows == true { return "it runs only in a maintenance window\(when)" }
            return !policy.isApple
                ? "the device is idle on battery; it runs in the next maintenance window\(when), or when the device is used or charged"
                : "the device sleeps; it runs in the next wake window\(when)"
        case .budget: return "\(app) has used \(usedUp(entry, at: now)); there is enough again\(inTime)"
        case .rateLimit: return "\(app) started such a task a short time ago; the next may start\(inTime)"
        case .misbehaviour:
            return "\(app) misbehaved within 24 hours, which lengthens its interval; the next may start\(inTime)"
        case .concurrency:
            let slots = policy.concurrency == 1 ? "the only slot is" : "all \(policy.concurrency) slots are"
            return "\(slots) taken; it starts when a run ends"
        case .paused:
            return facts.pausedAt == nil ? "\(app) is paused; resume it" : "the runner is paused; resume it"
        case .draining: return "the runner is shutting down; it goes after the next start"
        case .storeUnavailable: return "the store cannot be written: \(storeFailure?.message ?? "")"
        default: return "closed"
        }
    }
}

extension Scheduler {
    /// What a closed budget gate counts.
    private func usedUp(_ entry: TaskEntry, at now: Moment) -> String {
        if policy.isApple { return "its share of the day's energy" }
        guard let doze = policy.doze else { return "its run time of the day" }
        let (quota, span) = quota(entry.kind, of: entry.app, doze, at: now)
        return "its \(quota?.words ?? "") of run time within \(span.words)"
    }

    private func usageWords(_ entry: TaskEntry, at now: Moment) -> String {
        let app = apps[entry.app].identifier
        switch usageHold(entry, at: now) {
        case .unusualHour(let until):
            return
                "\(app) is not usually opened in the hours after this one; it waits for a better hour, at most \(now.wall.duration(to: until).words)"
        case .idleNetwork(let until):
            return
                "\(app) is idle and had the network a short time ago; it gets it again in \(now.boot.duration(to: until).words), or when it is opened"
        case .notOpened, .none: return "\(app) was not opened for a long time; open it (app.opened)"
        }
    }
}

extension Duration {
    /// The duration in the two largest units, for people: `2 h 5 min`.
    package var words: String {
        let seconds = max(0, (wholeMilliseconds + 999) / 1_000)
        let parts: [(Int64, String)] = [
            (seconds / 86_400, "d"), (seconds / 3_600 % 24, "h"), (seconds / 60 % 60, "min"), (seconds % 60, "s"),
        ]
        guard let first = parts.firstIndex(where: { $0.0 > 0 }) else { return "0 s" }
        return parts[first...].prefix(2).filter { $0.0 > 0 }.map { "\($0.0) \($0.1)" }.joined(separator: " ")
    }
}
