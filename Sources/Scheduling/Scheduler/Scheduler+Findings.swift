/// What `doctor` finds in the scheduler's state.
extension Scheduler {
    /// What is wrong now, as far as the scheduler knows, each with its fix.
    package func findings(at now: Moment) -> [Finding] {
        var findings: [Finding] = []
        if let storeFailure {
            findings.append(
                Finding(
                    .error, "storeUnavailable", message: "The store cannot be written: \(storeFailure.message)",
                    fix: "Make room or give write access; launches go on by themselves."))
        }
        if facts.pausedAt != nil {
            findings.append(
                Finding(.notice, "paused", message: "The runner is paused, and starts nothing.", fix: "Resume it."))
        }
        for app in apps.entries.sorted(by: { $0.identifier < $1.identifier }) {
            findings += self.findings(of: app) + processFindings(of: app, at: now)
        }
        let slots = tasks.usedSlots.sorted { tasks.identifier(of: $0) < tasks.identifier(of: $1) }
        for slot in slots { findings += self.findings(ofTask: slot) }
        return findings + nothingPending(slots.filter(isIdle))
    }

    // MARK: - Private

    private func findings(of app: AppEntry) -> [Finding] {
        var findings: [Finding] = []
        if app.phase == .missing, app.pending.total > 0 {
            findings.append(
                Finding(
                    .warning, "appMissing", app: app.identifier,
                    message: "The bundle is gone, and \(app.pending.total) of its requests are pending.",
                    fix: "Put the bundle back and reload, or cancel its requests."))
        }
        for case .exact(let identifier) in app.description?.permitted ?? [] {
            guard tasks.slot(of: identifier).map({ tasks.entries[Int($0)].isRegistered }) != true,
                app.phase == .launched
            else { continue }
            findings.append(
                Finding(
                    .warning, "neverRegistered", app: app.identifier, identifier: identifier,
                    message: "The identifier is permitted, and no handler is registered for it.",
                    fix: "Register a handler, or take it out of BGTaskSchedulerPermittedIdentifiers."))
        }
        return findings
    }

    /// What is wrong with the process of an app, or keeps it from being started.
    private func processFindings(of app: AppEntry, at now: Moment) -> [Finding] {
        guard app.phase != .missing else { return [] }
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

    private func findings(ofTask slot: Int32) -> [Finding] {
        let entry = tasks[slot]
        let identifier = tasks.identifier(of: slot)
        let app = apps[entry.app]
        var findings: [Finding] = []
        if entry.hasRequest, !entry.isRegistered, app.phase == .launched, runsInProcess(slot), isPermitted(slot) {
            findings.append(
                Finding(
                    .error, "handlerMissing", app: app.identifier, identifier: identifier,
                    message: "A request is pending, and the app's process finished launching without a handler for it.",
                    fix: "Register the handler before finishLaunching, or cancel the request."))
        } else if entry.hasRequest, !entry.isRegistered, app.phase == .launched {
            findings.append(
                Finding(
                    .warning, "stranded", app: app.identifier, identifier: identifier,
                    message: "A request is pending that no handler can take.",
                    fix: "Permit the identifier and register a handler, or cancel the request."))
        }
        if entry.hasLeftover {
            findings.append(
                Finding(
                    .warning, "leftoverProcess", app: app.identifier, identifier: identifier,
                    message: "A process that an earlier run left behind still lives.",
                    fix: "End it; the task waits until it is gone."))
        }
        if entry.postponements >= 3 {
            findings.append(
                Finding(
                    .warning, "postponed", app: app.identifier, identifier: identifier,
                    message: "Its request was moved later \(entry.postponements) times in a row.",
                    fix: "Submit with ifPending: keepEarlier."))
        }
        return findings
    }

    /// Whether a task has a handler and nothing that could run it.
    private func isIdle(_ slot: Int32) -> Bool {
        let entry = tasks[slot]
        let every = apps[entry.app].settings[tasks.identifier(of: slot)]?.every
        return entry.isRegistered && !entry.hasRequest && entry.run < 0 && every == nil
    }

    /// One finding for all of them: that a task waits for a caller is common, and no fault.
    private func nothingPending(_ slots: [Int32]) -> [Finding] {
        guard let first = slots.first else { return [] }
        let fix = "Submit a request, or declare every in RunnerTasks."
        guard slots.count > 1 else {
            return [
                Finding(
                    .notice, "nothingPending", app: apps[tasks[first].app].identifier,
                    identifier: tasks.identifier(of: first),
                    message: "A handler is registered, and nothing is pending.",
                    fix: fix)
            ]
        }
        let named = slots.prefix(Self.namedInFindings).map { tasks.identifier(of: $0).text }.joined(separator: ", ")
        let others = slots.count > Self.namedInFindings ? " and \(slots.count - Self.namedInFindings) more" : ""
        return [
            Finding(
                .notice, "nothingPending",
                message: "\(slots.count) tasks have a handler and nothing pending: \(named)\(others).", fix: fix)
        ]
    }

    private static let namedInFindings = 10
}
