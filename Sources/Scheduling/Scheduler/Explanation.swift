/// Why a task has not run yet, in full.
package struct Explanation: Hashable, Sendable {
    package enum Status: String, Sendable, Codable, CaseIterable {
        case notPermitted
        case notRegistered
        /// Nothing is pending.
        case idle
        case waiting
        case eligible
        case running
    }

    package var identifier: TaskIdentifier
    package var status: Status
    /// One sentence that a person can act on.
    package var summary: String
    package var gates: [Gate]
    package var pending: PendingRequest?
    package var running: RunRecord?
    package var diagnostics: [Diagnostic]
}
