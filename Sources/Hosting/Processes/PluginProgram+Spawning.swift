import Platform
import Plugins

extension PluginProgram {
    /// What is started for it: the program itself, or the host that loads the library.
    func command(pluginHost: String?) throws(ProcessProblem) -> (executable: String, arguments: [String]) {
        switch self {
        case .executable(let path, let arguments): return (path, arguments)
        case .library(let path):
            guard let pluginHost else {
                throw ProcessProblem(
                    "runner-plugin-host was not found beside runnerd, so its library cannot be loaded; "
                        + "install it there")
            }
            return (pluginHost, [path])
        }
    }
}

/// Why a process could not be started, or what it did wrong, in a few words.
struct ProcessProblem: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) {
        self.description = description
    }
}
