extension Scheduler {
    /// Takes a manifest in. An app that has runs switches when the last has ended (B42).
    mutating func loadApp(_ description: AppDescription, at now: Moment) {
        let app = apps.findOrInsert(description.app)
        guard apps[app].running == 0 else {
            apps[app].replacement = description
            return
        }
        let isReload = apps[app].phase != .starting
        unregisterAll(of: app)
        apps.forbidAll(to: app)
        apps[app].description = description
        apps[app].settings = Dictionary(
            description.tasks.map { ($0.identifier, $0) }, uniquingKeysWith: { first, _ in first })
        apps[app].isRemovedWhenIdle = false
        apps.permit(description.permitted, to: app)
        setPhase(.registering, of: app)
        if apps[app].facts.missingSince != nil { changeAppFacts(app) { $0.missingSince = nil } }
        switch description.host {
        case .commands:
            registerCommands(of: app, at: now)
            if phase != .starting { launch(app, at: now) }
        case .embedded: break
        }
        if isReload { replaceAll(of: app, at: now) }
    }

    /// A bundle is gone: its pending requests stay under the gate `appMissing` (B42).
    mutating func removeApp(_ identifier: AppIdentifier, at now: Moment) {
        guard let app = apps.find(identifier) else { return }
        guard apps[app].running == 0 else {
            apps[app].isRemovedWhenIdle = true
            return
        }
        unregisterAll(of: app)
        apps.forbidAll(to: app)
        apps[app].description = nil
        apps[app].settings = [:]
        markMissing(app, at: now)
    }

    /// Registers a handler between the start of its app's process and `finishLaunching` (B4–B7).
    mutating func register(_ registration: HandlerRegistration, call: CallIdentifier?, at now: Moment) {
        do throws(Refusal) {
            let app = apps.find(registration.app)
            guard let app, apps[app].description != nil else { throw unknownApp(registration.app) }
            try add(registration, to: app, at: now)
            reply(call, .done)
        } catch {
            diagnose(
                .registrationRefused, .error, nil, at: now, error.message, expected: "A registration that is kept.",
                fix: error.nearest.map { "Register \($0), or permit \(registration.identifier)." })
            reply(call, .refused(error))
        }
    }

    /// Registration is closed and runs may start (B5, B8).
    mutating func finishLaunching(_ identifier: AppIdentifier, at now: Moment) {
        guard let app = apps.find(identifier), apps[app].phase == .registering else { return }
        launch(app, at: now)
    }

