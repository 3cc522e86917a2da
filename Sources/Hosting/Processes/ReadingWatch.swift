/// Notices a peer that takes nothing of what waits for it.
///
/// Meanwhile nothing is read from it, so that no more than so much waits; without this it would be left like that.
struct ReadingWatch {
    private let patienceMilliseconds: Int64
    /// When it counts as one that does not read, on the clock that `note` is given.
    private(set) var endsAt: Int64?

    init(patienceMilliseconds: Int64) {
        self.patienceMilliseconds = patienceMilliseconds
    }

    /// Looks again after a write: whether the peer took something, and what waits still.
    mutating func note(hasTaken: Bool, waiting bytes: Int, at now: Int64) {
        if bytes == 0 {
            endsAt = nil
        } else if hasTaken || endsAt == nil {
            endsAt = now + patienceMilliseconds
        }
    }

    /// Whether its time is over; only once.
    mutating func isOver(at now: Int64) -> Bool {
        guard let end = endsAt, end <= now else { return false }
        endsAt = nil
        return true
    }
}
