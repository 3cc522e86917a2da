extension Scheduler {
    /// Takes in what a store holds, after handlers were registered without it; only before the start.
    package mutating func adopt(_ contents: StoreContents, at now: Moment) {
        precondition(start == nil && phase == .starting, "a store is adopted before the start")
        restore(contents, at: now)
        if let kept = facts.windows, kept.isValid(policy, in: bootIdentifier) { windows = kept }
        firstSubmission = nextSubmission
        firstRun = nextRun
        unjudgedRuns = contents.unfinishedRuns
        for app in apps.entries.indices.map(Int32.init)
        where apps[app].description != nil && apps[app].facts.missingSince != nil {
            changeAppFacts(app) { $0.missingSince = nil }
        }
        for app in apps.entries.indices.map(Int32.init) { noteFirstSeen(app, at: now) }
    }

    /// Takes in the facts and requests that a store holds. Nothing is judged before loading is finished.
    private mutating func restore(_ contents: StoreContents, at now: Moment) {
        facts = contents.runner
        nextSubmission = max(nextSubmission, contents.highestSubmission + 1, facts.nextSubmission)
        nextRun = max(nextRun, contents.highestRun + 1, facts.nextRun)
        for app in contents.apps {
            let position = apps.findOrInsert(app.app, facts: app)
            apps[position].facts = app.rebased(to: now, in: bootIdentifier)
        }
        for override in contents.runner.overrides where override.bootIdentifier == bootIdentifier {
            device.setOverride(override)
        }
        facts.overrides = device.overrides
        for task in contents.tasks { tasks.adopt(task) }
        tasks.reserve(contents.requests.count)
        wallDeadlines.reserve(contents.requests.count)
        var lastApp: (identifier: AppIdentifier, position: Int32)?
        for request in contents.requests {
            let app = lastApp?.identifier == request.app ? lastApp?.position ?? 0 : apps.findOrInsert(request.app)
            lastApp = (request.app, app)
            let slot = tasks.findOrInsert(request.identifier, app: app)
            file(rebased(request, at: now), slot, at: now)
        }
        for run in contents.unfinishedRuns { _ = apps.findOrInsert(run.app) }
        if facts.pausedAt != nil { closures.close(.paused, at: now.boot) } else { closures.open(.paused, at: now.boot) }
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
        keepLeftovers()
        let left = unjudgedRuns ?? []
        unjudgedRuns = nil
        for record in left { judge(record, at: now) }
        for app in apps.entries.indices.map(Int32.init) {
            switch (apps[app].phase, apps[app].description?.host) {
            case (.registering, .commands): launch(app, at: now)
            case (.registering, .process): openProcessApp(app, at: now)
            case (.launched, _): runSimulations(of: app, at: now)
            case (.registering, _), (.starting, _), (.missing, _): break
            }
            if apps[app].description?.host.endsWithProcess == true { cancelOrphans(of: app, at: now) }
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
    /// Registrations, device values and phases stay, and so does what a run's code has seen: its entry and its
    /// expiration. Everything else is the store's. The engine feeds what cannot be undone again afterwards.
    package mutating func reload(_ contents: StoreContents, at now: Moment) {
        for slot in tasks.entries.indices.map(Int32.init) where tasks[slot].hasRequest { removeRequest(slot) }
        tasks.forgetFacts()
        let states = apps.entries.map(\.state)
        let known = apps.entries.map(\.facts)
        for app in apps.entries.indices { apps.entries[app].facts = AppFacts(app: apps.entries[app].identifier) }
        let before = conditionValues
        for condition in DeviceCondition.allCases { device.clearOverride(condition) }
        restore(contents, at: now)
        if unjudgedRuns == nil {
            reloadRuns(contents.unfinishedRuns, at: now)
        } else {
            unjudgedRuns = contents.unfinishedRuns
        }
        conditionsChanged(from: before, at: now)
        for (app, facts) in known.enumerated() { keepProcessFacts(facts, of: Int32(app)) }
        keepWhatHolds(at: now)
        for (app, state) in states.enumerated() { publishState(of: Int32(app), unless: state) }
        for app in apps.entries.indices.map(Int32.init) { becomeSuccessor(app, at: now) }
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
        publish(.gateChanged(GateChange(.draining, .closed)))
        for simulation in simulationsAwaitingLaunch {
            reply(simulation.call, .refused(Refusal(.draining, "The runner is shutting down; start it again first.")))
        }
        simulationsAwaitingLaunch = []
        for app in apps.entries.indices.map(Int32.init) {
            judgeWaitingSubmissions(of: app, at: now)
            switch apps[app].process.state {
            case .starting, .registering: endProcess(of: app, .draining, at: now)
            case .launched, .condemned: noteActivity(of: app, at: now)
            case .down, .ending: break
            }
        }
    }

    /// Expires what still runs.
    mutating func hurryDrain(at now: Moment) {
        guard phase == .draining else { return }
        drainDeadline = nil
        for run in runs.active {
            expire(run, .draining, at: now)
            // One whose handler was not entered yet, and may never be, is not waited for. A process has its launch time.
            if runs[run].record.state == .starting, runs[run].host != .process {
                emit(.terminate(runs[run].record.run))
            }
        }
    }

    /// Says once that nothing runs any more.
    mutating func reportDrained() {
        guard phase == .draining, !drainReported, runs.active.isEmpty, !apps.entries.contains(where: \.process.isUp)
        else { return }
        drainReported = true
        facts.stoppedCleanly = true
        facts.nextRun = nextRun
        persist(.putRunner(facts))
        emit(.drained)
    }

    // MARK: - The clock and what is left behind

    mutating func clockJumped(_ milliseconds: Int64, at now: Moment) {
        // Floors are watched by their deadlines; days of usage began at another time now.
        for app in apps.entries.indices.map(Int32.init)
        where policy.hasWindows
            || policy.gates.runTimePerDay != nil && apps[app].facts.usageDayStart != nil
        {
            replaceAll(of: app, at: now)
        }
        diagnose(
            .clockJumped, .notice, nil, at: now,
            "The wall clock was set by \(milliseconds) ms; floors were evaluated again.")
    }

    mutating func leftoverFound(_ leftover: Leftover, at now: Moment) {
        guard leftovers.updateValue(leftover, forKey: leftover.identifier) == nil else { return }
        keepLeftovers()
        let slot = tasks.findOrInsert(leftover.identifier, app: apps.findOrInsert(leftover.app))
        tasks[slot].hasLeftover = true
        diagnose(
            .leftoverProcess, .warning, leftover.identifier, at: now,
            "A process that an earlier run left behind still lives; the task waits until it is gone.",
            expected: "Commands whose children end with them.", fix: "End that process, or let it end.")
        replace(slot, at: now)
    }

    mutating func leftoverGone(_ identifier: TaskIdentifier, at now: Moment) {
        guard leftovers.removeValue(forKey: identifier) != nil else { return }
        keepLeftovers()
        guard let slot = tasks.slot(of: identifier) else { return }
        tasks[slot].hasLeftover = false
        replace(slot, at: now)
        forgetIfEmpty(slot)
    }

    /// A request that was stranded for too long is dropped, and said so (B42).
    mutating func dropStranded(_ slot: Int32, at now: Moment) {
        let request = pendingRequest(at: slot)
        let identifier = request.identifier
        removeRequest(slot)
        persist(.removeRequest(identifier))
        publish(.withdrawn(request, .dropped))
        changeFacts(slot) { $0.strandedSince = nil }
        diagnose(
            .requestDropped, .warning, identifier, at: now,
            "The pending request was dropped, since for \(policy.timing.stranded) no manifest permitted it.",
            expected: "A loaded bundle that permits it.", fix: "Put the bundle back and submit again.")
        forgetIfEmpty(slot)
    }

    // MARK: - Private

    /// What an app's process has registered, and that it is there, is so whatever the store says.
    private mutating func keepProcessFacts(_ known: AppFacts, of app: Int32) {
        guard apps[app].description?.host == .process else { return }
        changeAppFacts(app) { facts in
            facts.registered = known.registered
            facts.owedRecovery = known.owedRecovery
            facts.process = known.process
            guard facts.quarantinedAt == nil else { return }
            facts.quarantinedAt = known.quarantinedAt
            facts.quarantineReason = known.quarantineReason
            facts.quarantinedHash = known.quarantinedHash
        }
    }

    /// What is so, whatever the store says: launches, missing bundles, and that nothing runs any more.
    private mutating func keepWhatHolds(at now: Moment) {
        drainReported = false
        keepLeftovers()
        for app in apps.entries.indices.map(Int32.init) {
            switch apps[app].phase {
            case .starting, .registering: break
            case .launched:
                keepLaunch(of: app)
                armRecurrences(of: app, isFresh: false, at: now)
            case .missing:
                if apps[app].facts.missingSince == nil { changeAppFacts(app) { $0.missingSince = now.wall } }
            }
        }
    }

    /// Notes the processes that live though their runs have ended: should this runner die, the next start looks for them.
    mutating func keepLeftovers() {
        // What the last start saw stays until this one has looked.
        guard phase != .starting else { return }
        let lingering = runs.entries.lazy.compactMap { $0 }.filter { $0.isLingering && $0.host == .commands }
        let left = (leftovers.values + lingering.map { Leftover($0.record) }).sorted { $0.run < $1.run }
        guard facts.leftovers != left else { return }
        facts.leftovers = left
        persist(.putRunner(facts))
    }

    /// Continued processing that waited in a program which embedded the last runner ended with it (B29).
    private mutating func cancelOrphans(of app: Int32, at now: Moment) {
        guard apps[app].pending.continued > 0 else { return }
        for slot in pendingSlots(of: app)
        where tasks[slot].kind == .continuedProcessing && tasks[slot].submission < firstSubmission {
            cancel(tasks.identifier(of: slot), by: nil, call: nil, at: now)
        }
    }

    /// A run that the last runner left unfinished: a claim goes back, an entered run was interrupted.
    private mutating func judge(_ record: RunRecord, at now: Moment) {
        let slot =
            tasks.findOrInsert(record.identifier, app: apps.findOrInsert(record.app))
        let run = runs.insert(
            RunEntry(
                record: record, task: slot, app: tasks[slot].app, host: .commands, call: nil, budget: nil,
                grace: policy.budgets.grace))
        apps[tasks[slot].app].running += 1
        if record.origin == .scheduled { slotsTaken += 1 }
        tasks[slot].run = run
        guard record.state == .starting else {
            note(
                .interrupted, .warning, run, at: now, "The runner ended while the task ran.",
                expected: "A runner that drains before it ends.", fix: "Nothing, if the machine lost power.")
            end(run, .interrupted, message: nil, at: now)
            runs.remove(run)
            return
        }
        let isLast = record.attempt >= policy.timing.startAttempts
        let endsWithProcess =
            record.request.kind == .continuedProcessing
            && apps[tasks[slot].app].description?.host.endsWithProcess == true
        let isCancelled = record.claimCancelled || endsWithProcess
        note(
            .startInterrupted, .warning, run, at: now, "The runner ended while the task was being started.",
            expected: "A runner that drains before it ends.",
            fix: isLast || isCancelled
                ? "Submit again: the request was given up." : "Nothing: the request went back to pending.")
        let state: RunState = isCancelled ? .cancelled : isLast ? .crashed : .interrupted
        end(
            run, state, message: nil, at: now,
            request: isLast || isCancelled ? .isConsumed : .goesBack(waits: true, costsAttempt: true))
    }

    // MARK: - Runs after a failed commit

    /// Makes the runs that the store holds as unfinished the runs that there are.
    private mutating func reloadRuns(_ unfinished: [RunRecord], at now: Moment) {
        var stored = Dictionary(unfinished.map { ($0.run, $0) }, uniquingKeysWith: { first, _ in first })
        for run in runs.entries.indices.map(Int32.init) where runs.entries[Int(run)] != nil {
            if let record = stored.removeValue(forKey: runs[run].record.run) {
                reopenRun(run, record)
            } else if !runs[run].record.state.isEnded {
                // The claim was never committed, so its launch never left.
                runs.remove(run)
            }
        }
        let left = stored.values.sorted { $0.run < $1.run }
        for record in left where record.run.number >= firstRun {
            let app = apps.findOrInsert(record.app)
            let slot = tasks.findOrInsert(record.identifier, app: app)
            let settings = apps.settings(of: record.identifier, in: app)
            _ = runs.insert(
                RunEntry(
                    record: record, task: slot, app: app, host: host(of: slot), call: nil,
                    budget: record.budgetMilliseconds.map { .milliseconds($0) },
                    grace: settings?.grace ?? policy.budgets.grace))
        }
        recountRuns(at: now)
        // They were judged at the start, and the store does not know it.
        for record in left where record.run.number < firstRun { judge(record, at: now) }
    }

    /// The store does not know how a run went on: it goes on from what its code has seen.
    private mutating func reopenRun(_ run: Int32, _ stored: RunRecord) {
        let seen = runs[run].record
        var record = stored
        if seen.state != .starting {
            record.state = seen.expiredAt == nil ? .running : .expiring
            record.process = seen.process
            record.expiredAt = seen.expiredAt
            record.expirationReason = seen.expirationReason
        }
        record.progress = seen.progress
        runs[run].record = record
        runs[run].isLingering = false
        guard record != stored else { return }
        if stored.state == .starting, record.state != .starting {
            var entered = record
            entered.state = .running
            if record.state == .expiring { persist(.putRun(entered)) }
            countStart(run)
            publish(.launched(entered))
        }
        persist(.putRun(record))
        if record.progress != stored.progress { publish(.progressed(record)) }
        if record.state == .expiring, stored.state != .expiring { publish(.expiring(record)) }
    }

    private mutating func recountRuns(at now: Moment) {
        slotsTaken = 0
        for slot in tasks.entries.indices { tasks.entries[slot].run = -1 }
        for app in apps.entries.indices { apps.entries[app].running = 0 }
        for run in runs.entries.indices.map(Int32.init) {
            guard let entry = runs.entries[Int(run)] else { continue }
            if !entry.record.state.isEnded || entry.isLingering { tasks[entry.task].run = run }
            guard !entry.record.state.isEnded else { continue }
            if entry.takesSlot { slotsTaken += 1 }
            apps[entry.app].running += 1
            switch entry.record.state {
            case .running: armDeadlines(of: run, at: now)
            case .expiring:
                runs[run].graceDeadline = entry.graceDeadline ?? now.awake.advanced(by: entry.grace)
                runs.scheduleDeadline(run)
            case .starting, .succeeded, .failed, .expired, .abandoned, .crashed, .interrupted, .cancelled: break
            }
        }
    }
}
