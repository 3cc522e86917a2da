import Scheduling

/// Users whose connections break limits again and again: each of theirs is let go a little later.
///
/// Connecting, sending rubbish and connecting again costs the daemon more than the client; so it must not go as fast as
/// it can. Somebody who errs now and then notices nothing.
struct LimitBreakers {
    /// So many within a second go at once.
    static let atOnce = 8
    static let delay: Duration = .milliseconds(20)
    private static let window: Duration = .seconds(1)

    private var users: [UInt32: (since: BootTime, count: Int)] = [:]

    /// Counts a connection that broke a limit; says until when it has to stay, if it has to.
    mutating func note(_ user: UInt32, at now: BootTime) -> BootTime? {
        users = users.filter { $0.value.since.advanced(by: Self.window) > now }
        users[user, default: (now, 0)].count += 1
        return (users[user]?.count ?? 0) > Self.atOnce ? now.advanced(by: Self.delay) : nil
    }
}
