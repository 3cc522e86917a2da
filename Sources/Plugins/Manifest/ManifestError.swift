/// A manifest that cannot be used, with everything that is wrong with it.
public struct ManifestError: Error, Hashable, Sendable {
    /// The errors, and then the warnings; at least one is an error.
    public let problems: [ManifestProblem]

    package init(_ problems: [ManifestProblem]) {
        self.problems = problems.filter { $0.severity == .error } + problems.filter { $0.severity == .warning }
    }
}

extension ManifestError: CustomStringConvertible {
    /// One line for each problem.
    public var description: String {
        problems.map(\.description).joined(separator: "\n")
    }
}
