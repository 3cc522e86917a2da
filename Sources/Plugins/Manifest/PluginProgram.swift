import Platform

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

    package var arguments: [String] {
        switch self {
        case .executable(_, let arguments): arguments
        case .library: []
        }
    }

    /// What is wrong with a library, of which nothing is run; `nil` for a program, and for a library that looks right.
    ///
    /// - Parameter file: the manifest that names it.
    package func libraryProblem(file: String) -> ManifestProblem? {
        guard case .library(let path) = self, let problem = PluginLibrary.problem(of: path) else { return nil }
        return ManifestProblem(
            .error, .notLoadable, file: file, key: "\(ManifestKey.plugin).\(PluginKey.library)",
            message: "\(path) \(problem.words).", fix: problem.fix)
    }
}
