extension ExpiryLife {
    /// What came out of a life.
    struct Outcome: Sendable {
        var findings: [ExpiryFinding] = []
        /// How many moments there were at which it could have been expired.
        var steps = 0
        var wasExpired = false
        /// Whether a request of its identifier is pending in the end.
        var isPending = false
        /// How long its run took from the handler's entry on, in real time.
        var microseconds = 0
        /// The same without what was waited in vain for something out of sight.
        var busyMicroseconds = 0
        /// Whether it did something that is out of sight.
        var usesOutside = false
        /// Whether its code kept a thread for a while, so that it can be expired while it does.
        var keepsThread = false
        /// How long the slowest took of what came from out of sight beside a sleep.
        var slowest: Duration?
        /// What is known by now of what expiration handlers hand on.
        var handover = HandoverPatience()
        /// Whether another order of its tasks would have been another life.
        var hadChoice = false
        /// Whether code on a queue waited for other code.
        var wasStuck = false
        /// Whether it only ends when it is expired.
        var outlasts = false

        /// Whether times that are spread over its real duration are moments of their own.
        var takesRealTime: Bool { usesOutside || keepsThread }
    }
}

extension ContinuousClock.Instant {
    func microseconds(to other: ContinuousClock.Instant) -> Int {
        duration(to: other).wholeMicroseconds
    }
}

extension Duration {
    var wholeMicroseconds: Int {
        let (seconds, attoseconds) = components
        return Int(seconds) * 1_000_000 + Int(attoseconds / 1_000_000_000_000)
    }
}
