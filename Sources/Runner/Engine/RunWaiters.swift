import Scheduling

/// Who waits for the end of a run, or until a time.
struct RunWaiters {
    /// How a wait ended.
    enum Outcome {
        case ended(RunRecord)
        case timedOut
    }

    struct Waiter {
        var run: RunIdentifier
        var deadline: BootTime?
        var answer: (Outcome) -> Void
    }

    private var waiters: [UInt64: Waiter] = [:]
    private var byRun: [RunIdentifier: [UInt64]] = [:]
    private var nextNumber: UInt64 = 1
    private(set) var deadline: BootTime?

    var count: Int { waiters.count }

    /// Adds a waiter; the number takes it out again.
    mutating func add(_ waiter: Waiter) -> UInt64 {
        let number = nextNumber
        nextNumber += 1
        waiters[number] = waiter
        byRun[waiter.run, default: []].append(number)
        if let new = waiter.deadline { deadline = min(deadline ?? new, new) }
        return number
    }

    mutating func remove(_ number: UInt64) {
        guard let waiter = waiters.removeValue(forKey: number) else { return }
        byRun[waiter.run]?.removeAll { $0 == number }
        if byRun[waiter.run]?.isEmpty == true { byRun[waiter.run] = nil }
        if waiter.deadline != nil, waiter.deadline == deadline { findDeadline() }
    }

    /// Takes out everybody who waits for the run.
    mutating func ended(_ run: RunIdentifier) -> [Waiter] {
        let numbers = byRun.removeValue(forKey: run) ?? []
        let ended = numbers.compactMap { waiters.removeValue(forKey: $0) }
        if ended.contains(where: { $0.deadline != nil && $0.deadline == deadline }) { findDeadline() }
        return ended
    }

    /// Takes out everybody whose time is over.
    mutating func timedOut(at now: BootTime) -> [Waiter] {
        guard let deadline, deadline <= now else { return [] }
        let numbers = waiters.filter { $0.value.deadline.map { $0 <= now } ?? false }.keys.sorted()
        let waiting = numbers.compactMap { waiters[$0] }
        for number in numbers { remove(number) }
        findDeadline()
        return waiting
    }

    private mutating func findDeadline() {
        deadline = waiters.values.lazy.compactMap(\.deadline).min()
    }
}
