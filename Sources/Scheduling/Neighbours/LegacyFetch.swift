/// What a fetch has found.
package enum FetchResult: String, Hashable, Sendable, CaseIterable {
    case newData
    case noData
    case failed
}

/// The legacy fetch call of one app: the device calls it in windows, the more often the more it finds.
///
/// A neighbour of the scheduler: a value beside it that reads no clock.
package struct LegacyFetch: Hashable, Sendable {
    /// The shortest time that the app asks for between two fetches.
    package let minimumInterval: Duration
    /// The longest that feedback makes of it. Ours: a day.
    package var longestInterval: Duration = .hours(24)
    /// What the interval is multiplied by when there was nothing. Ours: as fast as it is brought back by `newData`.
    package var lengthening = 2
    /// The time to wait after the last fetch, by what fetches have found.
    package private(set) var interval: Duration
    private var lastFetch: Moment?
    private var isForceQuit = false
    private var isDisabled = false

    package init(minimumInterval: Duration) {
        self.minimumInterval = max(minimumInterval, .minutes(1))
        interval = self.minimumInterval
    }

    /// Whether a grant at this moment calls the app; it has to answer with `fetched`.
    package mutating func granted(at now: Moment) -> Bool {
        guard !isForceQuit, !isDisabled else { return false }
        if let lastFetch, lastFetch.boot.advanced(by: interval) > now.boot { return false }
        lastFetch = now
        return true
    }

    /// The app says what it found: new data shortens the time to the next fetch, nothing or a failure lengthens it.
    package mutating func fetched(_ result: FetchResult) {
        switch result {
        case .newData: interval = max(minimumInterval, interval / lengthening)
        case .noData, .failed: interval = min(longestInterval, interval * lengthening)
        }
    }

    package mutating func opened() {
        isForceQuit = false
    }

    package mutating func forceQuit() {
        isForceQuit = true
    }

    package mutating func switched(on: Bool) {
        isDisabled = !on
    }

    /// The device has booted; the time since the last fetch goes on.
    package mutating func rebooted(at now: Moment) {
        lastFetch = lastFetch?.rebased(to: now)
    }
}
