/// The discretionary transfers of one app: they wait for external power and an unmetered network, and go one by one.
///
/// A neighbour of the scheduler: a value beside it that reads no clock. What was moved stays moved when a condition goes.
package struct DiscretionaryTransfers: Hashable, Sendable {
    /// What happens to a transfer, by its number.
    package enum Outcome: Hashable, Sendable {
        case started(Int64)
        case paused(Int64)
        /// Its app is woken to take what came.
        case ended(Int64)
    }

    private struct Transfer: Hashable, Sendable {
        var number: Int64
        var left: Duration
    }

    private var queue: [Transfer] = []
    private var number: Int64 = 0
    /// Since when the first of the queue goes.
    private var runningSince: BootTime?
    private var hasPower = false
    private var isUnmetered = false

    package init() {}

    /// When the one that goes will have ended; `nil` when none goes.
    package var deadline: BootTime? {
        guard let runningSince, let first = queue.first else { return nil }
        return runningSince.advanced(by: first.left)
    }

    /// The app asks for a transfer that takes so long; returns its number.
    package mutating func asked(takes time: Duration, at now: Moment) -> (number: Int64, outcomes: [Outcome]) {
        number += 1
        queue.append(Transfer(number: number, left: max(time, .milliseconds(1))))
        return (number, passed(at: now))
    }

    /// The conditions of the device changed.
    package mutating func changed(hasPower: Bool, network: NetworkState, at now: Moment) -> [Outcome] {
        var outcomes = passed(at: now)
        self.hasPower = hasPower
        isUnmetered = network == .unmetered
        if !canGo, let since = runningSince, let first = queue.first {
            queue[0].left = max(.milliseconds(1), first.left - since.duration(to: now.boot))
            runningSince = nil
            outcomes.append(.paused(first.number))
        }
        return outcomes + passed(at: now)
    }

    /// Time has passed.
    package mutating func passed(at now: Moment) -> [Outcome] {
        var outcomes: [Outcome] = []
        while let first = queue.first {
            guard let since = runningSince else {
                guard canGo else { break }
                runningSince = now.boot
                outcomes.append(.started(first.number))
                continue
            }
            let end = since.advanced(by: first.left)
            guard end <= now.boot else { break }
            queue.removeFirst()
            outcomes.append(.ended(first.number))
            runningSince = nil
        }
        return outcomes
    }

    /// The device is turned off: what was moved stays moved, and the rest goes on when its conditions are told again.
    package mutating func turnedOff(at now: Moment) -> [Outcome] {
        changed(hasPower: false, network: .none, at: now)
    }

    private var canGo: Bool { hasPower && isUnmetered }
}
