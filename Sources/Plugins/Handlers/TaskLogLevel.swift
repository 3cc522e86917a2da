/// How much a line of a plugin's log matters.
public enum TaskLogLevel: String, Sendable, CaseIterable {
    /// Something that somebody has to mend.
    case error
    /// Something that may become an error.
    case warning
    /// Something worth knowing that is not wrong.
    case notice
    /// What happened.
    case info
    /// What only a developer wants to know.
    case debug
}
