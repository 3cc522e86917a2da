/// What handlers an app has: those of its commands, and those that it registers (B4–B7).
extension Scheduler {
    /// Registers a handler between the start of its app's process and `finishLaunching` (B4–B7).
    mutating func register(_ registration: HandlerRegistration, call: CallIdentifier?, at now: Moment) {
        do throws(Refusal) {
            let app = apps.find(registration.app)
            guard let app, apps[app].description != nil else { throw unknownApp(registration.app) }
            try add(registration, to: app, at: now)
            reply(call, .done)
        } catch {
            keepRefused(registration, error)
            refuseRegistration(of: registration.identifier, error, at: now)
            reply(call, .refused(error))
        }
    }

    /// Commands are registered when their bundle is loaded; those that are registered already stay.
    mutating func registerCommands(of app: Int32, at now: Moment) {
        for settings in apps[app].description?.tasks ?? [] where settings.hasCommand {
            let identifier = settings.identifier
            guard apps.owner(of: identifier) == app else {
                refuseRegistration(of: identifier.text, notPermitted(identifier, by: apps[app].identifier), at: now)
                continue
            }
            if let slot = tasks.slot(of: identifier), tasks[slot].app == app, tasks[slot].isRegistered { continue }
            keepHandler(identifier, kind: settings.kind, origin: nil, of: app, at: now)
        }
    }

    /// The tasks of an app that have a handler.
    func registeredSlots(of app: Int32) -> [Int32] {
        guard let description = apps.entries[Int(app)].description else { return [] }
        var slots = Set(apps.entries[Int(app)].patternRegistrations)
        slots.formUnion(description.tasks.compactMap { tasks.slot(of: $0.identifier) })
        for case .exact(let identifier) in description.permitted {
            if let slot = tasks.slot(of: identifier) { slots.insert(slot) }
        }
        return slots.filter { tasks.entries[Int($0)].app == app && tasks.entries[Int($0)].isRegistered }.sorted()
    }

    mutating func unregister(_ slot: Int32, of app: Int32, at now: Moment) {
        tasks.setRegistered(false, kind: nil, origin: nil, at: slot)
        apps[app].patternRegistrations.removeAll { $0 == slot }
        replace(slot, at: now)
        forgetIfEmpty(slot)
    }

    mutating func keepHandler(
        _ identifier: TaskIdentifier, kind: TaskKind?, unsaid: UnsaidKind? = nil, origin: String?, of app: Int32,
        at now: Moment
    ) {
        let slot = tasks.findOrInsert(identifier, app: app)
        if tasks[slot].app != app { moveTask(slot, to: app, at: now) }
        tasks.setRegistered(true, kind: kind, unsaid: unsaid, origin: origin, at: slot)
        if !apps.listsExactly(identifier, of: app), !apps[app].patternRegistrations.contains(slot) {
            apps[app].patternRegistrations.append(slot)
        }
        replace(slot, at: now)
    }

    // MARK: - Private

    private mutating func refuseRegistration(of identifier: String, _ refusal: Refusal, at now: Moment) {
        diagnose(
            .registrationRefused, .error, nil, at: now, refusal.message, expected: "A registration that is kept.",
            fix: refusal.nearest.map { "Register \($0), or permit \(IdentifierSyntax.printable(identifier))." })
    }

    private mutating func add(_ registration: HandlerRegistration, to app: Int32, at now: Moment) throws(Refusal) {
        if registration.identifier.hasSuffix(".*") {
            throw Refusal(
                .wildcardRegistration,
                "Handlers match exactly, so “\(IdentifierSyntax.printable(registration.identifier))” cannot have one; "
                    + "register each identifier that it admits.")
        }
        let identifier = try TaskIdentifier(registration.identifier)
        guard apps.owner(of: identifier) == app else { throw notPermitted(identifier, by: registration.app) }
        let process = apps[app].description?.host == .process ? apps[app].process : nil
        if let slot = tasks.slot(of: identifier), tasks[slot].app == app, tasks[slot].isRegistered,
            process?.hasRegistered(identifier) ?? true || !runsInProcess(slot)
        {
            let origin = tasks.origin(of: slot) ?? "RunnerTasks.\(identifier)"
            throw Refusal(
                .alreadyRegistered,
                "A launch handler for \(identifier) is registered already, by \(origin); "
                    + "register each identifier once.",
                related: [origin])
        }
        let isOpen = process.map { $0.state == .registering } ?? (apps[app].phase == .registering)
        let isLaunched = process.map { $0.state == .launched } ?? (apps[app].phase == .launched)
        let isOnDemand = isLaunched && isForContinued(registration, identifier, of: app)
        guard isOpen || isOnDemand else {
            throw Refusal(
                .registrationClosed,
                "Registration of \(registration.app) ended with finishLaunching; register \(identifier) before it.")
        }
        if isOnDemand {
            guard apps[app].onDemandRegistrations < policy.timing.onDemandRegistrations else {
                throw Refusal(
                    .limitExceeded,
                    "At most \(policy.timing.onDemandRegistrations) continued-processing identifiers can be "
                        + "registered on demand; reuse one.")
            }
            apps[app].onDemandRegistrations += 1
        }
        let kind = isOnDemand ? .continuedProcessing : registration.kind ?? apps.settings(of: identifier, in: app)?.kind
        if let process {
            guard process.registered.count < policy.timing.registrations else {
                throw Refusal(
                    .limitExceeded,
                    "A process may register \(policy.timing.registrations) handlers at most; register fewer.")
            }
            if isOnDemand {
                apps[app].process.onDemand.append(identifier)
            } else {
                apps[app].process.registered.append(RegisteredHandler(identifier: identifier, kind: kind))
            }
        }
        let unsaid = registration.infersKind == true && kind == nil ? knownUnsaid(identifier, of: app) : nil
        keepHandler(identifier, kind: kind, unsaid: unsaid, origin: registration.origin, of: app, at: now)
    }

    /// What the last process of an app left known of a handler that says as little again.
    private func knownUnsaid(_ identifier: TaskIdentifier, of app: Int32) -> UnsaidKind {
        guard let slot = tasks.slot(of: identifier), tasks[slot].app == app else { return .open }
        return tasks[slot].unsaidKind ?? .open
    }

    /// Whether a registration is for continued processing: it says so, or may leave it open and nothing else is possible.
    private func isForContinued(
        _ registration: HandlerRegistration, _ identifier: TaskIdentifier, of app: Int32
    ) -> Bool {
        if let kind = registration.kind { return kind == .continuedProcessing }
        guard registration.infersKind == true else { return false }
        let entry = apps.entries[Int(app)]
        if let kind = entry.settings[identifier]?.kind { return kind == .continuedProcessing }
        return !apps.listsExactly(identifier, of: app) || entry.description?.modes.isEmpty == true
    }

    /// A task changes hands: another app's manifest permits it now.
    private mutating func moveTask(_ slot: Int32, to app: Int32, at now: Moment) {
        tasks.setRegistered(false, kind: nil, origin: nil, at: slot)
        apps[tasks[slot].app].patternRegistrations.removeAll { $0 == slot }
        guard tasks[slot].hasRequest else {
            tasks[slot].app = app
            return
        }
        var request = pendingRequest(at: slot)
        removeRequest(slot)
        tasks[slot].app = app
        request.app = apps[app].identifier
        file(request, slot, at: now)
        persist(.putRequest(request))
        publish(.refiled(request, .moved))
    }
}