    mutating func setPaused(_ paused: Bool, _ identifier: AppIdentifier?, call: CallIdentifier?, at now: Moment) {
        guard let identifier else {
            let was = facts.pausedAt
            facts.pausedAt = paused ? was ?? now.wall : nil
            if (was == nil) != (facts.pausedAt == nil) { persist(.putRunner(facts)) }
            if paused { closures.close(.paused, at: now.boot) } else { closures.open(.paused, at: now.boot) }
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
        let old = apps[app].facts
        change(&apps[app].facts)
        if apps[app].facts != old { persist(.putApp(apps[app].facts)) }
    }

    mutating func setPhase(_ phase: AppPhase, of app: Int32) {
        guard apps[app].phase != phase else { return }
        apps[app].phase = phase
        publish(.appPhaseChanged(apps[app].identifier, phase))
    }

    /// A manifest that waited for the app's last run to end.
    mutating func applyReplacement(of app: Int32, at now: Moment) {
        guard apps[app].running == 0 else { return }
        if let replacement = apps[app].replacement {
            apps[app].replacement = nil
            loadApp(replacement, at: now)
        } else if apps[app].isRemovedWhenIdle {
            apps[app].isRemovedWhenIdle = false
            removeApp(apps[app].identifier, at: now)
        }
    }

    mutating func markMissing(_ app: Int32, at now: Moment) {
        setPhase(.missing, of: app)
        if apps[app].facts.missingSince == nil { changeAppFacts(app) { $0.missingSince = now.wall } }
        replaceAll(of: app, at: now)
    }

    /// Opens an app for its runs: compares with its last launch, and arms its recurrences.
    mutating func launch(_ app: Int32, at now: Moment) {
        setPhase(.launched, of: app)
        if let start, let description = apps[app].description {
            let launch = LaunchFacts(
                bootIdentifier: start.bootIdentifier, osVersion: start.osVersion, runnerVersion: start.runnerVersion,
                bundleHash: description.bundleHash)
            apps[app].recovered = recoveryCause(from: apps[app].facts.lastLaunch, to: launch)
            if apps[app].facts.lastLaunch != launch { changeAppFacts(app) { $0.lastLaunch = launch } }
        }
        reopen(.app(app), at: now)
        armRecurrences(of: app, at: now)
        let waitingSimulations = simulationsAwaitingLaunch.filter { tasks[$0.task].app == app }
        simulationsAwaitingLaunch.removeAll { tasks[$0.task].app == app }
        for simulation in waitingSimulations {
            simulateLaunch(simulation.identifier, simulation.options, call: simulation.call, at: now)
        }
    }

    // MARK: - Private

    /// Ends the registrations of an app, before its manifest changes or when it goes.
    private mutating func unregisterAll(of app: Int32) {
        guard let description = apps[app].description else { return }
        func unregister(_ identifier: TaskIdentifier, _ tasks: inout TaskTable) {
            guard let slot = tasks.slot(of: identifier), tasks[slot].app == app, tasks[slot].isRegistered else { return }
            tasks.setRegistered(false, kind: nil, origin: nil, at: slot)
        }
        for settings in description.tasks { unregister(settings.identifier, &tasks) }
        for case .exact(let identifier) in description.permitted { unregister(identifier, &tasks) }
    }

    private mutating func registerCommands(of app: Int32, at now: Moment) {
        guard let description = apps[app].description else { return }
        for settings in description.tasks where settings.hasCommand {
            let registration = HandlerRegistration(
                identifier: settings.identifier.text, app: description.app, kind: settings.kind,
                origin: "RunnerTasks.\(settings.identifier)")
            register(registration, call: nil, at: now)
        }
    }

    private mutating func add(_ registration: HandlerRegistration, to app: Int32, at now: Moment) throws(Refusal) {
        if registration.identifier.hasSuffix(".*") {
            throw Refusal(
                .wildcardRegistration,
                "Handlers match exactly, so “\(IdentifierSyntax.printable(registration.identifier))” cannot have one; register each identifier that it admits.")
        }
        let identifier = try TaskIdentifier(registration.identifier)
        guard apps.owner(of: identifier) == app else { throw notPermitted(identifier, by: registration.app) }
        let known = tasks.slot(of: identifier)
        if let known, tasks[known].isRegistered {
            let origin = tasks.origins[known] ?? "an earlier call"
            throw Refusal(
                .alreadyRegistered,
                "A launch handler for \(identifier) is registered already, by \(origin); register each identifier once.",
                related: [origin])
        }
        let isOnDemand = apps[app].phase == .launched && registration.kind == .continuedProcessing
        guard apps[app].phase == .registering || isOnDemand else {
            throw Refusal(
                .registrationClosed,
                "Registration of \(registration.app) ended with finishLaunching; register \(identifier) before it.")
        }
        if isOnDemand {
            guard apps[app].onDemandRegistrations < policy.timing.onDemandRegistrations else {
                throw Refusal(
                    .limitExceeded,
                    "At most \(policy.timing.onDemandRegistrations) continued-processing identifiers can be registered on demand; reuse one.")
            }
            apps[app].onDemandRegistrations += 1
        }
        let slot = known ?? tasks.insert(identifier, app: app)
        if tasks[slot].app != app { moveTask(slot, to: app, at: now) }
        let kind = registration.kind ?? apps[app].settings[identifier]?.kind
        tasks.setRegistered(true, kind: kind, origin: registration.origin, at: slot)
    }

    /// A task changes hands: another app's manifest permits it now.
    private mutating func moveTask(_ slot: Int32, to app: Int32, at now: Moment) {
        guard tasks[slot].hasRequest else {
            tasks[slot].app = app
            return
        }
        var request = pendingRequest(at: slot)
        removeRequest(slot, at: now)
        tasks[slot].app = app
        request.app = apps[app].identifier
        restoreRequest(request, slot, at: now)
        persist(.putRequest(request))
    }
}
