extension Scheduler {
    /// The first completion of a run wins; later ones change nothing (B26).
    mutating func complete(
        _ identifier: RunIdentifier, _ result: RunResult, message: String?, call: CallIdentifier?, at now: Moment
    ) {
        guard let run = runs.slot(of: identifier), !runs[run].record.state.isEnded else {
            noteLateCompletion(identifier, at: now)
            reply(call, .accepted(false))
            // From a process it says that the code is over.
            if let run = runs.slot(of: identifier), runs[run].host == .process, runs[run].isLingering {
                handlerReturned(identifier, at: now)
            }
            return
        }
        if runs[run].record.state == .starting { handlerEntered(identifier, nil, at: now) }
        switch result {
        case .succeeded: end(run, .succeeded, message: message, at: now)
        case .failed: end(run, .failed, message: message, at: now)
        case .abandoned:
            note(
                .abandoned, .error, run, at: now, "The task object was dropped without completing.",
                expected: "setTaskCompleted exactly once.", fix: "Complete the task on every path of its handler.")
            end(run, .abandoned, message: message, at: now)
        case .noExpirationHandler:
            note(
                .noExpirationHandler, .error, run, at: now,
                "The task was expired and had no expiration handler.",
                expected: "An expiration handler that is set before the work begins.",
                fix: "Set expirationHandler first, or use the async form.")
            runs[run].isLingering = true
            noteLate(run)
            misbehaved(run, at: now)
            end(run, runs[run].record.expirationReason == .stopped ? .cancelled : .expired, message: message, at: now)
            if runs[run].host == .process {
                runs[run].graceDeadline = now.awake.advanced(by: runs[run].grace)
                runs.scheduleDeadline(run)
            }
        }
        reply(call, .accepted(true))
    }

    /// The process of a command ended; its exit status is its completion.
    mutating func processExited(_ identifier: RunIdentifier, _ exit: ProcessExit, at now: Moment) {
        guard let run = runs.slot(of: identifier) else { return }
        guard !runs[run].record.state.isEnded else {
            handlerReturned(identifier, at: now)
            return
        }
        if runs[run].record.state == .starting { handlerEntered(identifier, nil, at: now) }
        runs[run].record.exit = exit
        let isExpiring = runs[run].record.state == .expiring
        let stopped: RunState = runs[run].record.expirationReason == .stopped ? .cancelled : .expired
        switch exit {
        case .code(0): end(run, .succeeded, message: nil, at: now)
        case .code(143) where isExpiring, .signal(15) where isExpiring: end(run, stopped, message: nil, at: now)
        case .code(let code): end(run, .failed, message: "exit status \(code)", at: now)
        case .signal(let signal):
            note(
                .processCrashed, .error, run, at: now, "The command died of signal \(signal).",
                expected: "An exit status.", fix: "Look at its output: runnerctl log --run \(identifier.number).")
            end(run, .crashed, message: "signal \(signal)", at: now)
        }
        handlerReturned(identifier, at: now)
    }

    /// The code of a run is over. A run that nobody completed was abandoned (B27).
    mutating func handlerReturned(_ identifier: RunIdentifier, at now: Moment) {
        guard let run = runs.slot(of: identifier) else { return }
        if !runs[run].record.state.isEnded {
            complete(identifier, .abandoned, message: nil, call: nil, at: now)
        }
        let (task, app) = (runs[run].task, runs[run].app)
        let lingered = runs[run].isLingering
        runs.remove(run)
        if lingered { keepLeftovers() }
        guard lingered, tasks[task].run == run else { return }
        tasks[task].run = -1
        replace(task, at: now)
        forgetIfEmpty(task)
        noteActivity(of: app, at: now)
    }

