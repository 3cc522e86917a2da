/// The life of an app's process: started when it is needed, asked to go when it is not (01, *Processes*).
extension Scheduler {
    /// Whether the handler of a task runs in its app's process.
    func runsInProcess(_ slot: Int32) -> Bool {
        let app = tasks.entries[Int(slot)].app
        guard apps.entries[Int(app)].description?.host == .process else { return false }
        return apps.settings(of: tasks.identifier(of: slot), in: app)?.hasCommand != true
    }

    /// How the handler of a task runs.
    func host(of slot: Int32) -> AppHost {
        let app = tasks.entries[Int(slot)].app
        guard let host = apps.entries[Int(app)].description?.host else { return .embedded }
        return host == .process && !runsInProcess(slot) ? .commands : host
    }

    // MARK: - Starting

    /// Has the process of an app started as soon as the runner may.
    mutating func want(_ app: Int32) {
        guard apps[app].description?.host == .process, !apps[app].process.isUp, !apps[app].process.isWanted,
            apps[app].phase != .missing, !apps[app].successor.isWaiting
        else { return }
        apps[app].process.isWanted = true
        wantedApps.append(app)
    }

    /// Starts the processes that are wanted, as far as gates of the runner and their own backoff let them.
    mutating func startWanted(at now: Moment) {
        guard !wantedApps.isEmpty, storeFailure == nil else { return }
        let wanted = wantedApps
        wantedApps = []
        for app in wanted {
            let process = apps[app].process
            guard !process.isUp, !process.hasLeftover, apps[app].phase != .missing, !apps[app].successor.isWaiting,
                apps[app].facts.quarantinedAt == nil || hasSimulation(app)
            else {
                apps[app].process.isWanted = false
                continue
            }
            let isAsked = apps[app].phase == .registering || hasSimulation(app)
            guard isAsked || globalHold == nil else {
                wantedApps.append(app)
                continue
            }
            apps[app].process.isWanted = false
            // What it was wanted for may have been cancelled since.
            guard isAsked || hasRequestAtLaunching(app) else { continue }
            if let until = process.backoffUntil, until > now.boot, !hasSimulation(app) {
                if !processBackoffs.contains(app) {
                    processBackoffs.insert(app, key: until.milliseconds, tie: Int64(app))
                }
            } else {
                startProcess(of: app, at: now)
            }
        }
    }

    /// The process said hello, and may register its handlers.
    mutating func appConnected(_ identifier: AppIdentifier, _ process: ProcessNumber, at now: Moment) {
        guard let app = current(identifier, process), apps[app].process.state == .starting else { return }
        setProcess(.registering, of: app)
        setProcessDeadline(of: app, at: now.awake.advanced(by: policy.timing.launchTime))
    }

    /// Its process was started: should this runner die, the next one looks for it before it starts another.
    mutating func processStarted(
        _ identifier: AppIdentifier, _ process: ProcessNumber, _ mark: ProcessMark?, at now: Moment
    ) {
        guard let app = current(identifier, process), apps[app].process.isUp else { return }
        apps[app].process.shortage = nil
        changeAppFacts(app) { $0.process = mark }
    }

    /// Registration is closed: what was registered now is what is registered (01, *Processes*).
    mutating func processLaunched(_ app: Int32, at now: Moment) {
        guard apps[app].process.state == .registering, let hash = apps[app].description?.bundleHash else { return }
        let set = RegisteredSet(
            bundleHash: hash, handlers: apps[app].process.registered, refused: apps[app].process.refused)
        adoptRegistered(set, of: app, at: now)
        changeAppFacts(app) {
            $0.registered = set
            $0.owedRecovery = nil
        }
        let isFirst = apps[app].phase != .launched
        setProcess(.launched, of: app)
        setPhase(.launched, of: app)
        noteMissingHandlers(of: app, at: now)
        keepLaunch(of: app)
        replaceAll(of: app, at: now)
        armRecurrences(of: app, isFresh: isFirst && isFresh(apps[app].process.recovered), at: now)
        runSimulations(of: app, at: now)
        judgeWaitingSubmissions(of: app, at: now)
        noteActivity(of: app, at: now)
    }

