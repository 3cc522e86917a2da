extension Scheduler {
    /// The task of a submission, if it is permitted and registered (B3, B7, B9, B10).
    mutating func admissibleTask(_ identifier: TaskIdentifier, by app: AppIdentifier?) throws(Refusal) -> Int32 {
        if let slot = tasks.slot(of: identifier), tasks[slot].isRegistered {
            if let app, apps[tasks[slot].app].identifier != app { throw notPermitted(identifier, by: app) }
            return slot
        }
        guard let owner = apps.owner(of: identifier), apps[owner].phase != .missing else {
            throw notPermitted(identifier, by: app)
        }
        if let app, apps[owner].identifier != app { throw notPermitted(identifier, by: app) }
        throw notRegistered(identifier, owner: owner)
    }

    /// The kind of a submission, if it is the registered one, its mode is declared and it is available (B10).
    func admissibleKind(of request: TaskRequest, _ slot: Int32) throws(Refusal) -> TaskKind {
        let entry = tasks.entries[Int(slot)]
        let app = apps[entry.app]
        let settings = app.settings[request.identifier]
        let kind = request.kind ?? entry.registeredKind ?? settings?.kind ?? .appRefresh
        if let registered = entry.registeredKind, registered != kind {
            throw Refusal(
                .kindMismatch,
                "\(request.identifier) is registered as \(registered.rawValue), not \(kind.rawValue); submit it as \(registered.rawValue) or register it anew.")
        }
        if let mode = kind.requiredMode, app.description?.modes.contains(mode) != true {
            throw Refusal(
                .backgroundModeMissing,
                "The manifest of \(app.identifier) does not declare the background mode that \(kind.rawValue) needs; add “\(mode.rawValue)” to UIBackgroundModes.")
        }
        if kind == .appRefresh, policy.gates.refreshSwitch,
            app.facts.refreshDisabledAt != nil || device.value(of: .backgroundRefresh) == .flag(false)
        {
            throw Refusal(
                .unavailable,
                "Background refresh is switched off for \(app.identifier); switch it on with app.setRefresh, or use processing.")
        }
        return kind
    }

    func checkValues(_ request: TaskRequest, kind: TaskKind) throws(Refusal) {
        if let floor = request.floor, !Self.dateRange.contains(floor.milliseconds) {
            throw Refusal(.invalidDate, "earliestBeginDate must lie between the years 1970 and 2200.")
        }
        if kind == .continuedProcessing {
            guard let title = request.title, !title.isEmpty else {
                throw Refusal(.invalidParams, "Continued processing needs a title that people can read; give title.")
            }
        } else if request.strategy != nil {
            throw Refusal(.invalidParams, "strategy is only for continuedProcessing; leave it out.")
        }
    }

    /// Limits count after replacement (B13).
    func checkLimits(of app: Int32, kind: TaskKind, replacing previous: TaskKind?) throws(Refusal) {
        let entry = apps.entries[Int(app)]
        guard entry.phase != .missing else { return }
        func check(_ limit: Int?, count: Int, replaced: Bool, _ what: String, kinds: [TaskKind]) throws(Refusal) {
            guard let limit, count - (replaced ? 1 : 0) >= limit else { return }
            let fillers = fillers(of: app, kinds: kinds)
            throw Refusal(
                .tooManyPendingTaskRequests,
                "\(entry.identifier) may have \(limit) pending \(what) and has them already (\(fillers.joined(separator: ", "))); cancel one, or wait until one has run.",
                related: fillers)
        }
        switch kind {
        case .appRefresh:
            let limit = [policy.limits.refreshPerApp, entry.description?.pendingRefreshLimit].compactMap(\.self).min()
            try check(
                limit, count: entry.pendingRefresh, replaced: previous == .appRefresh, "app refresh requests",
                kinds: [.appRefresh])
        case .processing, .healthResearch:
            let limits = [policy.limits.processingPerApp, entry.description?.pendingProcessingLimit]
            try check(
                limits.compactMap(\.self).min(), count: entry.pendingProcessing,
                replaced: previous == .processing || previous == .healthResearch, "processing requests",
                kinds: [.processing, .healthResearch])
        case .continuedProcessing: break
        }
        try check(
            policy.limits.allPerApp, count: entry.pending, replaced: previous != nil, "requests",
            kinds: TaskKind.allCases)
        if let limit = policy.limits.inAll, tasks.pendingCount - (previous == nil ? 0 : 1) >= limit {
            throw Refusal(
                .tooManyPendingTaskRequests,
                "The runner may have \(limit) pending requests in all and has them already; cancel some, or wait.")
        }
    }

    /// Whether continued processing could start at once (B29).
    func checkImmediateRun(_ request: TaskRequest, _ slot: Int32, at now: Moment) throws(Refusal) {
        var gate = globalHold
        if gate == nil {
            for name in Self.gateOrder where !Self.globalGates.contains(name) && name != .earliestBeginDate {
                if name == .backoff { continue }
                if gateState(name, slot, at: now).verdict != .open {
                    gate = name
                    break
                }
            }
        }
        if request.requiresNetworkConnectivity, device.value(of: .network) == .network(.none) { gate = .network }
        if request.requiresExternalPower, device.value(of: .externalPower) != .flag(true) { gate = .externalPower }
        guard let gate else { return }
        throw Refusal(
            .immediateRunIneligible,
            "\(request.identifier) cannot start now, since the gate \(gate.rawValue) holds it; submit it with strategy queue to let it wait.")
    }

    // MARK: - Refusals

    func notPermitted(_ identifier: TaskIdentifier, by app: AppIdentifier?) -> Refusal {
        if let owner = apps.owner(of: identifier), let app, apps[owner].identifier != app {
            return Refusal(
                .notPermitted, "\(identifier) belongs to \(apps[owner].identifier); an app can use only its own identifiers.")
        }
        let nearest = NearestName.nearest(to: identifier.text, among: apps.permittedTexts)
        let hint = nearest.map { "did you mean \($0)? If not, add" } ?? "add"
        return Refusal(
            .notPermitted,
            "\(identifier) is not permitted by any loaded manifest; \(hint) it to BGTaskSchedulerPermittedIdentifiers.",
            nearest: nearest)
    }

    func notRegistered(_ identifier: TaskIdentifier, owner: Int32) -> Refusal {
        let app = apps.entries[Int(owner)]
        let fix =
            switch app.description?.host {
            case .commands: "add a command for it to RunnerTasks in the manifest of \(app.identifier)"
            case .embedded, .none: "register one before finishLaunching"
            }
        return Refusal(.notRegistered, "No launch handler is registered for \(identifier); \(fix).")
    }

    package func unknownApp(_ app: AppIdentifier) -> Refusal {
        let nearest = NearestName.nearest(to: app.text, among: apps.entries.lazy.map(\.identifier.text))
        let hint = nearest.map { "; did you mean \($0)?" } ?? "; list the apps with runnerctl apps."
        return Refusal(.noSuchApp, "There is no app \(app)\(hint)", nearest: nearest)
    }

    private func fillers(of app: Int32, kinds: [TaskKind]) -> [String] {
        var names: [String] = []
        for slot in pendingSlots(of: app) where kinds.contains(tasks.entries[Int(slot)].kind) {
            names.append(tasks.entries[Int(slot)].identifier.text)
            if names.count == 10 { break }
        }
        return names
    }
}
