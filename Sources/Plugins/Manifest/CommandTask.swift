package import Scheduling

/// A task whose handler is a command: everything that is needed to start it.
package struct CommandTask: Hashable, Sendable {
    package var identifier: TaskIdentifier
    /// The absolute path of the program; a link stays a link, because some programs look at their own path.
    package var executable: String
    /// The words of the command as the manifest has them; the first becomes the program's name.
    package var command: [String]
    /// What the manifest adds to the environment.
    package var environment: [String: String]
    /// An absolute path: the bundle's folder, unless the manifest says otherwise.
    package var workingDirectory: String
    /// The name of the user to run as; `nil` for the runner's own.
    package var user: String?
    package var settings: TaskSettings
}
