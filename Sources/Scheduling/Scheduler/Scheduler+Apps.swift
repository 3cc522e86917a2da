extension Scheduler {
    /// Takes a manifest in. An app that has runs switches when the last has ended (B42).
    mutating func loadApp(_ description: AppDescription, at now: Moment) {
        let app = apps.findOrInsert(description.app)
        guard apps[app].description != description else {
            // Nothing changed, or what was to change is as it was.
            apps[app].successor = .none
            reopen(.app(app), at: now)
            return
        }
        guard apps[app].running == 0, !apps[app].process.isUp else {
            apps[app].successor = .manifest(description)
            if apps[app].running == 0 { endProcess(of: app, .bundleChanged, at: now) }
            return
        }
        let isReload = apps[app].phase != .starting
        let unregistered = letGo(of: app, at: now)
        apps[app].description = description
        apps[app].settings = Dictionary(
            description.tasks.map { ($0.identifier, $0) }, uniquingKeysWith: { first, _ in first })
        apps.permit(description.permitted, to: app)
        setPhase(.registering, of: app)
        if apps[app].facts.missingSince != nil { changeAppFacts(app) { $0.missingSince = nil } }
        noteFirstSeen(app, at: now)
        // Its files may also have changed while no runner was there to see it.
        let isOther = apps[app].facts.quarantinedHash.map { $0 != description.bundleHash } ?? false
        if isReload || isOther { endQuarantine(of: app, at: now) }
        switch description.host {
        case .commands:
            registerCommands(of: app, at: now)
            if phase != .starting { launch(app, at: now) }
        case .process:
            registerCommands(of: app, at: now)
            adoptRegistered(apps[app].facts.registered, of: app, at: now)
            if phase != .starting { openProcessApp(app, at: now) }
        case .embedded: break
        }
        if isReload {
            forgetLateHandlers(of: app)
            replaceAll(of: app, at: now)
        }
        for slot in unregistered { forgetIfEmpty(slot) }
    }

    /// A bundle is gone: its pending requests stay under the gate `appMissing` (B42).
    mutating func removeApp(_ identifier: AppIdentifier, at now: Moment) {
        guard let app = apps.find(identifier), apps[app].description != nil else { return }
        guard apps[app].running == 0, !apps[app].process.isUp else {
            apps[app].successor = .removal
            if apps[app].running == 0 { endProcess(of: app, .bundleRemoved, at: now) }
            return
        }
        let unregistered = letGo(of: app, at: now)
        markMissing(app, at: now)
        for slot in unregistered { forgetIfEmpty(slot) }
    }

    /// Registration is closed and runs may start (B5, B8).
    mutating func finishLaunching(_ identifier: AppIdentifier, at now: Moment) {
        guard let app = apps.find(identifier) else { return }
        if apps[app].description?.host == .process {
            processLaunched(app, at: now)
        } else if apps[app].phase == .registering {
            launch(app, at: now)
        }
    }

    /// Another policy decides from now on; every pending request is looked at again.
    mutating func changePolicy(_ policy: Policy, at now: Moment) {
        guard policy != self.policy else { return }
        let hasOtherFactors = policy.factors != self.policy.factors
        self.policy = policy
        if hasOtherFactors {
            windows = WindowState(seed: policy.windowSeed, boot: bootIdentifier)
            for app in apps.entries.indices.map(Int32.init) { noteFirstSeen(app, at: now) }
            if policy.hasWindows { advanceWindows(to: now) }
        }
        for app in apps.entries.indices { replaceAll(of: Int32(app), at: now) }
        for run in runs.active { noteLostConditions(of: run, at: now) }
    }

    mutating func setPaused(_ paused: Bool, _ identifier: AppIdentifier?, call: CallIdentifier?, at now: Moment) {
        guard let identifier else {
            let was = facts.pausedAt
            facts.pausedAt = paused ? was ?? now.wall : nil
            if (was == nil) != (facts.pausedAt == nil) { persist(.putRunner(facts)) }
            if paused { closures.close(.paused, at: now.boot) } else { closures.open(.paused, at: now.boot) }
            if paused != (was != nil) { publish(.gateChanged(GateChange(.paused, paused ? .closed : .open))) }
            reply(call, .done)
            return
        }
        changeApp(identifier, call: call, at: now) { $0.pausedAt = paused ? $0.pausedAt ?? now.wall : nil }
    }

    /// Changes what is kept of an app, and looks again at what waited for it.
    mutating func changeApp(
        _ identifier: AppIdentifier, call: CallIdentifier?, at now: Moment, _ change: (inout AppFacts) -> Void
    ) {
        guard let app = apps.find(identifier) else {
            reply(call, .refused(unknownApp(identifier)))
            return
        }
        changeAppFacts(app, change)
        reopen(.app(app), at: now)
        reply(call, .done)
    }

    mutating func changeAppFacts(_ app: Int32, _ change: (inout AppFacts) -> Void) {
        let (old, state) = (apps[app].facts, apps[app].state)
        change(&apps[app].facts)
        guard apps[app].facts != old else { return }
        persist(.putApp(apps[app].facts))
        publishState(of: app, unless: state)
        publishGates(of: app, before: old)
    }

    mutating func setPhase(_ phase: AppPhase, of app: Int32) {
        guard apps[app].phase != phase else { return }
        let state = apps[app].state
        apps[app].phase = phase
        publishState(of: app, unless: state)
    }

    /// A manifest, or a removal, that waited for the app's last run to end.
    mutating func becomeSuccessor(_ app: Int32, at now: Moment) {
        guard apps[app].running == 0 else { return }
        if apps[app].process.isUp {
            switch apps[app].successor {
            case .none: break
            case .manifest: endProcess(of: app, .bundleChanged, at: now)
            case .removal: endProcess(of: app, .bundleRemoved, at: now)
            }
            return
        }
        let successor = apps[app].successor
        apps[app].successor = .none
        switch successor {
        case .none: break
        case .manifest(let description): loadApp(description, at: now)
        case .removal: removeApp(apps[app].identifier, at: now)
        }
    }

    mutating func markMissing(_ app: Int32, at now: Moment) {
        setPhase(.missing, of: app)
        if apps[app].facts.missingSince == nil { changeAppFacts(app) { $0.missingSince = now.wall } }
        for simulation in takeSimulations(of: app) { reply(simulation.call, .refused(bundleGone(app))) }
        replaceAll(of: app, at: now)
        // It is known now that nothing will be registered.
        judgeWaitingSubmissions(of: app, at: now)
    }

    /// Opens an app for its runs: compares with its last launch, and arms its recurrences.
    mutating func launch(_ app: Int32, at now: Moment) {
        setPhase(.launched, of: app)
        if let launch = launchFacts(of: app) {
            apps[app].recovered = recoveryCause(from: apps[app].facts.lastLaunch, to: launch)
        }
        keepLaunch(of: app)
        reopen(.app(app), at: now)
        armRecurrences(
            of: app, isFresh: apps[app].recovered == .reboot || apps[app].recovered == .osUpgrade, at: now)
        judgeWaitingSubmissions(of: app, at: now)
        runSimulations(of: app, at: now)
    }

    /// Opens an app whose handlers run in a process: at once if it is known what this bundle registers, else when its
    /// process, which is started for that, has registered it.
    mutating func openProcessApp(_ app: Int32, at now: Moment) {
        guard let description = apps[app].description, apps[app].phase == .registering else { return }
        let cause = launchFacts(of: app).flatMap { recoveryCause(from: apps[app].facts.lastLaunch, to: $0) }
        // Its process is told of a reboot even if the runner crashed since.
        let owed = apps[app].facts.owedRecovery
        apps[app].recovered = cause == nil || cause == .crash ? owed ?? cause : cause
        changeAppFacts(app) { [recovered = apps[app].recovered] in $0.owedRecovery = recovered }
        let isKnown = apps[app].facts.registered?.bundleHash == description.bundleHash
        guard isKnown else {
            reopen(.app(app), at: now)
            want(app)
            return
        }
        setPhase(.launched, of: app)
        keepLaunch(of: app)
        replaceAll(of: app, at: now)
        armRecurrences(of: app, isFresh: isFresh(cause), at: now)
        judgeWaitingSubmissions(of: app, at: now)
        runSimulations(of: app, at: now)
    }

    /// Keeps what was true at the last finished launch.
    mutating func keepLaunch(of app: Int32) {
        guard let launch = launchFacts(of: app), apps[app].facts.lastLaunch != launch else { return }
        changeAppFacts(app) { $0.lastLaunch = launch }
    }

    /// Simulated launches that waited for the app's launch.
    mutating func runSimulations(of app: Int32, at now: Moment) {
        for simulation in takeSimulations(of: app) {
            simulateLaunch(simulation.identifier, simulation.options, call: simulation.call, at: now)
        }
    }

    mutating func takeSimulations(of app: Int32) -> [AwaitingSimulation] {
        let taken = simulationsAwaitingLaunch.filter { $0.app == app }
        simulationsAwaitingLaunch.removeAll { $0.app == app }
        return taken
    }

    func hasSimulation(_ app: Int32) -> Bool {
        simulationsAwaitingLaunch.contains { $0.app == app }
    }

    // MARK: - Private

    /// Other files end a quarantine (04, *Supervision*).
    private mutating func endQuarantine(of app: Int32, at now: Moment) {
        forgetFailures(of: app)
        guard apps[app].facts.quarantinedAt != nil else { return }
        changeAppFacts(app) { $0.endQuarantine() }
        reopen(.app(app), at: now)
    }

    private func launchFacts(of app: Int32) -> LaunchFacts? {
        guard let start, let description = apps[app].description else { return nil }
        return LaunchFacts(
            bootIdentifier: start.bootIdentifier, osVersion: start.osVersion, runnerVersion: start.runnerVersion,
            bundleHash: description.bundleHash)
    }

    /// Ends the registrations and permissions of an app, before its manifest changes or when it goes; returns the
    /// tasks that have no handler now.
    private mutating func letGo(of app: Int32, at now: Moment) -> [Int32] {
        guard apps[app].description != nil else { return [] }
        let slots = registeredSlots(of: app)
        for slot in slots { tasks.setRegistered(false, kind: nil, origin: nil, at: slot) }
        apps[app].patternRegistrations = []
        apps[app].onDemandRegistrations = 0
        apps[app].process.refused = []
        let heirs = apps.forbidAll(to: app)
        apps[app].description = nil
        apps[app].settings = [:]
        for heir in heirs { inherit(heir, at: now) }
        return slots
    }

    /// An app that permits what another has let go: its commands are registered now.
    private mutating func inherit(_ app: Int32, at now: Moment) {
        guard let host = apps[app].description?.host, host != .embedded, apps[app].phase != .missing else { return }
        registerCommands(of: app, at: now)
        if apps[app].phase == .launched { armRecurrences(of: app, isFresh: false, at: now) }
    }
}