    mutating func progressed(_ identifier: RunIdentifier, _ progress: RunProgress, at now: Moment) {
        guard let run = runs.slot(of: identifier), !runs[run].record.state.isEnded,
            runs[run].record.progress != progress, !progress.fraction.isNaN
        else { return }
        var progress = progress
        progress.fraction = min(max(progress.fraction, 0), 1)
        let hasMoved = runs[run].record.progress?.fraction != progress.fraction
        progress.title = progress.title ?? runs[run].record.progress?.title ?? runs[run].record.request.title
        progress.subtitle =
            progress.subtitle ?? runs[run].record.progress?.subtitle ?? runs[run].record.request.subtitle
        runs[run].record.progress = progress
        if hasMoved, runs[run].stallDeadline != nil {
            runs[run].stallDeadline = now.awake.advanced(by: policy.timing.stall)
            runs.scheduleDeadline(run)
        }
        publish(.progressed(runs[run].record))
    }

    // MARK: - Expiration

    mutating func simulateExpiration(
        _ identifier: TaskIdentifier, _ reason: ExpirationReason, call: CallIdentifier, at now: Moment
    ) {
        guard let run = currentRun(of: identifier) else {
            reply(call, .refused(notRunning(identifier.text)))
            return
        }
        expire(run, reason, at: now)
        reply(call, .run(runs[run].record))
    }

    mutating func stop(
        _ identifier: TaskIdentifier?, run number: RunIdentifier?, call: CallIdentifier, at now: Moment
    ) {
        let byNumber = number.flatMap { runs.slot(of: $0) }.flatMap { runs[$0].record.state.isEnded ? nil : $0 }
        guard let run = byNumber ?? (number == nil ? identifier.flatMap { currentRun(of: $0) } : nil),
            identifier == nil || runs[run].record.identifier == identifier
        else {
            if let number, !isGiven(number) {
                reply(call, .refused(Refusal(.noSuchRun, "There is no run \(number.number); see runnerctl history.")))
                return
            }
            let name = identifier?.text ?? number.map { "Run \($0.number)" } ?? "The task"
            reply(call, .refused(notRunning(name)))
            return
        }
        expire(run, .stopped, at: now)
        reply(call, .run(runs[run].record))
    }

    /// Calls the expiration handler, once, and begins the grace period (B24).
    mutating func expire(_ run: Int32, _ reason: ExpirationReason, at now: Moment) {
        switch runs[run].record.state {
        case .starting:
            runs[run].expirationAtEntry = runs[run].expirationAtEntry ?? reason
        case .running:
            runs[run].record.state = .expiring
            runs[run].record.expiredAt = now.wall
            runs[run].record.expirationReason = reason
            runs[run].budgetDeadline = nil
            runs[run].stallDeadline = nil
            runs[run].lostConditions = []
            runs[run].graceDeadline = now.awake.advanced(by: runs[run].grace)
            runs.scheduleDeadline(run)
            persist(.putRun(runs[run].record))
            emit(.expire(runs[run].record.run, reason, grace: runs[run].grace))
            publish(.expiring(runs[run].record))
        case .expiring, .succeeded, .failed, .expired, .abandoned, .crashed, .interrupted, .cancelled:
            break
        }
    }

    mutating func runDeadlinePassed(_ run: Int32, at now: Moment) {
        let entry = runs[run]
        func passed(_ deadline: AwakeTime?) -> Bool { deadline.map { $0 <= now.awake } ?? false }
        if passed(entry.startDeadline) {
            runs[run].startDeadline = nil
            runs.scheduleDeadline(run)
            endProcess(of: entry.app, .unresponsive, at: now)
        } else if passed(entry.graceDeadline) {
            graceEnded(run, at: now)
        } else if passed(entry.budgetDeadline) {
            expire(run, .budget, at: now)
        } else if passed(entry.stallDeadline) {
            expire(run, .stalled, at: now)
        } else if let lost = entry.lostConditions.first(where: { $0.deadline <= now.awake }) {
            note(
                .conditionLost, .notice, run, at: now, "\(lost.condition.rawValue) was lost while the task ran.",
                expected: "A condition that lasts.",
                fix: "Finish in smaller steps, so that a lost condition costs little.")
            expire(run, .conditionLost, at: now)
        } else {
            runs.scheduleDeadline(run)
        }
    }

