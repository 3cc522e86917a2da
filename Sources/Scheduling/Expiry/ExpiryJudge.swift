/// Says which rules a life of a handler broke; the test kit and `runnerctl torture` judge alike.
package struct ExpiryJudge: Sendable {
    package var trial: ExpiryTrial
    /// How the run ended; `nil` when it never did.
    package var state: RunState?
    /// The names of the run's diagnostics, those that came after its end included.
    package var diagnostics: Set<String>
    package var wasExpired = false
    /// Whether the life that nobody expired left a request pending; `nil` while that is not known.
    package var rearms: Bool?
    package var isPending = false
    /// Calls that its code made after the run was over.
    package var lateCalls: [String] = []
    package var misuses: [String] = []
    /// Whether its tasks go on although the run is over.
    package var goesOn = false
    /// Whether what runs is a command.
    package var isCommand = false
    /// Whether its code keeps a queue or a thread, and does not go on.
    package var isHeldUp = false
    /// What of its work whoever looks cannot see, as words.
    package var blindSpot: String?

    package init(trial: ExpiryTrial, state: RunState?, diagnostics: Set<String>) {
        self.trial = trial
        self.state = state
        self.diagnostics = diagnostics
    }

    package var findings: [ExpiryFinding] {
        var findings = misuses.map { finding(.misused, $0) }
        if let (kind, message) = completion { findings.append(finding(kind, message)) }
        if isCompleted {
            if has(.duplicateCompletion) {
                findings.append(finding(.completedTwice, "the task was completed more than once."))
            }
            if let call = lateCalls.first {
                let message = "after the task was completed its code \(call)."
                findings.append(finding(.wentOnAfterCompletion, message))
            } else if goesOn {
                let message = "after the task was completed its Swift tasks went on."
                findings.append(finding(.wentOnAfterCompletion, message))
            }
        }
        if wasExpired, rearms == true, !isPending {
            let message = "the run was expired, and no request is pending; without an expiration one is."
            findings.append(finding(.notRearmed, message))
        }
        return findings
    }

    // MARK: - Private

    private func finding(_ kind: ExpiryFinding.Kind, _ message: String) -> ExpiryFinding {
        ExpiryFinding(kind, trial, message, isCommand: isCommand)
    }

    private var isCompleted: Bool { state == .succeeded || state == .failed }

    private func has(_ name: Diagnostic.Name) -> Bool { diagnostics.contains(name.rawValue) }

    /// What is wrong with how the run was completed, if anything.
    private var completion: (ExpiryFinding.Kind, String)? {
        switch state {
        case nil, .starting, .running, .expiring:
            let when = wasExpired ? "the run was expired, and then " : ""
            if isCommand { return (.neverCompleted, "\(when)the command did not end.") }
            guard !isHeldUp else { return (.neverCompleted, "\(when)the task was not completed; \(Self.heldUp)") }
            let unseen = blindSpot.map { " (\($0))" } ?? ""
            return (.neverCompleted, "\(when)nothing was left to do, and the task was not completed\(unseen).")
        case .succeeded, .failed, .cancelled: return nil
        case .abandoned: return (.neverCompleted, "the task was dropped before it was completed (abandoned).")
        case .crashed, .interrupted:
            if isCommand { return (.crashed, "the command died before it was done.") }
            return (.crashed, "its process ended before the task was completed.")
        case .expired:
            if has(.noExpirationHandler) {
                return (.noExpirationHandler, "when the run was expired, the task had no expiration handler.")
            }
            // A command that dies of its expiration signal has done what it was asked to.
            guard has(.graceEnded) || has(.overran) else { return nil }
            if has(.lateCompletion) || has(.duplicateCompletion) {
                return (.didNotFinishInGrace, "the task was completed after its grace period.")
            }
            if isCommand {
                return (
                    .neverCompleted, "the run was expired, and the command was killed at the end of its grace period."
                )
            }
            let heldUp = isHeldUp ? "; \(Self.heldUp)" : "."
            return (.neverCompleted, "the run was expired, and the task was not completed, then or later\(heldUp)")
        }
    }

    private static let heldUp = "its code waits and keeps a queue or thread, which the completion may need."
}
