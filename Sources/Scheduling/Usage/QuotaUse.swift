/// What an app's runs took lately, run by run: what a quota within a rolling span is counted from.
package struct QuotaUse: Hashable, Sendable, Codable {
    private struct Piece: Hashable, Sendable, Codable {
        var at: TimeStamp
        var milliseconds: Int64
    }

    /// The oldest first.
    private var pieces: [Piece] = []

    /// Older than this counts in no quota.
    private static let longest = Duration.hours(24).wholeMilliseconds
    /// More runs than this in a day are counted together.
    private static let most = 64

    init() {}

    mutating func add(_ milliseconds: Int64, at now: Moment, in boot: BootIdentifier) {
        pieces.removeAll { $0.at.elapsed(to: now, in: boot) >= Self.longest }
        if pieces.count >= Self.most {
            // Counted as if it were as young as the next: too long is harmless.
            pieces[1].milliseconds += pieces[0].milliseconds
            pieces.removeFirst()
        }
        pieces.append(
            Piece(
                at: TimeStamp(wall: now.wall, boot: now.boot, bootIdentifier: boot), milliseconds: max(0, milliseconds))
        )
    }

    func rebased(to now: Moment, in boot: BootIdentifier) -> QuotaUse {
        var result = self
        for index in pieces.indices { result.pieces[index].at = pieces[index].at.rebased(to: now, in: boot) }
        return result
    }

    /// What was taken within a span that ends now.
    func taken(within span: Duration, at now: Moment, in boot: BootIdentifier) -> Int64 {
        pieces.reduce(0) {
            $1.at.elapsed(to: now, in: boot) < span.wholeMilliseconds ? $0 + $1.milliseconds : $0
        }
    }

    /// How long it takes until less than a quota was taken within a span; 0 when it is so.
    func wait(until quota: Duration, within span: Duration, at now: Moment, in boot: BootIdentifier) -> Int64 {
        var taken = taken(within: span, at: now, in: boot)
        for piece in pieces {
            guard taken >= quota.wholeMilliseconds else { return 0 }
            let age = piece.at.elapsed(to: now, in: boot)
            guard age < span.wholeMilliseconds else { continue }
            taken -= piece.milliseconds
            if taken < quota.wholeMilliseconds { return span.wholeMilliseconds - age }
        }
        return taken < quota.wholeMilliseconds ? 0 : span.wholeMilliseconds
    }
}
