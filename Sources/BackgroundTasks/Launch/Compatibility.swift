import Platform

/// Which iOS is imitated where Apple changed its mind: `RUNNER_COMPAT`.
enum Compatibility: String, CaseIterable, Sendable {
    /// Expiration handlers run on the queue of their launch handler.
    case ios18
    /// Expiration handlers run on a queue of their own.
    case ios26

    static let variable = "RUNNER_COMPAT"

    static let current = read(ProcessEnvironment.variable(variable), complain: ProcessEnvironment.complain)

    static func read(_ text: String?, complain: (String) -> Void) -> Compatibility {
        guard let text, !text.isEmpty else { return .ios26 }
        if let known = Compatibility(rawValue: text) { return known }
        let words = allCases.map(\.rawValue).joined(separator: " or ")
        complain("BackgroundTasks: \(variable) must be \(words), not “\(text)”; this goes on as ios26.")
        return .ios26
    }
}