    // MARK: - For the parts

    /// What becomes of the request that an ending run has claimed.
    enum ClaimedRequest {
        case isConsumed
        /// The handler was not entered: it is pending again, after a backoff or at once. It has cost an attempt, or it has
        /// not, where nobody can say that the app failed.
        case goesBack(waits: Bool, costsAttempt: Bool)
    }

    func currentRun(of identifier: TaskIdentifier) -> Int32? {
        guard let slot = tasks.slot(of: identifier) else { return nil }
        let run = tasks.entries[Int(slot)].run
        return run >= 0 && !runs[run].record.state.isEnded ? run : nil
    }

    /// Closes a run, exactly once, and everything that follows from it.
    ///
    @discardableResult
    mutating func end(
        _ run: Int32, _ state: RunState, message: String?, at now: Moment, request: ClaimedRequest = .isConsumed
    ) -> RunRecord {
        precondition(!runs[run].record.state.isEnded, "a run ends once")
        let wasEntered = runs[run].record.state != .starting
        if runs[run].takesSlot { slotsTaken -= 1 }
        runs[run].record.state = state
        runs[run].record.endedAt = now.wall
        runs[run].record.endedBoot = now.boot
        runs[run].record.message = message ?? runs[run].record.message
        runs[run].startDeadline = nil
        runs[run].graceDeadline = nil
        runs[run].budgetDeadline = nil
        runs[run].stallDeadline = nil
        runs[run].lostConditions = []
        runs.scheduleDeadline(run)
        let task = runs[run].task
        let app = runs[run].app
        countUsage(of: run, at: now)
        if wasEntered { forgetLate(run) }
        switch request {
        case .isConsumed:
            rearmAfterEnd(run, at: now)
            noteIfNeverAgain(run, at: now)
        case .goesBack: break
        }
        let record = runs[run].record
        tasks.outcomes[task] = .consumed(record.run, state)
        persist(.putRun(record))
        publish(.ended(record))
        if let call = runs[run].call {
            runs[run].call = nil
            reply(call, .run(record))
        }
        apps[app].running -= 1
        if wasEntered, runs[run].host == .process {
            forgetEarlierRun(run)
            if state == .succeeded { apps[app].process.failuresInARow = 0 }
        }
        if !runs[run].isLingering {
            tasks[task].run = -1
            if !wasEntered { runs.remove(run) }
            switch request {
            case .isConsumed: break
            case .goesBack(let waits, let costs):
                giveBack(record, to: task, waits: waits, costsAttempt: costs, at: now)
            }
            replace(task, at: now)
        }
        if !wasEntered, record.origin == .scheduled, policy.isDoze || hasInterval(record.request.kind) {
            // Others waited as if it were entered.
            replaceAll(of: app, at: now)
        }
        becomeSuccessor(app, at: now)
        forgetIfEmpty(task)
        noteActivity(of: app, at: now)
        return record
    }

    mutating func note(
        _ name: Diagnostic.Name, _ severity: Diagnostic.Severity, _ run: Int32, at now: Moment, _ message: String,
        expected: String, fix: String
    ) {
        let diagnostic = Diagnostic(
            name, severity, at: now.wall, identifier: runs[run].record.identifier, message: message,
            expected: expected, fix: fix)
        runs[run].record.diagnostics.append(diagnostic)
        publish(.diagnostic(diagnostic))
    }

    // MARK: - Private

    private func notRunning(_ name: String) -> Refusal {
        Refusal(.notRunning, "\(name) does not run now; see runnerctl running.")
    }

    /// Whether there was a run of this number, in the history or before it.
    private func isGiven(_ run: RunIdentifier) -> Bool {
        run.number > 0 && run.number < nextRun
    }

