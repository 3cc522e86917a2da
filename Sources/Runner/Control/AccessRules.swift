package import Platform
package import RPC

/// Who may do what on a control socket (03, *Access*).
package struct AccessRules: Sendable {
    /// The user that the daemon runs as; it is admin, as root is.
    package var owner: UInt32
    /// Members of this group operate.
    package var group: UInt32?
    /// What anyone else who can connect may do; `nil` turns them away.
    package var others: AccessLevel? = .read
    /// Users with a level of their own.
    package var users: [UInt32: AccessLevel] = [:]
    /// What those are told whose level is too low.
    package var advice = AccessAdvice.fixed

    package init(owner: UInt32, group: UInt32? = nil) {
        self.owner = owner
        self.group = group
    }

    /// Numbers that stand for nobody: they match no rule.
    private static let nobody: Set<UInt32> = [65_534, .max]

    package func level(of peer: PeerCredentials) -> AccessLevel? {
        if Self.nobody.contains(peer.uid) { return others }
        if peer.uid == 0 || peer.uid == owner { return .admin }
        if let level = users[peer.uid] { return level }
        if let group, !Self.nobody.contains(group), peer.isMember(of: group) {
            return max(.operate, others ?? .operate)
        }
        return others
    }

    /// Whether the per-user limit of connections does not bind the peer.
    func isExempt(_ peer: PeerCredentials) -> Bool {
        peer.uid == 0 || peer.uid == owner
    }
}
