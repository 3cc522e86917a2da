import Scheduling

/// How a run ended (B31).
public enum RunOutcome: String, Sendable, CaseIterable {
    /// Its handler completed it with success.
    case succeeded
    /// Its handler completed it without success, or threw.
    case failed
    /// It was not completed within the grace period, or had no expiration handler (B24, B25).
    case expired
    /// Its task object was dropped without completing it (B27).
    case abandoned
    /// Its handler could not be started.
    case crashed
    /// The runner ended under it.
    case interrupted
    /// It was cancelled, or stopped and not completed (B17).
    case cancelled
}

/// What is known of a run that has ended.
public struct RunReport: Sendable, Hashable {
    /// The identifier of the task.
    public let identifier: TaskIdentifier
    /// The number of the run.
    public let number: Int64
    /// The kind of the request that was run.
    public let kind: TaskKind
    /// Whether the scheduler or a simulation started it (B35).
    public let origin: RunOrigin
    /// How it ended.
    public let outcome: RunOutcome
    /// Why it was expired; `nil` when it was not (B24).
    public let expirationReason: ExpirationReason?
    /// When it started, in virtual time since the scheduler's beginning.
    public let started: Duration
    /// When it ended, in virtual time since the scheduler's beginning.
    public let ended: Duration
    /// What it was completed with, as words.
    public let message: String?
    /// Stable names of what a person should know of it, such as `noExpirationHandler` (B40).
    public let diagnostics: [String]

    /// How long it took, in virtual time.
    public var duration: Duration { ended - started }

    init?(_ record: RunRecord, diagnostics: [String], since beginning: WallTime) {
        guard let outcome = RunOutcome(rawValue: record.state.rawValue), let endedAt = record.endedAt else {
            return nil
        }
        identifier = record.identifier
        number = record.run.number
        kind = record.request.kind
        origin = record.origin
        self.outcome = outcome
        expirationReason = record.expirationReason
        started = beginning.duration(to: record.startedAt)
        ended = beginning.duration(to: endedAt)
        message = record.message
        self.diagnostics = diagnostics
    }
}

extension RunReport: CustomStringConvertible {
    /// One line for people.
    public var description: String {
        var text = "run \(number) of \(identifier) \(outcome.rawValue) after \(duration)"
        if let expirationReason { text += ", expired by \(expirationReason.rawValue)" }
        if let message { text += " (\(message))" }
        if !diagnostics.isEmpty { text += " [\(diagnostics.joined(separator: ", "))]" }
        return text
    }
}
