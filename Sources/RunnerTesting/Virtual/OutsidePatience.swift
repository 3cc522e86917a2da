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
