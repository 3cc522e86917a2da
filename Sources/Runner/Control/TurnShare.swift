/// What one client may use of a turn of the loop, so that the others never wait for more than that.
struct TurnShare {
    private static let requests = 64
    private static let time = Duration.microseconds(100)

    private var left = Self.requests
    private let end = ContinuousClock.now + Self.time

    /// Counts a request that was served; `false` when it was the last.
    mutating func take() -> Bool {
        left -= 1
        return left > 0 && ContinuousClock.now < end
    }
}
