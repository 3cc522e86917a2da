extension Scheduler {
    /// Takes in what a store holds, after handlers were registered without it; only before the start.
    package mutating func adopt(_ contents: StoreContents, at now: Moment) {
        precondition(start == nil && phase == .starting, "a store is adopted before the start")
        restore(contents, at: now)
    }

    /// Takes in what a store holds. Nothing is judged before loading is finished.
    mutating func restore(_ contents: StoreContents, at now: Moment) {
        facts = contents.runner
        nextSubmission = max(contents.highestSubmission + 1, contents.runner.nextSubmission)
        nextRun = max(contents.highestRun + 1, contents.runner.nextRun, nextRun)
        for app in contents.apps {
            let position = apps.findOrInsert(app.app, facts: app)
            apps[position].facts = app
        }
        for override in contents.runner.overrides where override.bootIdentifier == bootIdentifier {
            device.setOverride(override)
        }
        facts.overrides = device.overrides
        tasks.reserve(contents.requests.count)
        wallDeadlines.reserve(contents.requests.count)
        var lastApp: (identifier: AppIdentifier, position: Int32)?
        for request in contents.requests {
            let app =
                lastApp?.identifier == request.app ? lastApp?.position ?? 0 : apps.findOrInsert(request.app)
            lastApp = (request.app, app)
            let slot = tasks.slot(of: request.identifier) ?? tasks.insert(request.identifier, app: app)
            restoreRequest(rebased(request, at: now), slot, at: now)
        }
        for task in contents.tasks {
            tasks.adopt(task)
        }
        unjudgedRuns = contents.unfinishedRuns
        if facts.pausedAt != nil { closures.close(.paused, at: now.boot) }
    }

    mutating func began(_ start: StartFacts, at now: Moment) {
        self.start = start
        device.setUTCOffset(start.utcOffsetSeconds)
        let launch = LaunchFacts(
            bootIdentifier: start.bootIdentifier, osVersion: start.osVersion, runnerVersion: start.runnerVersion,
            bundleHash: "")
        recovered = recoveryCause(from: facts.lastStart, to: launch)
        if recovered == nil, facts.lastStart != nil, !facts.stoppedCleanly { recovered = .crash }
        guard facts.lastStart != launch || facts.stoppedCleanly else { return }
        facts.lastStart = launch
        facts.stoppedCleanly = false
        persist(.putRunner(facts))
    }

    /// Every app that is there is known: what is not is missing, and runs that the last runner left are judged.
    mutating func finishLoading(at now: Moment) {
        guard phase == .starting else { return }
        phase = .running
        publish(.phaseChanged(.running))
        for position in apps.entries.indices where apps.entries[position].description == nil {
            markMissing(Int32(position), at: now)
        }
        let left = unjudgedRuns
        unjudgedRuns = []
        for record in left { judge(record, at: now) }
        for position in apps.entries.indices {
            let app = apps.entries[position]
            if app.phase == .registering, app.description?.host == .commands { launch(Int32(position), at: now) }
        }
    }

    func recoveryCause(from last: LaunchFacts?, to launch: LaunchFacts) -> RecoveryCause? {
        guard let last else { return nil }
        if last.osVersion != launch.osVersion { return .osUpgrade }
        if last.bootIdentifier != launch.bootIdentifier { return .reboot }
        if last.runnerVersion != launch.runnerVersion { return .runnerUpgrade }
        return recovered == .crash ? .crash : nil
    }

    // MARK: - A store that fails

    mutating func storeFailed(_ failure: StoreFailure, at now: Moment) {
        if storeFailure == nil { storeFailedAt = now.wall }
        storeFailure = failure
        closures.close(.storeUnavailable, at: now.boot)
    }

    mutating func storeRecovered(at now: Moment) {
        storeFailure = nil
        storeFailedAt = nil
        closures.open(.storeUnavailable, at: now.boot)
    }

    /// A failed commit is a crash in place: what the store does not hold never happened.
    ///
    /// Registrations, device values and phases stay; requests, facts and the existence and state of runs are the
    /// store's. The engine feeds what cannot be undone again afterwards.
    package mutating func reload(_ contents: StoreContents, at now: Moment) {
        for slot in tasks.entries.indices.map(Int32.init) where tasks[slot].isUsed {
            if tasks[slot].hasRequest { removeRequest(slot, at: now) }
        }
        tasks.forgetFacts()
        for position in apps.entries.indices {
            apps.entries[position].facts = AppFacts(app: apps.entries[position].identifier)
        }
        let numbers = (nextSubmission, nextRun)
        restore(contents, at: now)
        nextSubmission = max(nextSubmission, numbers.0)
        nextRun = max(nextRun, numbers.1)
        if phase != .starting { reloadRuns(at: now) }
        for slot in tasks.entries.indices.map(Int32.init) where tasks[slot].isUsed {
            replace(slot, at: now)
            forgetIfEmpty(slot)
        }
    }

    // MARK: - Draining

    mutating func drain(grace: Duration, at now: Moment) {
        guard phase != .draining else { return }
        phase = .draining
        drainBeganAt = now.wall
        drainDeadline = now.awake.advanced(by: grace)
        closures.close(.draining, at: now.boot)
        publish(.phaseChanged(.draining))
        for simulation in simulationsAwaitingLaunch {
            reply(simulation.call, .refused(Refusal(.draining, "The runner is shutting down; start it again first.")))
        }
        simulationsAwaitingLaunch = []
    }

    /// Expires what still runs.
    mutating func hurryDrain(at now: Moment) {
        guard phase == .draining else { return }
        drainDeadline = nil
        for run in runs.active { expire(run, .draining, at: now) }
    }

    /// Says once that nothing runs any more.
    mutating func reportDrained() {
        guard phase == .draining, !drainReported, runs.active.isEmpty else { return }
        drainReported = true
        facts.stoppedCleanly = true
        persist(.putRunner(facts))
        emit(.drained)
    }

    // MARK: - The clock and what is stranded

    mutating func clockJumped(_ milliseconds: Int64, at now: Moment) {
        diagnose(
            .clockJumped, .notice, nil, at: now, "The wall clock was set by \(milliseconds) ms; floors were evaluated again.")
    }

    mutating func setLeftover(_ isThere: Bool, _ identifier: TaskIdentifier, at now: Moment) {
        guard let slot = tasks.slot(of: identifier), tasks[slot].hasLeftover != isThere else { return }
        tasks[slot].hasLeftover = isThere
        if isThere {
            diagnose(
                .leftoverProcess, .warning, identifier, at: now,
                "A process that an earlier run left behind still lives; the task waits until it is gone.",
                expected: "Commands whose children end with them.", fix: "End that process, or let it end.")
        }
        replace(slot, at: now)
        forgetIfEmpty(slot)
    }

    /// A request that was stranded for too long is dropped, and said so (B42).
    mutating func dropStranded(_ slot: Int32, at now: Moment) {
        let identifier = tasks[slot].identifier
        removeRequest(slot, at: now)
        persist(.removeRequest(identifier))
        changeFacts(slot) { $0.strandedSince = nil }
        diagnose(
            .requestDropped, .warning, identifier, at: now,
            "The pending request was dropped, since for \(policy.timing.stranded) no manifest permitted it.",
            expected: "A loaded bundle that permits it.", fix: "Put the bundle back and submit again.")
        forgetIfEmpty(slot)
    }

    // MARK: - Private

    /// Readings of another boot's clock are void: the wall time since the submission is the best that is left.
    private func rebased(_ request: PendingRequest, at now: Moment) -> PendingRequest {
        guard request.bootIdentifier != bootIdentifier else { return request }
        var request = request
        let waited = max(0, now.wall.milliseconds - request.submittedAt.milliseconds)
        request.bootIdentifier = bootIdentifier
        request.submittedBoot = BootTime(milliseconds: now.boot.milliseconds - waited)
        request.backoffUntil = nil
        return request
    }

    /// A run that the last runner left unfinished: a claim goes back, an entered run was interrupted.
    private mutating func judge(_ record: RunRecord, at now: Moment) {
        let app = apps.findOrInsert(record.app)
        let slot = tasks.slot(of: record.identifier) ?? tasks.insert(record.identifier, app: app)
        var record = record
        record.request = rebased(record.request, at: now)
        let run = runs.insert(
            RunEntry(
                record: record, task: slot, app: tasks[slot].app, host: .commands, call: nil, budget: nil,
                grace: policy.budgets.grace))
        apps[tasks[slot].app].running += 1
        if record.origin == .scheduled { slotsTaken += 1 }
        tasks[slot].run = run
        let wasEntered = record.state != .starting
        let isLast = record.attempt >= policy.timing.startAttempts
        if wasEntered {
            note(
                .interrupted, .warning, run, at: now, "The runner ended while the task ran.",
                expected: "A runner that drains before it ends.", fix: "Nothing, if the machine lost power.")
            end(run, record.claimCancelled ? .cancelled : .interrupted, message: nil, at: now)
            runs.remove(run)
        } else {
            note(
                .startInterrupted, .warning, run, at: now, "The runner ended while the task was being started.",
                expected: "A runner that drains before it ends.",
                fix: isLast ? "Submit again: the request was given up." : "Nothing: the request went back to pending.")
            let comesBack = !isLast && !record.claimCancelled
            let state: RunState = record.claimCancelled ? .cancelled : isLast ? .crashed : .interrupted
            end(run, state, message: nil, at: now, isFinal: !comesBack)
            if comesBack { giveBack(record, to: slot, at: now) }
        }
        replace(slot, at: now)
        forgetIfEmpty(slot)
    }

    /// Makes the runs that the store holds as unfinished the runs that there are.
    private mutating func reloadRuns(at now: Moment) {
        var stored = Dictionary(unjudgedRuns.map { ($0.run, $0) }, uniquingKeysWith: { first, _ in first })
        unjudgedRuns = []
        for run in runs.entries.indices.map(Int32.init) where runs.entries[Int(run)] != nil {
            if let record = stored.removeValue(forKey: runs[run].record.run) {
                runs[run].record = record
                runs[run].isLingering = false
            } else if !runs[run].record.state.isEnded {
                // The claim was never committed, so its launch never left.
                runs.remove(run)
            }
        }
        for record in stored.values.sorted(by: { $0.run < $1.run }) {
            let app = apps.findOrInsert(record.app)
            let slot = tasks.slot(of: record.identifier) ?? tasks.insert(record.identifier, app: app)
            let settings = apps[app].settings[record.identifier]
            _ = runs.insert(
                RunEntry(
                    record: record, task: slot, app: app, host: apps[app].description?.host ?? .embedded, call: nil,
                    budget: record.budgetMilliseconds.map { .milliseconds($0) },
                    grace: settings?.grace ?? policy.budgets.grace))
        }
        recountRuns(at: now)
    }

    private mutating func recountRuns(at now: Moment) {
        slotsTaken = 0
        for slot in tasks.entries.indices { tasks.entries[slot].run = -1 }
        for app in apps.entries.indices { apps.entries[app].running = 0 }
        for run in runs.entries.indices.map(Int32.init) {
            guard let entry = runs.entries[Int(run)], !entry.record.state.isEnded || entry.isLingering else { continue }
            if entry.takesSlot { slotsTaken += 1 }
            tasks[entry.task].run = run
            apps[entry.app].running += 1
            if entry.record.state == .running, entry.budgetDeadline == nil, let budget = entry.budget {
                runs[run].budgetDeadline = (entry.enteredAwake ?? now.awake).advanced(by: budget)
            }
            if entry.record.state == .expiring, entry.graceDeadline == nil {
                runs[run].graceDeadline = now.awake.advanced(by: entry.grace)
            }
            runs.scheduleDeadline(run)
        }
    }
}
