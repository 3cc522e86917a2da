/// What becomes of an app whose process ends or fails (04, *Supervision*).
extension Scheduler {
    /// The process of an app is gone, and all that it wrote before was read.
    mutating func processGone(
        _ identifier: AppIdentifier, _ number: ProcessNumber, _ end: ProcessEnd, at now: Moment
    ) {
        guard let app = apps.find(identifier) else { return }
        let isCurrent = apps[app].process.number == number && apps[app].process.isUp
        let state = apps[app].process.state
        let cause = isCurrent ? apps[app].process.stopCause : nil
        let own = runs.active.filter { runs[$0].app == app && runs[$0].process == number }
        let hadEntered = own.contains { runs[$0].record.state != .starting }
        let exitsInVain =
            isCurrent && state == .launched && end.isOrderly && !hadEntered
            && (apps[app].process.missedLaunch || !own.isEmpty)
        // Once an exit may have met a launch that was on its way; a process that exits instead of taking it has failed.
        let exitsAgain = exitsInVain && apps[app].process.exitedBefore
        if exitsInVain { apps[app].process.exitedBefore = true }
        // Before its runs end, so that nothing is sent to it any more.
        if isCurrent { processIsDown(app, at: now) }
        endRuns(of: app, number, end, cause: cause, mayStartAgain: !exitsAgain, at: now)
        guard isCurrent else { return }
        switch state {
        case .starting, .registering:
            let reason = end.problem ?? "\(end.exit.words) before it had finished launching"
            processFailed(app, reason, at: now)
        case .launched:
            if exitsAgain {
                processFailed(app, startWords(end, nil), at: now)
            } else if end.isOrderly, !hadEntered {
                settleAfterProcess(app, at: now)
            } else {
                processFailed(app, reason(end), at: now)
            }
        case .condemned(let cause), .ending(let cause):
            if cause.isFailure || end.problem != nil {
                processFailed(app, end.problem ?? words(for: cause), at: now)
            } else {
                settleAfterProcess(app, at: now)
            }
        case .down: break
        }
    }

    /// The process of an app could not be started at all.
    mutating func processStartFailed(
        _ identifier: AppIdentifier, _ number: ProcessNumber, _ reason: String, remedy: String?, at now: Moment
    ) {
        guard let app = current(identifier, number), apps[app].process.isUp else { return }
        processIsDown(app, at: now)
        if let remedy {
            processLacked(app, reason, remedy: remedy, at: now)
        } else {
            processFailed(app, reason, at: now)
        }
    }

    /// A process that an earlier runner started still lives: no other is started beside it.
    mutating func appLeftoverFound(_ identifier: AppIdentifier, at now: Moment) {
        let app = apps.findOrInsert(identifier)
        guard !apps[app].process.hasLeftover else { return }
        apps[app].process.hasLeftover = true
        diagnose(
            .leftoverProcess, .warning, nil, app: identifier, at: now,
            "A process of \(identifier) that an earlier runner started still lives; no other is started beside it.",
            expected: "A process that exits at the end of file on its descriptor.", fix: "End it, or let it end.")
    }

    mutating func appLeftoverGone(_ identifier: AppIdentifier, at now: Moment) {
        guard let app = apps.find(identifier) else { return }
        apps[app].process.hasLeftover = false
        if apps[app].facts.process != nil, !apps[app].process.isUp { changeAppFacts(app) { $0.process = nil } }
        lookAgain(app, at: now)
    }

    /// Nobody answers for a submission that waited for the app's first launch any longer than it takes.
    mutating func judgeWaitingSubmissions(of app: Int32, at now: Moment) {
        guard !submissionsAwaitingLaunch.isEmpty else { return }
        let judged = submissionsAwaitingLaunch.filter { $0.app == app }
        submissionsAwaitingLaunch.removeAll { $0.app == app }
        for submission in judged { submit(submission.request, submission.options, call: submission.call, at: now) }
    }

    /// Whether a submission has to wait until it is known what its app registers.
    ///
    /// Not one of the process itself: that knows what it has registered so far, and may wait for the answer before it goes
    /// on registering.
    func awaitsFirstLaunch(_ identifier: TaskIdentifier, by submitter: AppIdentifier?) -> Int32? {
        guard phase == .running, let app = apps.owner(of: identifier), apps.entries[Int(app)].phase == .registering,
            apps.entries[Int(app)].description?.host == .process,
            tasks.slot(of: identifier).map({ tasks.entries[Int($0)].isRegistered }) != true
        else { return nil }
        switch apps.entries[Int(app)].process.state {
        case .registering where submitter == apps.entries[Int(app)].identifier: return nil
        case .starting, .registering: return app
        case .down:
            let entry = apps.entries[Int(app)]
            let isSoon = entry.process.isWanted && entry.process.backoffUntil == nil && entry.facts.quarantinedAt == nil
            return isSoon ? app : nil
        case .launched, .condemned, .ending: return nil
        }
    }

    /// What the end of a process lets happen: another manifest, another start, or nothing.
    mutating func settleAfterProcess(_ app: Int32, at now: Moment) {
        cancelContinued(of: app, at: now)
        becomeSuccessor(app, at: now)
        lookAgain(app, at: now)
    }

    // MARK: - Private

