/// What `doctor` finds in the scheduler's state.
extension Scheduler {
    /// What is wrong now, as far as the scheduler knows, each with its fix.
    package func findings(at now: Moment) -> [Finding] {
        var findings = FindingList()
        if let storeFailure {
            findings.add(
                Finding(
                    .error, "storeUnavailable", message: "The store cannot be written: \(storeFailure.message)",
                    fix: "Make room or give write access; launches go on by themselves."))
        }
        if facts.pausedAt != nil {
            findings.add(
                Finding(.notice, "paused", message: "The runner is paused, and starts nothing.", fix: "Resume it."))
        }
        for app in apps.entries.sorted(by: { $0.identifier < $1.identifier }) {
            addFindings(of: app, at: now, to: &findings)
        }
        let slots = tasks.usedSlots.sorted { tasks.identifier(of: $0) < tasks.identifier(of: $1) }
        for slot in slots { addFindings(ofTask: slot, to: &findings) }
        return findings.all + idleFindings(of: slots)
    }

    // MARK: - Private

    private func addFindings(ofTask slot: Int32, to findings: inout FindingList) {
        let entry = tasks[slot]
        guard entry.hasRequest || entry.hasLeftover || entry.postponements >= 3 else { return }
        let app = apps[entry.app]
        func add(_ severity: Diagnostic.Severity, _ name: String, _ message: String, fix: () -> String) {
            findings.add(app: app.identifier, name) {
                Finding(
                    severity, name, app: app.identifier, identifier: tasks.identifier(of: slot), message: message,
                    fix: fix())
            }
        }
        if entry.hasRequest, !entry.isRegistered, app.phase == .launched {
            if runsInProcess(slot), isPermitted(slot) {
                add(
                    .error, "handlerMissing",
                    "A request is pending, and the app's process finished launching without a handler for it."
                ) { "Register the handler before finishLaunching, or cancel the request." }
            } else {
                add(.warning, "stranded", "A request is pending that no handler can take.") { fixOfStranded(slot) }
            }
        }
        // A process of the app that was left with its runs is told once.
        if entry.hasLeftover, !app.process.hasLeftover || !runsInProcess(slot) {
            add(.warning, "leftoverProcess", "A process that an earlier run left behind still lives.") {
                "End it; the task waits until it is gone."
            }
        }
        if entry.postponements >= 3 {
            add(.warning, "postponed", "Its request was moved later \(entry.postponements) times in a row.") {
                "Submit with ifPending: keepEarlier."
            }
        }
    }

    private func fixOfStranded(_ slot: Int32) -> String {
        let fix = "Permit the identifier and register a handler, or cancel the request."
        let identifier = tasks.identifier(of: slot)
        guard !isPermitted(slot), let nearest = NearestName.nearest(to: identifier.text, among: apps.permittedTexts)
        else { return fix }
        let words = PermittedIdentifier.words(of: nearest, for: identifier)
        return "If it has another name now (did you mean \(words)?), submit by that. " + fix
    }
}
