package import Scheduling

/// A bundle whose manifest is right and whose files can be trusted.
package struct LoadedBundle: Hashable, Sendable {
    /// The bundle's folder as it was found.
    package var path: String
    /// The bundle's folder without links.
    package var folder: String
    package var manifest: Manifest
    /// Changes when the manifest, its settings, or a file that it runs changes.
    package var bundleHash: String
    /// Warnings only.
    package var problems: [ManifestProblem]

    package var app: AppIdentifier { manifest.identifier }

    /// What the scheduler needs to know of the app.
    package var appDescription: AppDescription {
        manifest.appDescription(host: manifest.program == nil ? .commands : .process, bundleHash: bundleHash)
    }

    package var commands: [CommandTask] { manifest.commands }
}

/// A bundle that is not loaded, and why.
package struct RefusedBundle: Hashable, Sendable {
    /// The bundle's folder as it was found.
    package var path: String
    /// `nil` when its manifest cannot tell.
    package var app: AppIdentifier?
    /// At least one is an error.
    package var problems: [ManifestProblem]
}
