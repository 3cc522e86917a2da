import Scheduling

/// Permitted identifiers for looking up: exact ones in a set, patterns in a list. A manifest may have 100,000.
struct PermissionSet {
    private var exact: Set<TaskIdentifier> = []
    private var patterns: [PermittedIdentifier] = []

    init(_ permitted: [PermittedIdentifier]) {
        exact.reserveCapacity(permitted.count)
        for entry in permitted {
            switch entry {
            case .exact(let identifier): exact.insert(identifier)
            case .prefix: patterns.append(entry)
            }
        }
    }

    func admits(_ identifier: TaskIdentifier) -> Bool {
        exact.contains(identifier) || patterns.contains { $0.admits(identifier) }
    }
}
