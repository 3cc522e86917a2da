package import RPC

/// Who may do what on the control socket, as it is configured: users and groups by their names.
package struct AccessConfiguration: Equatable, Sendable {
    /// The mode of the socket's file; `nil` leaves it to where the socket is.
    package var socketMode: UInt32?
    /// Whose members operate; `nil` leaves it to where the socket is.
    package var group: String?
    /// What anyone else who can connect may do; `nil` refuses them.
    package var others: AccessLevel? = .read
    /// Levels of single users, by name or by number.
    package var users: [String: AccessLevel] = [:]

    package init() {}

    /// The levels by the users' numbers, and the names that nobody has, sorted.
    package func resolvedUsers(
        uid: (String) -> UInt32?
    ) -> (levels: [UInt32: AccessLevel], unknown: [String]) {
        var levels: [UInt32: AccessLevel] = [:]
        var unknown: [String] = []
        // Sorted, so that a name and a number for the same user always have the same outcome: the name, which is last.
        for (name, level) in users.sorted(by: { $0.key < $1.key }) {
            if let number = uid(name) ?? UInt32(name) {
                levels[number] = level
            } else {
                unknown.append(name)
            }
        }
        return (levels, unknown)
    }
}
