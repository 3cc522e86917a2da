package import Scheduling

/// One device in many lives.
package struct DeviceStatistics: Hashable, Sendable {
    /// Broken rules that are kept; all are counted.
    private static let keptProblems = 5

    package let name: String
    package let policy: String
    package let start: WallTime
    package private(set) var tasks: [TaskStatistics]
    /// The wakes of each life.
    package private(set) var wakes: [Int] = []
    package private(set) var problemCount = 0
    /// The first rules that were broken, with the seed that shows it.
    package private(set) var problems: [SeedProblem] = []

    init(_ report: DeviceReport) {
        name = report.lane.name
        policy = report.lane.policy
        start = report.start
        tasks = report.lane.tasks.map { TaskStatistics($0) }
    }

    mutating func add(_ report: DeviceReport, days: Int, before: Duration) {
        wakes.append(report.wakes.count)
        for (position, lane) in report.lane.tasks.enumerated() {
            tasks[position].add(lane, start: report.start, days: days, before: before)
        }
        problemCount += report.problems.count
        for text in report.problems.prefix(Self.keptProblems - problems.count) {
            problems.append(SeedProblem(seed: report.seed, text: text))
        }
    }
}

/// A rule that was broken, and the seed that shows it again.
package struct SeedProblem: Hashable, Sendable {
    package let seed: UInt64
    package let text: String
}
