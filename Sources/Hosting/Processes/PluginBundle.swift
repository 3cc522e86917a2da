import Plugins
import Scheduling

/// What is needed to start the process of a bundle.
struct PluginBundle: Sendable {
    var app: AppIdentifier
    var program: PluginProgram
    var folder: String
    var permitted: [String]
    var limits: ManifestLimits
    var user: String?
    var hash: String
}
