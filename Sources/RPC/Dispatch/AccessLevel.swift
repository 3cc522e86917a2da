/// What a peer may do. Each level includes the ones before it.
package enum AccessLevel: Int, Comparable, CaseIterable, Sendable {
    case read
    case operate
    case admin

    package var name: String {
        switch self {
        case .read: "read"
        case .operate: "operate"
        case .admin: "admin"
        }
    }

    /// How to get it, as the end of a sentence.
    var way: String {
        switch self {
        case .read: "ask as root, or let access.others or access.users in the configuration say read"
        case .operate: "join the socket's group (access.group in the configuration) and connect again, or ask as root"
        case .admin: "ask as root or as the daemon's own user, or let access.users in the configuration name you"
        }
    }

    package static func < (left: AccessLevel, right: AccessLevel) -> Bool {
        left.rawValue < right.rawValue
    }
}
