import Platform

/// What one client may use of a turn of the loop, so that the others never wait for more than that.
struct TurnShare {
    private static let requests = 64
    private static let milliseconds: Int64 = 2

    private var left = Self.requests
    private let end = SystemClock.milliseconds(.awake) + Self.milliseconds

    /// Counts a request that was served; `false` when it was the last.
    mutating func take() -> Bool {
        left -= 1
        return left > 0 && SystemClock.milliseconds(.awake) < end
    }
}
