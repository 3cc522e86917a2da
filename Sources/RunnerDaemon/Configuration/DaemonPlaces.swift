import Platform

/// Where everything is when nobody names another place: the system's places for root, else the user's.
struct DaemonPlaces: Equatable, Sendable {
    /// `nil` for a user without a home: a folder that anybody could have made configures nothing.
    let configurationFile: String?
    let socket: String
    /// What `RUNNER_SOCKET` names.
    let namedSocket: String?
    let stateFolder: String
    let pluginFolders: [String]
    /// What `~` stands for.
    let home: String?

    /// - Parameters:
    ///   - variable: looks up a variable of the environment.
    ///   - uid: the effective user.
    ///   - home: the user's home folder, unless `HOME` names one.
    init(variable: (String) -> String?, uid: UInt32, home: String?) {
        func absolute(_ name: String) -> String? {
            guard let folder = variable(name), folder.hasPrefix("/") else { return nil }
            return folder.count > 1 && folder.hasSuffix("/") ? String(folder.dropLast()) : folder
        }
        let location = SocketLocation(variable: variable, uid: uid)
        let home = absolute("HOME") ?? home
        self.home = home
        namedSocket = location.named
        stateFolder = StateLocation(variable: variable, uid: uid, home: home).daemon
        if uid == 0 {
            configurationFile = "/etc/runner/runner.json"
            socket = SocketLocation.system
            pluginFolders = ["/etc/runner/plugins", "/usr/lib/runner/plugins"]
        } else {
            let configuration = absolute("XDG_CONFIG_HOME") ?? home.map { $0 + "/.config" }
            let data = absolute("XDG_DATA_HOME") ?? home.map { $0 + "/.local/share" }
            configurationFile = configuration.map { $0 + "/runner/runner.json" }
            socket = location.user
            pluginFolders = [configuration, data].compactMap { $0.map { $0 + "/runner/plugins" } }
        }
    }

    /// What holds where nobody says anything.
    var configuration: DaemonConfiguration {
        DaemonConfiguration(socketPath: socket, stateFolder: stateFolder, pluginFolders: pluginFolders)
    }
}
