import Plugins
import Scheduling

/// What is needed to start the process of a bundle.
struct PluginBundle: Sendable {
    var app: AppIdentifier
    var program: PluginProgram
    var folder: String
    var limits: ManifestLimits
    var user: String?
    var hash: String
}

extension PluginBundle {
    /// `nil` when every task of the bundle is a command.
    init?(_ bundle: LoadedBundle) {
        guard let program = bundle.manifest.program else { return nil }
        self.init(
            app: bundle.app, program: program, folder: bundle.folder, limits: bundle.manifest.limits,
            user: bundle.manifest.programUser, hash: bundle.bundleHash)
    }
}
