/// Where control sockets are, by the same rules for those that listen and those that connect.
package struct SocketLocation: Equatable, Sendable {
    /// The system's daemon.
    package static let system = "/run/runner/control.sock"
    /// The variable that names the socket for a daemon and its clients alike.
    package static let variable = "RUNNER_SOCKET"

    /// What the environment names; it stands over the places below.
    package let named: String?
    /// The daemon of this user.
    package let user: String

    private let userFolder: String
    private let uid: UInt32

    /// - Parameters:
    ///   - variable: looks up a variable of the environment.
    ///   - uid: the effective user.
    package init(variable: (String) -> String?, uid: UInt32) {
        self.uid = uid
        named = variable(Self.variable).flatMap { $0.isEmpty ? nil : $0 }
        // A relative folder would lead somewhere else from every working folder.
        if let folder = variable("XDG_RUNTIME_DIR"), folder.hasPrefix("/") {
            userFolder = (folder.hasSuffix("/") ? String(folder.dropLast()) : folder) + "/runner"
        } else {
            userFolder = "/tmp/runner-\(uid)"
        }
        user = userFolder + "/control.sock"
    }

    /// Where a daemon listens when no option says otherwise.
    package var listening: String {
        named ?? (uid == 0 ? Self.system : user)
    }

    /// Where a client looks when no option says otherwise, in this order.
    package var candidates: [String] {
        if let named { return [named] }
        return uid == 0 ? [Self.system] : [user, Self.system]
    }

    /// Where a program listens that embeds the runner, by the identifier of its app.
    package func app(_ identifier: String) -> String {
        "\(appsFolder)/\(identifier)\(Self.suffix)"
    }

    /// Where the sockets of all such programs of this user are.
    package var appsFolder: String { userFolder + "/apps" }

    /// The app whose socket has this name in `appsFolder`; nil for any other file.
    package static func app(ofSocket name: String) -> String? {
        guard name.hasSuffix(suffix), name.utf8.count > suffix.utf8.count else { return nil }
        return String(name.dropLast(suffix.count))
    }

    private static let suffix = ".sock"
}
