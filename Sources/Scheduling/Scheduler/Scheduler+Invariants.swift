extension Scheduler {
    /// What is inconsistent in the scheduler's own state, as sentences; empty when nothing is.
    ///
    /// For tests, between two events: it looks at everything, and nothing else calls it.
    package func checkInvariants(at now: Moment) -> [String] {
        var problems: [String] = []
        var counted = CountedState(apps: apps.entries.count)
        for slot in 0..<Int32(tasks.entries.count) where tasks.entries[Int(slot)].isUsed {
            counted.add(tasks.entries[Int(slot)])
            checkTask(slot, at: now, &problems)
        }
        for run in 0..<Int32(runs.entries.count) {
            guard let entry = runs.entries[Int(run)] else { continue }
            counted.add(entry)
            if !entry.record.state.isEnded || entry.isLingering, tasks.entries[Int(entry.task)].run != run {
                problems.append("run \(entry.record.run.number) is not the run of its task")
            }
        }
        var kept = CountedState(apps: apps.entries.count)
        kept.pending = tasks.pendingCount
        kept.registered = tasks.registeredCount
        kept.stranded = strandedCount
        kept.slots = slotsTaken
        for app in 0..<apps.entries.count {
            kept.pendingOfApp[app] = apps.entries[app].pending
            kept.strandedOfApp[app] = apps.entries[app].stranded
            kept.runningOfApp[app] = apps.entries[app].running
            kept.listed += pendingSlots(of: Int32(app)).count
        }
        if kept != counted { problems.append("the counts are kept as \(kept), but counted as \(counted)") }
        if counted.slots > policy.concurrency { problems.append("\(counted.slots) runs at once pass the limit") }
        if phase == .running, globalHold == nil, !ready.isEmpty {
            problems.append("a request is ready and a slot is free, but nothing was claimed")
        }
        return problems
    }

    // MARK: - Private

    private func checkTask(_ slot: Int32, at now: Moment, _ problems: inout [String]) {
        let entry = tasks.entries[Int(slot)]
        let name = tasks.identifier(of: slot)
        if tasks.slot(of: name) != slot { problems.append("\(name) is not indexed") }
        if wallDeadlines.contains(slot) != (entry.place == .wall)
            || bootDeadlines.contains(slot) != (entry.place == .boot)
            || waiting.contains(slot) != (entry.place == .waiting) || ready.contains(slot) != (entry.place == .ready)
        {
            problems.append("\(name) is not, or not only, in its place, which is \(entry.place)")
        }
        if entry.hasRequest != (entry.place != .nowhere) {
            problems.append("\(name) is pending: \(entry.hasRequest), but its place is \(entry.place)")
        }
        if entry.run >= 0, runs.entries[Int(entry.run)]?.task != slot {
            problems.append("\(name) names a run that is not its own")
        }
        if entry.gate == .launching, entry.place == .waiting, runsInProcess(slot), apps.entries[Int(entry.app)].isOpen {
            let process = apps.entries[Int(entry.app)].process
            if !process.isUp, !process.isWanted, !process.hasLeftover, !processBackoffs.contains(entry.app) {
                problems.append("\(name) waits for its app's process, which nothing will start")
            }
        }
        guard entry.hasRequest, entry.place != .ready, gateState(entry.gate, slot, at: now).verdict == .open else {
            return
        }
        // An open gate is right only for a moment: when time has opened it and is about to tell.
        let isDue =
            switch entry.place {
            case .wall: wallDeadlines.first.map { $0.key <= now.wall.milliseconds } ?? false
            case .boot: bootDeadlines.first.map { $0.key <= now.boot.milliseconds } ?? false
            case .nowhere, .waiting, .ready: false
            }
        // What only a window lets begin is looked at when there is one.
        if waiting.key(of: slot) == .window, !isWindowOpen(at: now) { return }
        if !isDue { problems.append("\(name) waits at \(entry.gate.rawValue), which is open") }
    }
}

/// What is counted once more, to compare it with the counts that the scheduler keeps.
private struct CountedState: Equatable {
    var pending = 0
    var registered = 0
    var stranded = 0
    var slots = 0
    var listed = 0
    var pendingOfApp: [KindCounts]
    var strandedOfApp: [KindCounts]
    var runningOfApp: [Int]

    init(apps: Int) {
        pendingOfApp = Array(repeating: KindCounts(), count: apps)
        strandedOfApp = pendingOfApp
        runningOfApp = Array(repeating: 0, count: apps)
    }

    mutating func add(_ entry: TaskEntry) {
        if entry.isRegistered { registered += 1 }
        guard entry.hasRequest else { return }
        pending += 1
        listed += 1
        pendingOfApp[Int(entry.app)].add(1, to: entry.kind)
        guard entry.isStranded else { return }
        stranded += 1
        strandedOfApp[Int(entry.app)].add(1, to: entry.kind)
    }

    mutating func add(_ run: RunEntry) {
        if run.takesSlot { slots += 1 }
        if !run.record.state.isEnded { runningOfApp[Int(run.app)] += 1 }
    }
}
