/// Lets so much of one process through in a second; what is more waits in its pipes, and so does its writer.
struct FloodGate {
    /// What all streams of a process may bring in a second.
    static let bytesPerSecond = 1 << 19
    /// What a line or a message costs beside its bytes.
    static let bytesPerMessage = 64
    private static let windowMilliseconds: Int64 = 1_000

    private var windowStart: Int64
    private var taken = 0
    /// When it opens again, on the clock that it is given.
    private(set) var opensAt: Int64?

    init(at now: Int64) {
        windowStart = now
    }

    var isClosed: Bool { opensAt != nil }

    /// Counts what came; `true` when that closed the gate.
    mutating func take(_ bytes: Int, at now: Int64) -> Bool {
        if now - windowStart >= Self.windowMilliseconds {
            windowStart = now
            taken = 0
        }
        taken += bytes
        guard opensAt == nil, taken > Self.bytesPerSecond else { return false }
        opensAt = windowStart + Self.windowMilliseconds
        return true
    }

    mutating func open(at now: Int64) {
        opensAt = nil
        windowStart = now
        taken = 0
    }
}