    /// A process may complete a run twice, and is told so; of each task the last run is kept for that.
    private mutating func forgetEarlierRun(_ run: Int32) {
        let record = runs[run].record
        let app = runs[run].app
        var forgotten = [apps[app].process.ended.updateValue(record.run, forKey: record.identifier)]
        if apps[app].process.ended.count > Self.mostEndedRuns,
            let oldest = apps[app].process.ended.min(by: { $0.value < $1.value })
        {
            forgotten.append(apps[app].process.ended.removeValue(forKey: oldest.key))
        }
        for earlier in forgotten.compactMap(\.self) where earlier != record.run {
            guard let slot = runs.slot(of: earlier), runs[slot].record.state.isEnded, !runs[slot].isLingering else {
                continue
            }
            runs.remove(slot)
        }
    }

    /// The runs of a process that have ended and may still be completed again; more are not kept.
    private static let mostEndedRuns = 64

    private mutating func graceEnded(_ run: Int32, at now: Moment) {
        let record = runs[run].record
        let (host, app) = (runs[run].host, runs[run].app)
        if record.state.isEnded {
            // It ended for want of an expiration handler, and its code goes on.
            runs[run].graceDeadline = nil
            runs.scheduleDeadline(run)
            condemnProcess(of: app, .graceEnded, at: now)
            return
        }
        switch host {
        case .process:
            note(
                .graceEnded, .error, run, at: now,
                "The handler did not complete within its grace period; its app's process is ended.",
                expected: "A completion within \(runs[run].grace) after the expiration.",
                fix: "Stop the work and complete as soon as the expiration comes.")
        case .commands:
            note(
                .graceEnded, .error, run, at: now, "The command did not end within its grace period.",
                expected: "An exit within \(runs[run].grace) after SIGTERM.",
                fix: "Handle SIGTERM, or set a longer grace in RunnerTasks.")
        case .embedded:
            note(
                .overran, .error, run, at: now, "The handler goes on after its grace period.",
                expected: "A return within \(runs[run].grace) after the expiration.",
                fix: "Stop the work when the expiration comes: check for cancellation.")
        }
        runs[run].isLingering = true
        noteLate(run)
        misbehaved(run, at: now)
        end(run, record.expirationReason == .stopped ? .cancelled : .expired, message: nil, at: now)
        keepLeftovers()
        if host == .process {
            condemnProcess(of: app, .graceEnded, at: now)
        } else {
            emit(.terminate(record.run))
        }
    }

    private mutating func misbehaved(_ run: Int32, at now: Moment) {
        guard runs[run].record.origin == .scheduled else { return }
        changeAppFacts(runs[run].app) { facts in
            facts.misbehaviours.removeAll { $0.advanced(by: .hours(24)) <= now.wall }
            facts.misbehaviours.append(now.wall)
            if facts.misbehaviours.count > 100 { facts.misbehaviours.removeFirst() }
        }
    }

    private mutating func noteLateCompletion(_ identifier: RunIdentifier, at now: Moment) {
        guard let run = runs.slot(of: identifier) else { return }
        let record = runs[run].record
        let ended = record.endedAt.map { now.wall.milliseconds - $0.milliseconds } ?? 0
        let isDuplicate = record.state == .succeeded || record.state == .failed
        note(
            isDuplicate ? .duplicateCompletion : .lateCompletion, .warning, run, at: now,
            "The task was completed again, \(ended) ms after its run had ended as \(record.state.rawValue).",
            expected: "One completion, before the grace period ends.",
            fix: isDuplicate
                ? "Complete on one path only." : "Stop the work and complete as soon as the expiration comes.")
        persist(.putRun(runs[run].record))
    }

    /// A task with nothing pending and no recurrence does not run again by itself (B40).
    private mutating func noteIfNeverAgain(_ run: Int32, at now: Moment) {
        let entry = runs[run]
        guard !tasks[entry.task].hasRequest, !rearms.contains(entry.task),
            apps.settings(of: entry.record.identifier, in: entry.app)?.every == nil,
            entry.record.request.kind != .continuedProcessing
        else { return }
        note(
            .willNotRunAgain, .notice, run, at: now, "Nothing is pending after this run.",
            expected: "A request for the next run, if there is to be one.",
            fix: "Submit the next request first thing in the handler, or declare every in RunnerTasks.")
    }
}
