import Scheduling

/// What goes wrong, and what must be so whatever goes wrong.
extension VirtualDevice {
    /// In so many of a hundred cases.
    mutating func happens(_ percent: Int) -> Bool {
        percent > 0 && !isCalm && faultRandom.chance(percent)
    }

    /// Where the runner dies in what an event leads to; `nil` when it does not.
    mutating func crashPoint(_ effects: [Effect]) -> CrashPoint? {
        guard faultRandom.below(10_000) < faults.crashes else { return nil }
        return CrashPoint(isCommitted: faultRandom.chance(50), effects: faultRandom.below(effects.count + 1))
    }

    /// The runner dies: what was committed is all that is left of it, and what it started dies with it.
    mutating func crash(_ effects: [Effect], at point: CrashPoint) {
        recorder?.mark(.crash, clock.now)
        crashCount += 1
        if point.isCommitted {
            shadow?.judge(effects)
            for effect in effects { if case .persist = effect { shadow?.see(effect, at: clock.now) } }
            for effect in effects.prefix(point.effects) {
                // A handler that was started, and dies before anybody knows that it was entered.
                if case .launch(let order) = effect { shadow?.see(.launch(order), at: clock.now) }
            }
            for case .publish(.gateChanged(let change)) in effects
            where change.gate == .window && change.verdict == .open {
                gates?.windowOpened(until: scheduler.openWindow(at: clock.now), at: clock.now)
            }
        }
        start(.crash)
    }

    /// Tells the runner what a person does; whoever gets no answer, since it dies of that, does it again.
    mutating func tell(_ event: (CallIdentifier) -> Event) {
        var crashes: Int
        repeat {
            crashes = crashCount
            feed(event(nextCall()))
        } while crashCount > crashes
    }

    /// What was stored as pending is pending again, or runs.
    func lostRequests() -> [String] {
        guard let shadow else { return [] }
        return shadow.requests.values.filter { scheduler.pending($0.identifier)?.submission != $0.submission }
            .map { "the request of \($0.identifier) is stored and not pending" }.sorted()
    }
}
