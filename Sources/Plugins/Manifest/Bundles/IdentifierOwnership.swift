import Scheduling

/// Who owns which identifier: the bundle that came first (B3).
struct IdentifierOwnership {
    private var apps: [AppIdentifier: String] = [:]
    private var entries: [PermittedIdentifier: LoadedBundle] = [:]

    /// Gives a bundle its identifiers, or says why it cannot have them; then it gets none.
    ///
    /// Two patterns that admit the same identifier are no conflict: the longer prefix wins. Two equal ones are, because
    /// nothing could choose between them.
    mutating func claim(_ bundle: LoadedBundle) -> [ManifestProblem] {
        if let first = apps[bundle.app] {
            return [
                ManifestProblem(
                    .error, .alreadyOwned, file: bundle.path, key: ManifestKey.identifier,
                    message: "The app \(bundle.app) is loaded from \(first) already, which comes first.",
                    fix: "Remove one of the two bundles, or give this one another \(ManifestKey.identifier).")
            ]
        }
        let problems = bundle.manifest.permitted.enumerated().compactMap { index, entry in
            entries[entry].map { owner in
                ManifestProblem(
                    .error, .alreadyOwned, file: bundle.path, key: "\(ManifestKey.permitted)[\(index)]",
                    message: "\(entry.text) belongs to \(owner.app) in \(owner.path), which comes first;"
                        + " \(bundle.app) cannot have it too.",
                    fix: "Remove it from one of the two manifests.")
            }
        }
        guard problems.isEmpty else { return problems }
        apps[bundle.app] = bundle.path
        for entry in bundle.manifest.permitted { entries[entry] = bundle }
        return []
    }
}