    /// Registers what an app's last finished launch registered, and nothing else; commands stay.
    mutating func adoptRegistered(_ set: RegisteredSet?, of app: Int32, at now: Moment) {
        let kept = Set(set?.handlers.map(\.identifier) ?? [])
        for slot in registeredSlots(of: app)
        where runsInProcess(slot) && !kept.contains(tasks.identifier(of: slot)) {
            unregister(slot, of: app, at: now)
        }
        for handler in set?.handlers ?? [] {
            let slot = tasks.slot(of: handler.identifier)
            if let slot, tasks[slot].app == app, tasks[slot].isRegistered, tasks[slot].registeredKind == handler.kind {
                continue
            }
            guard apps.owner(of: handler.identifier) == app else { continue }
            keepHandler(handler.identifier, kind: handler.kind, origin: nil, of: app, at: now)
        }
    }

    // MARK: - Idleness

    /// An app's process that has nothing to do may be stopped after a while; one that has is not.
    mutating func noteActivity(of app: Int32, at now: Moment) {
        guard apps[app].process.isUp else { return }
        switch apps[app].process.state {
        case .launched:
            if apps[app].successor.isWaiting, apps[app].running == 0 {
                becomeSuccessor(app, at: now)
            } else if phase == .draining, apps[app].running == 0 {
                endProcess(of: app, .draining, at: now)
            } else {
                let isBusy = apps[app].running > 0 || lingersInProcess(app)
                setProcessDeadline(of: app, at: isBusy ? nil : now.awake.advanced(by: policy.timing.idleStop))
            }
        case .condemned(let cause):
            if apps[app].running == 0 { endProcess(of: app, cause, at: now) }
        case .down, .starting, .registering, .ending: break
        }
    }

    /// A deadline of an app's process has passed: of its launch, or of its idleness.
    mutating func processDeadlinePassed(of app: Int32, at now: Moment) {
        switch apps[app].process.state {
        case .starting, .registering: endProcess(of: app, .launchTime, at: now)
        case .launched:
            if isDueSoon(app, at: now) {
                setProcessDeadline(of: app, at: now.awake.advanced(by: policy.timing.idleStop))
            } else {
                endProcess(of: app, .idle, at: now)
            }
        case .down, .condemned, .ending: break
        }
    }

    /// A start whose backoff is over is due, if somebody still waits for it, which is seen when it is about to be made.
    mutating func processBackoffPassed(of app: Int32) {
        apps[app].process.backoffUntil = nil
        want(app)
    }

    // MARK: - Stopping

    /// A run of the process went on after its grace period: the process goes, and its other runs are told first (B24).
    mutating func condemnProcess(of app: Int32, _ cause: StopCause, at now: Moment) {
        guard apps[app].process.state == .launched else { return }
        setProcess(.condemned(cause), of: app)
        setProcessDeadline(of: app, at: nil)
        for run in runs.active where runs[run].app == app && runs[run].host == .process {
            expire(run, .appStopping, at: now)
        }
        noteActivity(of: app, at: now)
    }

    /// Has an app's process exit, asked or killed by the cause; its host sees to it that it does.
    mutating func endProcess(of app: Int32, _ cause: StopCause, at now: Moment) {
        guard apps[app].process.isUp else { return }
        // One that is ending already can only be told to make haste.
        if case .ending(let earlier) = apps[app].process.state, cause.isOrderly || !earlier.isOrderly { return }
        setProcess(.ending(cause), of: app)
        setProcessDeadline(of: app, at: nil)
        emit(.endProcess(apps[app].identifier, apps[app].process.number, cause))
    }

    // MARK: - For the parts

    /// The app whose present process has this number.
    func current(_ identifier: AppIdentifier, _ process: ProcessNumber) -> Int32? {
        guard let app = apps.find(identifier), apps.entries[Int(app)].process.number == process else { return nil }
        return app
    }

