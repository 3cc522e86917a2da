/// What helps a caller to an access level that it lacks, which depends on who gives the levels.
package enum AccessAdvice: Hashable, Sendable {
    /// The configuration does; the socket has this group, or none.
    case configuration(group: String?)
    /// Only root and the user of the listening program have any level but `read`, and nothing changes that.
    case fixed

    /// How to get the level, as the end of a sentence.
    func way(to level: AccessLevel) -> String {
        switch (self, level) {
        case (.fixed, _): "ask as root or as the user whose program it is"
        case (.configuration, .read): "ask as root, or let access.others or access.users in the configuration say read"
        case (.configuration(let group?), .operate):
            "join the socket's group '\(group)' and connect again, or ask as root"
        case (.configuration(nil), .operate):
            "ask as root or as the daemon's own user, or let access.users in the configuration name you "
                + "(the socket has no group; access.group gives it one)"
        case (.configuration, .admin):
            "ask as root or as the daemon's own user, or let access.users in the configuration name you"
        }
    }
}
