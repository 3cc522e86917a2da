package import RPC
package import Scheduling
package import SystemPlatform

/// Everything that the daemon is told at its start, whether by options, by the environment or by its file.
package struct DaemonConfiguration: Equatable, Sendable {
    /// Where it listens, unless the service manager passes a socket.
    package var socketPath: String
    /// Whether that is where clients look without being told.
    package var socketIsDefault = true
    package var stateFolder: String
    /// A bundle in an earlier folder keeps its identifiers (B3).
    package var pluginFolders: [String]
    /// Whether nobody named plugin folders; those that are missing are then no finding.
    package var pluginFoldersAreDefault = true
    package var policy = Policy.prompt
    package var retention = Retention()
    /// Whether simulate and override methods work at all (B36).
    package var simulation = true
    package var logLevel = LogLevel.info
    package var logDestination = SystemLog.Destination.automatic
    /// Accepts bundles that other users could have written.
    package var trustBundles = false
    /// Values for `$(NAME)` in manifests.
    package var definitions: [String: String] = [:]
    package var access = AccessConfiguration()
    package var connectionLimits = ConnectionLimits()
    /// Where events are written as the core encodes them.
    package var recordFile: String?
    /// Whether a person looks on; the log then goes to standard error.
    package var foreground = false
    /// The file that was read; `nil` when there is none.
    package var configurationFile: String?

    package init(socketPath: String, stateFolder: String, pluginFolders: [String]) {
        self.socketPath = socketPath
        self.stateFolder = stateFolder
        self.pluginFolders = pluginFolders
    }
}