    private mutating func processIsDown(_ app: Int32, at now: Moment) {
        setProcessDeadline(of: app, at: nil)
        setProcess(.down, of: app)
        if apps[app].facts.process != nil { changeAppFacts(app) { $0.process = nil } }
        // A launch that was not finished has registered nothing.
        adoptRegistered(apps[app].facts.registered, of: app, at: now)
        apps[app].process.registered = []
        apps[app].process.onDemand = []
        apps[app].process.ended = [:]
        apps[app].onDemandRegistrations = 0
    }

    /// Ends the runs that the process had: entered ones crashed with it, the others go back.
    private mutating func endRuns(
        of app: Int32, _ number: ProcessNumber, _ end: ProcessEnd, cause: StopCause?, mayStartAgain: Bool,
        at now: Moment
    ) {
        let all = runs.entries.indices.map(Int32.init).filter { run in
            runs.entries[Int(run)].map {
                // One that a failed commit brought back does not know its process any more.
                $0.app == app && $0.host == .process && ($0.process ?? number) == number
            } ?? false
        }
        for run in all.sorted(by: { runs[$0].record.run < runs[$1].record.run }) {
            let identifier = runs[run].record.run
            switch runs[run].record.state {
            // It had ended of its own accord when the launch was on its way to it.
            case .starting
            where mayStartAgain && end.isOrderly && cause?.isFailure != true
                && (runs[run].record.attempt == 1 || apps[app].process.hasEntered):
                startAgain(identifier, at: now)
            case .starting: startFailed(identifier, startWords(end, cause), at: now)
            case .running, .expiring:
                runs[run].record.exit = end.exit
                if let cause, !cause.isFailure, end.problem == nil {
                    note(
                        .interrupted, .warning, run, at: now,
                        "The process of its app was ended meanwhile, since \(words(for: cause)).",
                        expected: "A completion within the grace period.",
                        fix: "Complete as soon as the expiration comes.")
                    self.end(run, .interrupted, message: words(for: cause), at: now)
                } else {
                    let reason = end.problem ?? cause.map(words(for:)) ?? end.exit.words
                    note(
                        .processCrashed, .error, run, at: now, "The process of its app failed: \(reason).",
                        expected: "A process that lives until its tasks are completed.",
                        fix: "Look at its output: runnerctl log --run \(identifier.number).")
                    self.end(run, .crashed, message: reason, at: now)
                }
                handlerReturned(identifier, at: now)
            case .succeeded, .failed, .expired, .abandoned, .crashed, .interrupted, .cancelled:
                handlerReturned(identifier, at: now)
            }
        }
    }

    /// A launch that met a process which had just exited goes to the next one at once; only its attempt is counted, and not
    /// even that when the process had taken another one: with every process one launch fewer is left.
    private mutating func startAgain(_ identifier: RunIdentifier, at now: Moment) {
        guard let run = runs.slot(of: identifier) else { return }
        let (record, app) = (runs[run].record, runs[run].app)
        if record.origin == .simulated, let call = runs[run].call, !record.claimCancelled {
            runs[run].call = nil
            let options = SimulationOptions(submit: true, budget: runs[run].budget != nil)
            simulationsAwaitingLaunch.append(
                AwaitingSimulation(app: app, identifier: record.identifier, options: options, call: call))
        }
        let state: RunState = record.claimCancelled ? .cancelled : .interrupted
        end(
            run, state, message: "its process had just exited", at: now,
            request: record.claimCancelled
                ? .isConsumed : .goesBack(waits: false, costsAttempt: !apps[app].process.hasEntered))
    }

    private func startWords(_ end: ProcessEnd, _ cause: StopCause?) -> String {
        if cause == .unresponsive { return words(for: .unresponsive) }
        return end.problem ?? "\(end.exit.words) before it took the launch"
    }

    private mutating func lookAgain(_ app: Int32, at now: Moment) {
        replaceAll(of: app, at: now)
        // While the runner starts, nobody has looked yet whether it is known what the app registers.
        let isUnknown = apps[app].phase == .registering && phase != .starting
        if isUnknown || hasSimulation(app) { want(app) }
    }

    /// Continued processing that still waits ends with its process (B29).
    private mutating func cancelContinued(of app: Int32, at now: Moment) {
        guard apps[app].pending.continued > 0 else { return }
        for slot in pendingSlots(of: app) where tasks[slot].kind == .continuedProcessing && runsInProcess(slot) {
            cancel(tasks.identifier(of: slot), by: nil, call: nil, at: now)
        }
    }

    private func reason(_ end: ProcessEnd) -> String {
        end.problem ?? end.exit.words
    }

    private func words(for cause: StopCause) -> String {
        switch cause {
        case .idle: "it had nothing to do"
        case .bundleChanged: "its bundle changed"
        case .bundleRemoved: "its bundle is gone"
        case .draining: "the runner shut down"
        case .launchTime: "it did not finish launching within \(policy.timing.launchTime.words)"
        case .unresponsive: "it did not answer task.launch within \(policy.timing.launchTime.words)"
        case .graceEnded: "one of its tasks went on after its grace period"
        }
    }
}

extension ProcessExit {
    /// For people: `it exited with status 3`.
    package var words: String {
        switch self {
        case .code(let code): "it exited with status \(code)"
        case .signal(let signal): "it died of signal \(signal)"
        }
    }
}
