/// Where state is kept, by the user and the environment.
package struct StateLocation: Equatable, Sendable {
    /// The daemon's folder: `/var/lib/runner`, or `$XDG_STATE_HOME/runner` for a user.
    package let daemon: String

    /// - Parameters:
    ///   - variable: looks up a variable of the environment.
    ///   - uid: the effective user.
    ///   - home: the user's home folder.
    package init(variable: (String) -> String?, uid: UInt32, home: String?) {
        if uid == 0 {
            daemon = "/var/lib/runner"
        } else if let folder = variable("XDG_STATE_HOME"), folder.hasPrefix("/") {
            daemon = (folder.hasSuffix("/") ? String(folder.dropLast()) : folder) + "/runner"
        } else {
            daemon = (variable("HOME") ?? home ?? "/tmp/runner-\(uid)") + "/.local/state/runner"
        }
    }

    /// The folder of a program that embeds the runner, by the identifier of its app.
    package func app(_ identifier: String) -> String {
        "\(daemon)/apps/\(identifier)"
    }
}
