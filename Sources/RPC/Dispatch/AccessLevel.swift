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

    package static func < (left: AccessLevel, right: AccessLevel) -> Bool {
        left.rawValue < right.rawValue
    }
}
