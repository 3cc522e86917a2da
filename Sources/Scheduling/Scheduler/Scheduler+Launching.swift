extension Scheduler {
    /// Claims the pending request of a slot: the first of the two steps of a launch (B22).
    ///
    /// In one transaction the request goes, the run is recorded as starting, and a declared recurrence is armed again,
    /// before its handler is called (B38).
    @discardableResult
    mutating func claim(
        _ slot: Int32, origin: RunOrigin, now: Moment, call: CallIdentifier? = nil, hasBudget: Bool = true
    ) -> Int32 {
        leavePlace(slot, at: now)
        let request = pendingRequest(at: slot)
        let waits = tasks.extras(of: slot)?.waits ?? []
        let app = tasks[slot].app
        removeRequest(slot)

        var record = RunRecord(
            run: RunIdentifier(nextRun), request: request, origin: origin, attempt: request.attempts + 1,
            state: .starting, startedAt: now.wall, startedBoot: now.boot)
        nextRun += 1
        record.waits = waits
        record.waitedMilliseconds = max(0, now.boot.milliseconds - request.submittedBoot.milliseconds)
        let settings = apps.settings(of: request.identifier, in: app)
        var budget = hasBudget ? ownBudget(request.kind, settings) : nil
        if origin == .scheduled {
            countUsage(ofApp: app, at: now)
            if let left = quotaLeft(request.kind, of: app, at: now) { budget = min(budget ?? left, left) }
        }
        record.budgetMilliseconds = budget?.wholeMilliseconds
        let host = host(of: slot)
        let process = host == .process ? apps[app].process.number : nil
        let run = runs.insert(
            RunEntry(
                record: record, task: slot, app: app, host: host, process: process, call: call, budget: budget,
                grace: settings?.grace ?? policy.budgets.grace))
        if host == .process {
            runs[run].startDeadline = now.awake.advanced(by: policy.timing.launchTime)
            runs.scheduleDeadline(run)
        }
        tasks[slot].run = run
        apps[app].running += 1
        persist(.putRun(record))
        publish(.claimed(record))
        if origin == .scheduled {
            slotsTaken += 1
            if settings?.every != nil { changeFacts(slot) { $0.lastScheduledStart = now.wall } }
        }
        if !armAfterClaim(slot, request, origin, at: now) { persist(.removeRequest(request.identifier)) }
        noteActivity(of: app, at: now)
        emit(
            .launch(
                LaunchOrder(
                    record: record, host: host, process: process, budget: budget,
                    recovered: host == .process ? apps[app].process.recovered : apps[app].recovered,
                    bundleHash: apps[app].description?.bundleHash ?? "")))
        return run
    }

    /// The second step: the handler was entered, the claim is consumed and the budget starts.
    mutating func handlerEntered(_ identifier: RunIdentifier, _ process: ProcessMark?, at now: Moment) {
        guard let run = runs.slot(of: identifier), runs[run].record.state == .starting else { return }
        runs[run].record.state = .running
        runs[run].record.process = process
        if runs[run].host == .process {
            apps[runs[run].app].process.missedLaunch = false
            apps[runs[run].app].process.hasEntered = true
            apps[runs[run].app].process.exitedBefore = false
        }
        armDeadlines(of: run, at: now)
        persist(.putRun(runs[run].record))
        countStart(run)
        publish(.launched(runs[run].record))
        answerLaunch(run, .run(runs[run].record))
        if let reason = runs[run].expirationAtEntry { expire(run, reason, at: now) }
    }

    /// A start failed before the handler was entered: the request goes back, with a backoff, or is given up (B22).
    ///
    /// - Parameter remedy: what gives the runner more of what it lacked; such a start costs no attempt.
    mutating func startFailed(
        _ identifier: RunIdentifier, _ reason: String, remedy: String? = nil, at now: Moment
    ) {
        guard let run = runs.slot(of: identifier), runs[run].record.state == .starting else { return }
        if let remedy {
            startLacked(run, reason, remedy: remedy, at: now)
            return
        }
        let record = runs[run].record
        if runs[run].host == .process { apps[runs[run].app].process.missedLaunch = true }
        let isLast = record.attempt >= policy.timing.startAttempts
        let note = Diagnostic(
            .startFailed, .error, at: now.wall, identifier: record.identifier,
            message: "The handler could not be started: \(reason).",
            expected: "A handler that is entered.",
            fix: isLast
                ? "Repair it, then submit again: the request was given up after \(record.attempt) attempts."
                : "Repair it: the request went back to pending and is tried again after a backoff.")
        runs[run].record.diagnostics.append(note)
        publish(.diagnostic(note))
        let call = runs[run].call
        runs[run].call = nil
        let comesBack = !isLast && !record.claimCancelled
        let state: RunState = record.claimCancelled ? .cancelled : .crashed
        let ended = end(
            run, state, message: reason, at: now,
            request: comesBack ? .goesBack(waits: true, costsAttempt: true) : .isConsumed)
        reply(
            call,
            .refused(Refusal(.launchFailed, "\(record.identifier) could not be started: \(reason).", run: ended)))
    }

    /// Gives the request of a failed start back to pending; a newer submission by a caller wins over it.
    mutating func giveBack(
        _ record: RunRecord, to slot: Int32, waits: Bool, costsAttempt: Bool, at now: Moment
    ) {
        if tasks[slot].hasRequest, tasks[slot].maker == .caller { return }
        var request = rebased(record.request, at: now)
        request.attempts = costsAttempt ? record.attempt : record.attempt - 1
        let doubled = policy.timing.startBackoff * (1 << min(record.attempt - 1, 16))
        request.backoffUntil = waits ? now.boot.advanced(by: doubled) : nil
        file(request, slot, at: now)
        let filed = pendingRequest(at: slot)
        persist(.putRequest(filed))
        publish(.refiled(filed, .returned))
    }

    /// Readings of another boot's clock are void: the wall time since the submission is the best that is left.
    func rebased(_ request: PendingRequest, at now: Moment) -> PendingRequest {
        guard request.bootIdentifier != bootIdentifier else { return request }
        var request = request
        let waited = max(0, now.wall.milliseconds - request.submittedAt.milliseconds)
        request.bootIdentifier = bootIdentifier
        request.submittedBoot = BootTime(milliseconds: now.boot.milliseconds - waited)
        request.backoffUntil = nil
        return request
    }

    /// Sets the deadlines of a run whose handler was entered: its budget, its stall and what it has lost.
    mutating func armDeadlines(of run: Int32, at now: Moment) {
        runs[run].startDeadline = nil
        let entered = runs[run].enteredAwake ?? now.awake
        runs[run].enteredAwake = entered
        runs[run].countedUntil = runs[run].countedUntil ?? entered
        runs[run].budgetDeadline = runs[run].budget.map { entered.advanced(by: $0) }
        if runs[run].record.request.kind == .continuedProcessing {
            runs[run].stallDeadline = now.awake.advanced(by: policy.timing.stall)
        }
        noteLostConditions(of: run, at: now)
    }

    // MARK: - Simulation

    /// Runs the pending request now, whatever its gates say, but for those of B32.
    mutating func simulateLaunch(
        _ identifier: TaskIdentifier, _ options: SimulationOptions, call: CallIdentifier, at now: Moment
    ) {
        do throws(Refusal) {
            if let app = try appToAwait(identifier, options) {
                simulationsAwaitingLaunch.append(
                    AwaitingSimulation(app: app, identifier: identifier, options: options, call: call))
                want(app)
                return
            }
            let slot = try simulatedTask(identifier)
            let app = tasks[slot].app
            if tasks[slot].run >= 0 || tasks[slot].hasLeftover {
                let run = tasks[slot].run >= 0 ? runs[tasks[slot].run].record : nil
                throw Refusal(
                    .alreadyRunning,
                    run.map { "\(identifier) runs already, as run \($0.run.number); wait for it, or stop it." }
                        ?? "A process that an earlier run of \(identifier) left behind still lives; end it first.",
                    run: run)
            }
            if !tasks[slot].hasRequest {
                guard options.submit else { throw nothingPending(identifier, slot) }
                let settings = apps.settings(of: identifier, in: app)
                var request = TaskRequest(
                    identifier: identifier,
                    requiresNetworkConnectivity: settings?.requiresNetworkConnectivity ?? false,
                    requiresExternalPower: settings?.requiresExternalPower ?? false)
                request.kind = tasks[slot].registeredKind ?? settings?.kind
                if request.kind == nil { request.kind = try unsaidKind(of: slot) }
                if request.kind == .continuedProcessing {
                    request.title = identifier.text
                }
                publish(.submitted(try accept(request, SubmissionOptions(), maker: .caller, at: now)))
            }
            claim(slot, origin: .simulated, now: now, call: call, hasBudget: options.budget)
        } catch {
            publish(.refused(error, identifier: identifier))
            reply(call, .refused(error))
        }
    }

    // MARK: - Private

    /// The runner lacked something: the request goes back with a backoff, however often.
    private mutating func startLacked(_ run: Int32, _ reason: String, remedy: String, at now: Moment) {
        let record = runs[run].record
        note(
            .resourcesExhausted, .error, run, at: now, "The handler could not be started: \(reason).",
            expected: "A runner that may start what its apps need.", fix: remedy)
        let call = runs[run].call
        runs[run].call = nil
        let ended = end(
            run, record.claimCancelled ? .cancelled : .interrupted, message: reason, at: now,
            request: record.claimCancelled ? .isConsumed : .goesBack(waits: true, costsAttempt: false))
        reply(
            call,
            .refused(
                Refusal(
                    .launchFailed, "\(record.identifier) could not be started: \(reason). \(remedy)", run: ended)))
    }

    private mutating func answerLaunch(_ run: Int32, _ answer: Reply) {
        reply(runs[run].call, answer)
        runs[run].call = nil
    }

    /// The app whose launch a simulated one has to wait for; its process is started for it.
    private func appToAwait(
        _ identifier: TaskIdentifier, _ options: SimulationOptions
    ) throws(Refusal) -> Int32? {
        guard phase != .draining, storeFailure == nil else { return nil }
        guard let slot = tasks.slot(of: identifier), tasks.entries[Int(slot)].isRegistered else {
            // What its process registers is not known before its first launch.
            guard let app = apps.owner(of: identifier), apps.entries[Int(app)].description?.host == .process,
                apps.entries[Int(app)].phase == .registering
            else { return nil }
            try requireNoLeftover(of: app)
            return app
        }
        let entry = tasks.entries[Int(slot)]
        let app = apps.entries[Int(entry.app)]
        let isInProcess = runsInProcess(slot)
        if app.phase == .launched, phase != .starting, app.process.state == .launched || !isInProcess { return nil }
        // Nothing is started to find that there is nothing to run.
        if isInProcess, !entry.hasRequest, entry.run < 0, !options.submit { throw nothingPending(identifier, slot) }
        guard entry.run < 0, !entry.hasLeftover else { return nil }
        try requireNoLeftover(of: entry.app)
        return entry.app
    }

    /// Nobody knows when a process that an earlier runner started ends, so nothing waits for that.
    private func requireNoLeftover(of app: Int32) throws(Refusal) {
        guard apps.entries[Int(app)].process.hasLeftover else { return }
        throw Refusal(
            .alreadyRunning,
            "A process of \(apps.entries[Int(app)].identifier) that an earlier runner started still lives; end it first."
        )
    }

    private func simulatedTask(_ identifier: TaskIdentifier) throws(Refusal) -> Int32 {
        if phase == .draining { throw Refusal(.draining, "The runner is shutting down; start it again first.") }
        if let storeFailure {
            throw Refusal(
                .storeUnavailable, "Nothing can start while the store is unavailable: \(storeFailure.message)")
        }
        if let slot = tasks.slot(of: identifier) {
            if tasks[slot].isRegistered { return slot }
            if apps[tasks[slot].app].phase == .missing { throw bundleGone(tasks[slot].app) }
        }
        guard let owner = apps.owner(of: identifier) else { throw notPermitted(identifier, by: nil) }
        throw notRegistered(identifier, owner: owner)
    }

    func bundleGone(_ app: Int32) -> Refusal {
        Refusal(.appMissing, "The bundle of \(apps[app].identifier) is gone; put it back and call reload.")
    }

    private func nothingPending(_ identifier: TaskIdentifier, _ slot: Int32) -> Refusal {
        let last = tasks.outcomes[slot].map { " \($0.sentence)" } ?? ""
        return Refusal(
            .noPendingRequest,
            "Nothing is pending for \(identifier).\(last) Submit a request first, or simulate with submit: true.")
    }
}
