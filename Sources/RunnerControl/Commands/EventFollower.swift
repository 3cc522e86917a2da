import Platform

/// Goes on with a stream of events over the ends of daemons, until it is interrupted or nobody reads what is written.
struct EventFollower {
    let surroundings: Surroundings
    /// Readable when the process was asked to end.
    let end: OwnedDescriptor?
    let connect: () throws(ControlFailure) -> ControlConnection

    /// - Parameters:
    ///   - take: gets what has come, and the connection it came by; `false` when that was enough.
    ///   - lose: is called when the daemon has gone, before that is said.
    func follow(
        _ stream: inout EventStream, lose: () -> Void = {},
        _ take: ([EventStream.Item], ControlConnection) throws(ControlFailure) -> Bool
    ) throws(ControlFailure) {
        while !console.isClosed {
            do throws(ControlFailure) {
                while let items = try stream.next() {
                    guard try take(items, stream.connection) else { return }
                    guard !hasEnded(awaiting: stream.awaited, until: stream.hasMore ? 0 : nil) else { return }
                }
            } catch {
                // A daemon that is being restarted may hang up at any time; what it refuses it refuses for good.
                if case .refused = error { throw error }
            }
            guard !console.isClosed else { return }
            lose()
            console.complain("runnerctl: The daemon has gone; this waits until it is back.")
            guard let connection = reconnect() else { return }
            console.complain("runnerctl: The daemon is back.")
            stream.goOn(with: connection)
        }
    }

    // MARK: - Private

    private var console: any Console { surroundings.console }

    /// Waits for more; `true` when nobody wants it.
    private func hasEnded(awaiting: BlockingIO.Awaited?, until deadline: Int64? = nil) -> Bool {
        if console.isClosed { return true }
        let ends: [BlockingIO.Awaited?] = [end.map { .input($0.raw) }, console.descriptor.map { .hangUp($0) }]
        let others = ends.compactMap(\.self)
        guard let ready = BlockingIO.wait(forAnyOf: others + [awaiting].compactMap(\.self), until: deadline) else {
            return false
        }
        return ready < others.count
    }

    /// Waits until there is a daemon again; nil when it is waited for no more.
    private func reconnect() -> ControlConnection? {
        var pause = surroundings.reconnectIntervals.lowerBound
        while true {
            if hasEnded(awaiting: nil, until: SystemClock.milliseconds(.awake) + pause) { return nil }
            if let connection = try? connect() { return connection }
            pause = min(pause * 2, surroundings.reconnectIntervals.upperBound)
        }
    }
}
