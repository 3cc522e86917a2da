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
    /// The latest of each name.
    package var diagnostics: [Diagnostic]
    /// How many there were of each name.
    package var diagnosticCounts: [Diagnostic.Name: Int] = [:]
}

extension Explanation {
    /// Takes in diagnostics: the latest of each name stays.
    package mutating func add(_ new: [Diagnostic]) {
        for diagnostic in new {
            diagnosticCounts[diagnostic.name, default: 0] += 1
            if let old = diagnostics.firstIndex(where: { $0.name == diagnostic.name }) {
                guard diagnostics[old].at <= diagnostic.at else { continue }
                diagnostics.remove(at: old)
            }
            diagnostics.append(diagnostic)
        }
    }
}
