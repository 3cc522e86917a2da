import Platform
import RPC
import Runner
import SystemPlatform

/// Makes the control socket, or takes the one that systemd passed (03, *The socket file*).
enum ControlSocket {
    /// The name that a passed descriptor must have (`FileDescriptorName=`).
    static let passedName = "control"

    static func open(_ configuration: DaemonConfiguration) throws -> ListeningSocket {
        let passed = try ServiceManager.listenDescriptors()
        if let control = passed.first(where: { $0.name == passedName }) ?? passed.first {
            return try ListeningSocket(adopting: control.descriptor)
        }
        let placement = SocketPlacement(configuration)
        try RuntimeFolder.prepare(path: placement.folder, mode: placement.folderMode)
        return try UnixSocket.listen(
            path: configuration.socketPath, mode: placement.socketMode,
            group: placement.groupName.flatMap { UserDatabase.gid(ofGroup: $0) })
    }

    static func rules(_ configuration: DaemonConfiguration) throws -> AccessRules {
        let placement = SocketPlacement(configuration)
        if let missing = placement.missingGroup {
            throw DaemonFailure(
                "There is no group “\(missing)”; make it, or correct access.group in the configuration.")
        }
        var rules = AccessRules(
            owner: ProcessEnvironment.effectiveUser,
            group: placement.groupName.flatMap { UserDatabase.gid(ofGroup: $0) })
        let users = configuration.access.resolvedUsers { UserDatabase.uid(named: $0) }
        if let unknown = users.unknown.first {
            throw DaemonFailure("There is no user “\(unknown)”; correct access.users in the configuration.")
        }
        rules.users = users.levels
        rules.others = configuration.access.others
        rules.advice = .configuration(group: placement.groupName)
        return rules
    }
}

extension SocketPlacement {
    /// The placement by this machine's groups.
    fileprivate init(_ configuration: DaemonConfiguration) {
        self.init(
            configuration, uid: ProcessEnvironment.effectiveUser,
            groupExists: { UserDatabase.gid(ofGroup: $0) != nil })
    }
}
