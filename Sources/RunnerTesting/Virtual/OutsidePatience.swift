/// How long is waited for what an expiration handler hands on to code that cannot be seen, as to a queue that cancels the
/// work. Virtual time must not go on before that, or the grace period is over when it comes.
struct HandoverPatience: Sendable {
    private static let mostVain = 4
    private static let least = Duration.milliseconds(20)

    /// How often in a row nothing came.
    private var vain = 0
    /// Whether something ever came.
    private var hasCome = false

    /// How long to wait for the first sign of it: as long as for anything, unless it never comes.
    func wait(within patience: Duration) -> Duration {
        hasCome || vain < Self.mostVain ? patience : min(patience, Self.least)
    }

    mutating func note(didCome: Bool) {
        hasCome = hasCome || didCome
        vain = didCome ? 0 : vain + 1
    }
}

/// How long code that cannot be seen is waited for while a task sleeps: nobody knows whether there is any.
struct OutsidePatience: Sendable {
    private static let least = Duration.milliseconds(10)
    private static let most = Duration.milliseconds(400)

    /// How much is waited in all before nothing is expected any more.
    private var curiosity = Duration.milliseconds(100)
    /// How long the slowest took of what came; `nil` while nothing has.
    private(set) var slowest: Duration?

    /// How long to wait this time.
    var next: Duration { Self.wait(for: slowest ?? curiosity / 4) }

    /// How long to wait for what took so long at another time.
    static func wait(for slowest: Duration) -> Duration { min(most, max(least, slowest * 4)) }

    mutating func note(_ waited: Duration, didCome: Bool) {
        if didCome {
            slowest = max(slowest ?? .zero, waited)
        } else {
            curiosity -= waited
        }
    }
}
