/// The socket's folder and the access to both (03, *Access*), as data for whoever makes them.
package struct SocketPlacement: Equatable, Sendable {
    /// Members of this group operate on the system's socket, where there is such a group.
    package static let systemGroup = "runner"

    package var folder: String
    /// The mode of the folder if it must be made; what it does not name must not be writable in one that is there.
    package var folderMode: UInt32
    package var socketMode: UInt32
    /// The socket's group; `nil` leaves it to the system.
    package var groupName: String?
    /// A group that is configured and that does not exist.
    package var missingGroup: String?

    package init(_ configuration: DaemonConfiguration, uid: UInt32, groupExists: (String) -> Bool) {
        let isSystem = uid == 0 && configuration.socketIsDefault
        let access = configuration.access
        let group = access.group ?? (isSystem ? Self.systemGroup : nil)
        groupName = group.flatMap { groupExists($0) ? $0 : nil }
        missingGroup = groupName == nil ? access.group : nil
        socketMode = access.socketMode ?? (groupName == nil ? 0o600 : 0o660)
        // The way to the socket is open to whom it is open; the socket's own mode keeps out the rest.
        folderMode = isSystem || socketMode & 0o077 != 0 ? 0o755 : 0o700
        folder = Self.folder(of: configuration.socketPath)
    }

    private static func folder(of path: String) -> String {
        guard let slash = path.lastIndex(of: "/") else { return "." }
        var folder = path[..<slash]
        while folder.last == "/" { folder.removeLast() }
        return folder.isEmpty ? "/" : String(folder)
    }
}
