import Scheduling

/// One task in many lives.
package struct TaskStatistics: Hashable, Sendable {
    package let app: String
    package let identifier: String
    package let kind: String
    /// When the first run of each life began that had one, since the beginning of the first day.
    package private(set) var firstGrants: [Duration] = []
    /// Lives without a run.
    package private(set) var never = 0
    /// The runs of each life.
    package private(set) var grants: [Int] = []
    /// Days, of all lives together, on which a run began before the time that was asked for.
    package private(set) var daysInTime = 0
    package private(set) var days = 0

    init(_ lane: TaskLane) {
        app = lane.app
        identifier = lane.identifier
        kind = lane.kind
    }

    /// The share of days on which the task had run in time.
    package var chanceInTime: Double { days == 0 ? 0 : Double(daysInTime) / Double(days) }

    mutating func add(_ lane: TaskLane, start: WallTime, days: Int, before: Duration) {
        let times = lane.grants.map { start.duration(to: $0.startedAt) }.filter { $0 >= .zero }
        grants.append(times.count)
        if let first = times.min() { firstGrants.append(first) } else { never += 1 }
        let day = Duration.days(1).wholeMilliseconds
        let inTime = times.lazy.map { $0.wholeMilliseconds.quotientAndRemainder(dividingBy: day) }
            .filter { $0.remainder < before.wholeMilliseconds && $0.quotient < Int64(days) }
        daysInTime += Set(inTime.map { $0.quotient }).count
        self.days += days
    }
}

extension TaskLane {
    /// The runs that its requests became.
    package var grants: [ChartRun] {
        requests.compactMap { if case .granted(let run) = $0.outcome { run } else { nil } }
    }
}
