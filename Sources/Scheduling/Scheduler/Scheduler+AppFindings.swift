/// What `doctor` finds of an app: its bundle, what it registered, its process, and handlers that are late.
extension Scheduler {
    func addFindings(of app: AppEntry, at now: Moment, to findings: inout FindingList) {
        if app.phase == .missing, app.pending.total > 0 {
            findings.add(
                Finding(
                    .warning, "appMissing", app: app.identifier,
                    message: "The bundle is gone, and \(app.pending.total) of its requests are pending.",
                    fix: "Put the bundle back and reload, or cancel its requests."))
        }
        for case .exact(let identifier) in app.description?.permitted ?? [] {
            guard tasks.slot(of: identifier).map({ tasks.entries[Int($0)].isRegistered }) != true,
                app.phase == .launched
            else { continue }
            findings.add(app: app.identifier, "neverRegistered") {
                Finding(
                    .warning, "neverRegistered", app: app.identifier, identifier: identifier,
                    message: "The identifier is permitted, and no handler is registered for it.",
                    fix: "Register a handler, or take it out of BGTaskSchedulerPermittedIdentifiers.")
            }
        }
        guard app.phase != .missing else { return }
        for finding in refusedRegistrations(of: app) { findings.add(finding) }
        addModeFindings(of: app, to: &findings)
        for finding in lateHandlers(of: app) + processFindings(of: app, at: now) { findings.add(finding) }
    }

    // MARK: - Private

    /// What is wrong with the process of an app, or keeps it from being started.
    private func processFindings(of app: AppEntry, at now: Moment) -> [Finding] {
        var findings: [Finding] = []
        if app.facts.quarantinedAt != nil {
            let reason = app.facts.quarantineReason.map { ": \($0)" } ?? ""
            findings.append(
                Finding(
                    .error, "quarantined", app: app.identifier,
                    message: "The app is in quarantine, and its process is not started\(reason).",
                    fix: "Repair it; it is tried again when its files change, or after "
                        + "runnerctl app resume \(app.identifier)."))
        } else if app.process.failuresInARow > 0 {
            let times = app.process.failuresInARow == 1 ? "once" : "\(app.process.failuresInARow) times in a row"
            let reason = app.process.lastFailure.map { ": \($0)" } ?? ""
            let again = app.process.backoffUntil.map { now.boot.duration(to: $0) }
            let wait = again.flatMap { $0 > .zero ? " It is started again in \($0.words) at the earliest." : nil } ?? ""
            findings.append(
                Finding(
                    .warning, "processFailed", app: app.identifier,
                    message: "The app's process failed \(times)\(reason).\(wait)",
                    fix: "Look at its output: runnerctl log --app \(app.identifier)."))
        }
        if app.process.hasLeftover {
            findings.append(
                Finding(
                    .warning, "leftoverProcess", app: app.identifier,
                    message: "A process of the app that an earlier runner started still lives; no other is started.",
                    fix: "End it, or let it end."))
        }
        return findings
    }

    private func refusedRegistrations(of app: AppEntry) -> [Finding] {
        // Those of the last finished launch are known while no process is up.
        let kept = app.process.isUp ? nil : app.facts.registered?.refused
        return (kept ?? app.process.refused).map { refused in
            Finding(
                .error, "registrationRefused", app: app.identifier,
                message: "A handler for \(refused.identifier) was refused: \(refused.message)",
                fix: refused.nearest.map { "Register \($0), or permit \(refused.identifier)." }
                    ?? "Change that registration, or take it out.")
        }
    }

    private func lateHandlers(of app: AppEntry) -> [Finding] {
        (app.facts.late ?? []).map { late in
            let often = late.times > 1 ? ", as its last \(late.times) runs did" : ""
            return Finding(
                .warning, "completesLate", app: app.identifier, identifier: late.identifier,
                message: "Run \(late.run.number) went on after its grace period\(often).",
                fix: "Stop the work and complete as soon as the expiration comes, or give it a longer grace in "
                    + "RunnerTasks; runnerctl log --run \(late.run.number) shows what it did.")
        }
    }

    /// Modes that do not fit what handlers were registered as; what the manifest alone shows is said of the bundle.
    private func addModeFindings(of app: AppEntry, to findings: inout FindingList) {
        guard app.phase == .launched, let description = app.description, description.host != .commands else { return }
        var needed: Set<BackgroundMode>? = []
        var isManifestEnough = description.host == .process
        for entry in description.permitted {
            guard case .exact(let identifier) = entry, let slot = tasks.slot(of: identifier),
                tasks.entries[Int(slot)].isRegistered, let kind = tasks.entries[Int(slot)].registeredKind
            else {
                needed = nil
                continue
            }
            let settings = app.settings[identifier]
            let isDeclared = settings.map { $0.kind != nil || $0.hasCommand || $0.every != nil } ?? false
            isManifestEnough = isManifestEnough && isDeclared
            guard let mode = kind.requiredMode else { continue }
            needed?.insert(mode)
            guard !description.modes.contains(mode), description.host == .embedded || !isDeclared else { continue }
            findings.add(app: app.identifier, "modeMismatch") {
                Finding(
                    .warning, "modeMismatch", app: app.identifier, identifier: identifier,
                    message: "The handler is registered as \(kind.rawValue), whose mode is not declared.",
                    fix: "Add “\(mode.rawValue)” to UIBackgroundModes, or register it as another kind.")
            }
        }
        guard let needed, !isManifestEnough else { return }
        for mode in BackgroundMode.allCases where description.modes.contains(mode) && !needed.contains(mode) {
            findings.add(
                Finding(
                    .notice, "modeMismatch", app: app.identifier,
                    message: "The mode “\(mode.rawValue)” is declared, and no handler needs it.",
                    fix: "Take it out of UIBackgroundModes, or register a handler of a kind that needs it."))
        }
    }
}
