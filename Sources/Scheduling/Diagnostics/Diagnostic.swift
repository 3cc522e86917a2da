/// Something that a person should know: what happened, what was expected and what to change (B40).
package struct Diagnostic: Hashable, Sendable, Codable {
    package enum Severity: String, Sendable, Codable, CaseIterable {
        case error
        case warning
        case notice
    }

    /// The stable names.
    package enum Name: String, Sendable, Codable, CaseIterable {
        case startFailed
        case startInterrupted
        case noExpirationHandler
        case graceEnded
        case overran
        case duplicateCompletion
        case lateCompletion
        case abandoned
        case processCrashed
        case processFailed
        case quarantined
        /// The runner could not start a process for want of something that no app can help.
        case resourcesExhausted
        case handlerMissing
        case foreignRun
        case interrupted
        case willNotRunAgain
        case postponed
        case recurrenceNotArmed
        case periodClamped
        case requestDropped
        case registrationRefused
        case submissionRefused
        case leftoverProcess
        case conditionLost
        case clockJumped
        case storeRecovered
    }

    package var name: Name
    package var severity: Severity
    package var at: WallTime
    package var identifier: TaskIdentifier?
    /// The app that it is about, when it is about no single task.
    package var app: AppIdentifier?
    package var message: String
    package var expected: String?
    package var fix: String?

    package init(
        _ name: Name, _ severity: Severity, at: WallTime, identifier: TaskIdentifier? = nil, app: AppIdentifier? = nil,
        message: String, expected: String? = nil, fix: String? = nil
    ) {
        self.app = app
        self.name = name
        self.severity = severity
        self.at = at
        self.identifier = identifier
        self.message = message
        self.expected = expected
        self.fix = fix
    }
}

/// A finding of `doctor`: something that is wrong now, with its fix.
package struct Finding: Hashable, Sendable, Codable {
    package var severity: Diagnostic.Severity
    package var name: String
    package var app: AppIdentifier?
    package var identifier: TaskIdentifier?
    package var message: String
    package var fix: String

    package init(
        _ severity: Diagnostic.Severity, _ name: String, app: AppIdentifier? = nil, identifier: TaskIdentifier? = nil,
        message: String, fix: String
    ) {
        self.severity = severity
        self.name = name
        self.app = app
        self.identifier = identifier
        self.message = message
        self.fix = fix
    }
}
