extension Scheduler {
    /// The task of a submission, if it is permitted and registered (B3, B7, B9, B10).
    mutating func admissibleTask(_ identifier: TaskIdentifier, by app: AppIdentifier?) throws(Refusal) -> Int32 {
        if let slot = tasks.slot(of: identifier), tasks[slot].isRegistered {
            if let app, apps[tasks[slot].app].identifier != app { throw notPermitted(identifier, by: app) }
            return slot
        }
        guard let owner = apps.owner(of: identifier) else {
            throw notPermitted(identifier, by: app)
        }
        if let app, apps[owner].identifier != app { throw notPermitted(identifier, by: app) }
        throw startLacked(identifier, owner: owner) ?? notRegistered(identifier, owner: owner)
    }

    /// The kind of a submission, if it is the registered one, its mode is declared and it is available (B10).
    func admissibleKind(of request: TaskRequest, _ slot: Int32) throws(Refusal) -> TaskKind {
        let app = tasks[slot].app
        let registered = tasks[slot].registeredKind
        let kind = request.kind ?? registered ?? apps.settings(of: request.identifier, in: app)?.kind ?? .appRefresh
        if let registered, registered != kind {
            throw Refusal(
                .kindMismatch,
                "\(request.identifier) is registered as \(registered.rawValue), not \(kind.rawValue); submit it as \(registered.rawValue) or register it anew."
            )
        }
        if let mode = kind.requiredMode, apps[app].description?.modes.contains(mode) != true {
            throw Refusal(
                .backgroundModeMissing,
                "The manifest of \(apps[app].identifier) does not declare the background mode that \(kind.rawValue) needs; add “\(mode.rawValue)” to UIBackgroundModes."
            )
        }
        if kind == .appRefresh, policy.gates.refreshSwitch,
            apps[app].facts.refreshDisabledAt != nil || device.value(of: .backgroundRefresh) == .flag(false)
        {
            throw Refusal(
                .unavailable,
                "Background refresh is switched off for \(apps[app].identifier); switch it on with app.setRefresh, or use processing."
            )
        }
        if let resource = request.requiredResources?.first {
            throw Refusal(
                .unavailable,
                "\(request.identifier) asks for a resource that is not supported here (\(IdentifierSyntax.printable(resource))); leave out what supportedResources does not contain."
            )
        }
        return kind
    }

    func checkValues(_ request: TaskRequest, kind: TaskKind) throws(Refusal) {
        if let floor = request.floor, !Self.dateRange.contains(floor.milliseconds) {
            throw Refusal(.invalidDate, "earliestBeginDate must lie between the years 1970 and 2200.")
        }
        for (name, text) in [("title", request.title), ("subtitle", request.subtitle)] {
            guard text?.utf8.count ?? 0 <= Self.longestText else {
                throw Refusal(
                    .invalidParams, "'\(name)' may have \(Self.longestText) bytes at most; shorten it.", member: name)
            }
        }
        if kind == .continuedProcessing {
            guard let title = request.title, !title.isEmpty else {
                throw Refusal(
                    .invalidParams, "Continued processing needs a title that people can read; give 'title'.",
                    member: "title")
            }
        } else if request.strategy != nil {
            throw Refusal(
                .invalidParams, "'strategy' is only for continuedProcessing; leave it out.", member: "strategy")
        }
    }

    /// Limits count after replacement, and leave out what is stranded (B13, B42).
    func checkLimits(_ slot: Int32, kind: TaskKind, at now: Moment) throws(Refusal) {
        let app = tasks[slot].app
        var pending = apps[app].pending
        var inAll = tasks.pendingCount - strandedCount
        if tasks[slot].hasRequest {
            pending.add(-1, to: tasks[slot].kind)
            inAll -= 1
        }
        let stranded = apps[app].stranded
        switch kind {
        case .appRefresh:
            let limit = lower(policy.limits.refreshPerApp, apps[app].description?.pendingRefreshLimit)
            if let limit, pending.refresh - stranded.refresh >= limit {
                throw full(app, limit, "app refresh request", kinds: [.appRefresh])
            }
        case .processing, .healthResearch:
            let limit = lower(policy.limits.processingPerApp, apps[app].description?.pendingProcessingLimit)
            if let limit, pending.processing - stranded.processing >= limit {
                throw full(app, limit, "processing request", kinds: [.processing, .healthResearch])
            }
        case .continuedProcessing: break
        }
        if let limit = policy.limits.allPerApp, pending.total - stranded.total >= limit {
            throw full(app, limit, "request", kinds: TaskKind.allCases)
        }
        if let limit = policy.limits.inAll, inAll >= limit {
            throw Refusal(
                .tooManyPendingTaskRequests,
                "The runner may have \(CountedWord.text(limit, "pending request")) in all and has as many; cancel some, or wait."
            )
        }
    }

