/// `RunnerPlugin`: what handles the tasks of an app in a process of its own.
package enum PluginProgram: Hashable, Sendable {
    /// A program that speaks the plugin protocol; an absolute path in the bundle.
    case executable(path: String, arguments: [String])
    /// A shared library that the plugin host loads; an absolute path in the bundle.
    case library(path: String)

    package var path: String {
        switch self {
        case .executable(let path, _): path
        case .library(let path): path
        }
    }
}
