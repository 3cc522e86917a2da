extension Scheduler {
    /// Files a pending request under what holds it.
    mutating func place(_ slot: Int32, at now: Moment) {
        leavePlace(slot, at: now)
        settle(slot, at: now)
    }

    /// Takes a request out of its place, and counts the time that it was there.
    mutating func leavePlace(_ slot: Int32, at now: Moment) {
        countWait(slot, at: now)
        vacate(slot)
    }

    /// Takes a request out of its place.
    mutating func vacate(_ slot: Int32) {
        switch tasks[slot].place {
        case .nowhere: return
        case .wall: wallDeadlines.remove(slot)
        case .boot: bootDeadlines.remove(slot)
        case .waiting: waiting.remove(slot)
        case .ready: ready.remove(slot)
        }
        tasks[slot].place = .nowhere
    }

    /// Looks again at a request whose gate may have opened.
    mutating func replace(_ slot: Int32, at now: Moment) {
        guard tasks[slot].hasRequest else { return }
        place(slot, at: now)
    }

    /// Looks again at every request that waits for a key.
    mutating func reopen(_ key: WaitKey, at now: Moment) {
        for slot in waiting.removeAll(for: key) { refile(slot, at: now) }
    }

    /// Looks again at all pending requests of an app.
    mutating func replaceAll(of app: Int32, at now: Moment) {
        var slot = apps[app].firstTask
        while slot >= 0 {
            let next = tasks[slot].nextInApp
            replace(slot, at: now)
            slot = next
        }
    }

    /// Lets everything happen that time alone makes happen, up to now.
    mutating func advance(to now: Moment) {
        if policy.hasWindows { advanceWindows(to: now) }
        if let first = wallDeadlines.first, first.key <= now.wall.milliseconds { popWallDeadlines(at: now) }
        if let first = bootDeadlines.first, first.key <= now.boot.milliseconds {
            while let slot = bootDeadlines.pop(through: now.boot.milliseconds) { openByTime(slot, at: now) }
        }
        if let deadline = device.deadline, deadline <= now.boot { expireConditions(at: now) }
        if !rearms.isEmpty {
            while let slot = rearms.pop(through: now.boot.milliseconds) { rearm(slot, at: now) }
        }
        if let first = runs.deadlines.first, first.key <= now.awake.milliseconds {
            while let slot = runs.popDeadline(through: now.awake) { runDeadlinePassed(slot, at: now) }
        }
        if let first = processDeadlines.first, first.key <= now.awake.milliseconds {
            while let app = processDeadlines.pop(through: now.awake.milliseconds) {
                processDeadlinePassed(of: app, at: now)
            }
        }
        if let first = processBackoffs.first, first.key <= now.boot.milliseconds {
            while let app = processBackoffs.pop(through: now.boot.milliseconds) { processBackoffPassed(of: app) }
        }
        if let deadline = drainDeadline, deadline <= now.awake { hurryDrain(at: now) }
    }

    /// Claims what is ready, in order, while there are slots.
    mutating func pump(at now: Moment) {
        guard phase == .running else { return }
        while globalHold == nil, let slot = ready.first?.slot {
            switch firstHold(slot, at: now) {
            case .nothing: claim(slot, origin: .scheduled, now: now)
            case .gate: place(slot, at: now)
            }
        }
        startWanted(at: now)
    }

    // MARK: - Private

    /// Finds the place of a request that is nowhere.
    private mutating func settle(_ slot: Int32, at now: Moment) {
        tasks[slot].placedBoot = now.boot.milliseconds
        switch holdMarkingStranded(slot, at: now) {
        case .nothing:
            tasks[slot].gate = .concurrency
            tasks[slot].place = .ready
            ready.insert(slot, key: tasks[slot].order, tie: tasks[slot].submission)
        case .gate(let gate, let opening):
            tasks[slot].gate = gate
            switch opening {
            case .wall(let time):
                tasks[slot].place = .wall
                wallDeadlines.insert(slot, key: time, tie: tasks[slot].submission)
            case .boot(let time):
                tasks[slot].place = .boot
                bootDeadlines.insert(slot, key: time, tie: tasks[slot].submission)
            case .event(let key):
                tasks[slot].place = .waiting
                waiting.insert(slot, for: key)
                // Nothing else holds it.
                if gate == .launching, runsInProcess(slot) { want(tasks[slot].app) }
            case .global: preconditionFailure("a global gate files nothing")
            }
        }
    }

    /// What holds the request; notes since when it is stranded, or that it no longer is (B42).
    private mutating func holdMarkingStranded(_ slot: Int32, at now: Moment) -> Hold {
        let hold = firstHold(slot, at: now)
        if case .gate(let gate, _) = hold, gate == .notPermitted || gate == .appMissing {
            setStranded(true, slot)
            guard tasks.facts[slot]?.strandedSince == nil else { return hold }
            changeFacts(slot) { $0.strandedSince = now.wall }
            return firstHold(slot, at: now)
        }
        setStranded(false, slot)
        // Before its app is loaded nothing says that it is permitted again.
        if !tasks.facts.isEmpty, tasks.facts[slot]?.strandedSince != nil, apps[tasks[slot].app].phase != .starting {
            changeFacts(slot) { $0.strandedSince = nil }
        }
        return hold
    }

    private mutating func popWallDeadlines(at now: Moment) {
        while let slot = wallDeadlines.pop(through: now.wall.milliseconds) {
            let gate = tasks[slot].gate
            if gate == .notPermitted || gate == .appMissing {
                tasks[slot].place = .nowhere
                dropStranded(slot, at: now)
            } else {
                openByTime(slot, at: now)
            }
        }
    }

    /// A gate that a clock held closed is open: files the slot under what holds it now, and says so.
    private mutating func openByTime(_ slot: Int32, at now: Moment) {
        let opened = tasks[slot].gate
        refile(slot, at: now)
        publishGate(opened, of: slot)
    }

    /// Files a slot anew that was taken out of its heap or its waiting set.
    private mutating func refile(_ slot: Int32, at now: Moment) {
        countWait(slot, at: now)
        tasks[slot].place = .nowhere
        settle(slot, at: now)
    }

    /// Counts the time that a request has been in its place.
    private mutating func countWait(_ slot: Int32, at now: Moment) {
        let began = tasks[slot].placedBoot
        var rest = now.boot.milliseconds - began
        guard rest > 0, tasks[slot].place != .nowhere else { return }
        if tasks[slot].place == .ready {
            // Ready requests wait for a slot, and for whatever else held the whole runner meanwhile.
            for (global, overlap) in closures.overlaps(from: began, to: now.boot.milliseconds) {
                tasks.addWait(overlap, at: global, of: slot)
                rest -= overlap
            }
        }
        if rest > 0 { tasks.addWait(rest, at: tasks[slot].gate, of: slot) }
    }
}

extension [GateWait] {
    /// Adds milliseconds to the gate's share.
    mutating func add(_ milliseconds: Int64, to gate: GateName) {
        if let position = firstIndex(where: { $0.gate == gate }) {
            self[position].milliseconds += milliseconds
        } else {
            append(GateWait(gate: gate, milliseconds: milliseconds))
        }
    }
}