    /// Whether continued processing could start at once (B29).
    func checkImmediateRun(_ request: TaskRequest, _ slot: Int32, at now: Moment) throws(Refusal) {
        var candidate = tasks[slot]
        candidate.kind = .continuedProcessing
        candidate.requiresNetworkConnectivity = request.requiresNetworkConnectivity
        candidate.requiresExternalPower = request.requiresExternalPower
        candidate.backoffUntil = TaskEntry.noFloor
        let gate: GateName? =
            switch firstHold(of: candidate, slot, at: now) {
            case .nothing: phase == .starting ? .launching : globalHold
            case .gate(let gate, _): gate
            }
        guard let gate else { return }
        throw Refusal(
            .immediateRunIneligible,
            "\(request.identifier) cannot start now, since the gate \(gate.rawValue) holds it; "
                + "submit it with strategy queue to let it wait.")
    }

    // MARK: - Refusals

    func notPermitted(_ identifier: TaskIdentifier, by app: AppIdentifier?) -> Refusal {
        if let owner = apps.owner(of: identifier), let app, apps[owner].identifier != app {
            return Refusal(
                .notPermitted,
                "\(identifier) belongs to \(apps[owner].identifier); an app can use only its own identifiers.")
        }
        let nearest = NearestName.nearest(to: identifier.text, among: apps.permittedTexts)
        let words = nearest.map { PermittedIdentifier.words(of: $0, for: identifier) }
        let hint = words.map { "did you mean \($0)? If not, add" } ?? "add"
        return Refusal(
            .notPermitted,
            "\(identifier) is not permitted by any loaded manifest; \(hint) it to BGTaskSchedulerPermittedIdentifiers.",
            nearest: nearest)
    }

    func notRegistered(_ identifier: TaskIdentifier, owner: Int32) -> Refusal {
        let app = apps.entries[Int(owner)]
        // B5. What a pattern permits is hardly ever known when the app is launched.
        let later = apps.listsExactly(identifier, of: owner) ? "" : ", or, for continued processing, while the app runs"
        let fix =
            switch app.description?.host {
            case .commands: "add a command for it to RunnerTasks in the manifest of \(app.identifier)"
            case .process:
                failureBeforeLaunch(of: app).map { "the process of \(app.identifier) failed: \($0)" }
                    ?? "register one in the plugin of \(app.identifier) before finishLaunching\(later)"
            case .embedded, .none: "register one before finishLaunching\(later)"
            }
        return Refusal(.notRegistered, "No launch handler is registered for \(identifier); \(fix).")
    }

    package func unknownApp(_ app: AppIdentifier) -> Refusal {
        let nearest = NearestName.nearest(to: app.text, among: apps.entries.lazy.map(\.identifier.text).prefix(2_000))
        let hint = nearest.map { "; did you mean \($0)?" } ?? "; list the apps with runnerctl apps."
        return Refusal(.noSuchApp, "There is no app \(app)\(hint)", nearest: nearest)
    }

    // MARK: - Private

    /// Nobody knows what an app registers whose process could not be started so far.
    private func startLacked(_ identifier: TaskIdentifier, owner: Int32) -> Refusal? {
        let app = apps.entries[Int(owner)]
        guard app.phase == .registering, !app.process.isUp, let shortage = app.process.shortage else { return nil }
        return Refusal(
            .launchFailed,
            "The process of \(app.identifier), which registers the handler of \(identifier), could not be started: "
                + "\(shortage.reason). \(shortage.remedy)")
    }

    /// Why it is not known what an app registers, if its process failed before it had said so.
    private func failureBeforeLaunch(of app: AppEntry) -> String? {
        app.phase == .registering && !app.process.isUp ? app.process.lastFailure : nil
    }

    private func lower(_ left: Int?, _ right: Int?) -> Int? {
        guard let left, let right else { return left ?? right }
        return min(left, right)
    }

    private func full(_ app: Int32, _ limit: Int, _ what: String, kinds: [TaskKind]) -> Refusal {
        let fillers = pendingSlots(of: app).lazy.filter { slot in
            kinds.contains(tasks[slot].kind) && !tasks[slot].isStranded
        }.prefix(10).map { tasks.identifier(of: $0).text }
        return Refusal(
            .tooManyPendingTaskRequests,
            "\(apps[app].identifier) may have \(CountedWord.text(limit, "pending \(what)")) and has as many already "
                + "(\(fillers.joined(separator: ", "))); cancel one, or wait until one has run.",
            related: Array(fillers))
    }
}
