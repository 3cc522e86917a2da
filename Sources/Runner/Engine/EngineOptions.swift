package import Scheduling

/// What an engine is told at its start.
package struct EngineOptions: Sendable {
    /// Retention is looked at after so many ended runs.
    static let retentionInterval = 100

    package var policy: Policy
    package var start: StartFacts
    package var retention = Retention()
    /// Whether simulate and override methods work at all (B36).
    package var simulation = true
    package var version: String

    package init(policy: Policy, start: StartFacts, version: String) {
        self.policy = policy
        self.start = start
        self.version = version
    }
}

/// The last diagnostics, for `explain` and `apps`.
struct RecentDiagnostics {
    private static let kept = 256
    private var diagnostics: [Diagnostic] = []

    mutating func add(_ diagnostic: Diagnostic) {
        diagnostics.append(diagnostic)
        if diagnostics.count > 2 * Self.kept { diagnostics.removeFirst(Self.kept) }
    }

    /// Oldest first.
    var all: ArraySlice<Diagnostic> { diagnostics.suffix(Self.kept) }

    func about(_ identifier: TaskIdentifier) -> [Diagnostic] {
        all.filter { $0.identifier == identifier }
    }
}
