package import Platform

/// The descriptor of the runner that has started this process.
package enum PluginDescriptor {
    /// The variable of the environment that names it.
    package static let variable = "RUNNER_PLUGIN_FD"

    /// What is wrong with the variable, as a sentence.
    package struct Problem: Error, CustomStringConvertible {
        package let description: String
    }

    /// Takes it out of the environment, since programs that this one starts are no plugins; `nil` without a runner.
    package static func take() -> Result<Int32, Problem>? {
        guard let text = ProcessEnvironment.variable(variable) else { return nil }
        ProcessEnvironment.removeVariable(variable)
        guard let descriptor = Int32(text) else {
            let words = "\(variable) must be the number of a descriptor, not “\(text)”."
            return .failure(Problem(description: words))
        }
        return .success(descriptor)
    }
}

extension PluginSession {
    /// A session on the descriptor of this process: what it prints goes out by lines, and what waits before it exits.
    package static func ofProcess(on descriptor: Int32) throws(SystemError) -> PluginSession {
        ProcessEnvironment.writeOutputByLines()
        let session = try PluginSession(UnixSocket.adopt(descriptor), complain: ProcessEnvironment.complain)
        ExitFlush.add(session)
        return session
    }
}