    mutating func setProcess(_ state: AppProcess.State, of app: Int32) {
        let old = apps[app].state
        apps[app].process.state = state
        publishState(of: app, unless: old)
    }

    mutating func setProcessDeadline(of app: Int32, at deadline: AwakeTime?) {
        processDeadlines.remove(app)
        guard let deadline else { return }
        processDeadlines.insert(app, key: deadline.milliseconds, tie: Int64(app))
    }

    func isFresh(_ cause: RecoveryCause?) -> Bool {
        cause == .reboot || cause == .osUpgrade
    }

    /// Whether a run of the process has ended while its code goes on.
    func lingersInProcess(_ app: Int32) -> Bool {
        runs.entries.contains { $0.map { $0.app == app && $0.host == .process && $0.isLingering } ?? false }
    }

    // MARK: - Private

    /// Whether one of its requests is held by nothing but that its process is not there.
    private func hasRequestAtLaunching(_ app: Int32) -> Bool {
        var slot = apps.entries[Int(app)].firstTask
        while slot >= 0 {
            let entry = tasks.entries[Int(slot)]
            if entry.place == .waiting, entry.gate == .launching, runsInProcess(slot) { return true }
            slot = entry.nextInApp
        }
        return false
    }

    private mutating func startProcess(of app: Int32, at now: Moment) {
        processBackoffs.remove(app)
        apps[app].process.backoffUntil = nil
        apps[app].process.number = ProcessNumber(nextProcess)
        nextProcess += 1
        apps[app].process.registered = []
        apps[app].process.refused = []
        apps[app].process.missedLaunch = false
        apps[app].process.hasEntered = false
        if apps[app].process.failuresInARow > 0 { apps[app].process.restarts += 1 }
        apps[app].process.recovered =
            apps[app].facts.owedRecovery ?? (apps[app].process.failuresInARow > 0 ? .crash : nil)
        setProcess(.starting, of: app)
        setProcessDeadline(of: app, at: now.awake.advanced(by: policy.timing.launchTime))
        emit(
            .startProcess(
                ProcessOrder(
                    app: apps[app].identifier, process: apps[app].process.number,
                    recovered: apps[app].process.recovered, bundleHash: apps[app].description?.bundleHash ?? "")))
    }

    /// Whether a request of the app may be claimed within the idle time, so that stopping is not worth it.
    private func isDueSoon(_ app: Int32, at now: Moment) -> Bool {
        if apps.entries[Int(app)].pending.continued > 0 { return true }
        var slot = apps.entries[Int(app)].firstTask
        var left = Self.mostLookedAt
        while slot >= 0, left > 0 {
            let entry = tasks.entries[Int(slot)]
            let soon = policy.timing.idleStop
            switch entry.place {
            case .ready: return true
            case .wall where entry.gate == .earliestBeginDate:
                if entry.effectiveFloor <= now.wall.advanced(by: soon).milliseconds { return true }
            case .boot where entry.gate == .backoff:
                if entry.backoffUntil <= now.boot.advanced(by: soon).milliseconds { return true }
            case .nowhere, .wall, .boot, .waiting: break
            }
            slot = entry.nextInApp
            left -= 1
        }
        return false
    }

    /// More requests than this of one app are not looked at to find one that is due soon.
    private static let mostLookedAt = 1_000

    /// A request whose handler was not registered this time waits until the bundle changes; nothing is started for it.
    private mutating func noteMissingHandlers(of app: Int32, at now: Moment) {
        for slot in pendingSlots(of: app) where !tasks[slot].isRegistered && isPermitted(slot) {
            let identifier = tasks.identifier(of: slot)
            diagnose(
                .handlerMissing, .error, identifier, at: now,
                "\(apps[app].identifier) finished launching without a handler for \(identifier), "
                    + "of which a request is pending.",
                expected: "A handler for every identifier with a pending request.",
                fix: "Register it before finishLaunching, or cancel the request.")
        }
    }
}
