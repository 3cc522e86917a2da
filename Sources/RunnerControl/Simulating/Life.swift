import Scheduling
import Simulation

/// The days of a scenario, lived once.
struct Life {
    let scenario: Scenario
    let seed: UInt64
    let reports: [DeviceReport]

    init(_ scenario: Scenario, seed: UInt64, days: Int?) {
        self.scenario = scenario
        self.seed = seed
        reports = VirtualDay.live(scenario, seed: seed, days: days)
    }

    /// Whether the scheduler broke a rule of its own.
    var hasProblems: Bool { reports.contains { !$0.problems.isEmpty } }

    /// Times as the device's clock shows them.
    var clock: LifeClock { LifeClock(start: scenario.start) }

    /// The picture of one life, or of two above each other.
    static func chart(_ lives: [Life]) -> DayChart {
        let reports = lives.flatMap(\.reports)
        let start = reports.map(\.start).min() ?? WallTime(milliseconds: 0)
        let names = lives.map(\.scenario.name)
        let seeds = Set(lives.map(\.seed))
        var chart = DayChart(
            title: names.joined(separator: " and "),
            subtitle: seeds.count == 1
                ? "seed \(lives[0].seed)" : "seeds \(lives.map { "\($0.seed)" }.joined(separator: " and "))",
            start: start, end: reports.map(\.end).max() ?? start,
            utcOffsetSeconds: reports.first?.utcOffsetSeconds ?? 0)
        for life in lives {
            for report in life.reports {
                var lane = report.lane
                if lives.count > 1 { lane.name = "\(life.scenario.name): \(lane.name)" }
                chart.devices.append(lane)
            }
        }
        return chart
    }
}

/// Times of a life as its devices' clocks show them: `14:20` on the first day, `day 2 00:30` on the next.
struct LifeClock {
    /// Midnight of the first day.
    let start: WallTime

    private static let day: Int64 = 86_400_000

    func text(_ time: WallTime) -> String {
        text(start.duration(to: time))
    }

    /// A time since the beginning.
    func text(_ time: Duration) -> String {
        let milliseconds = time.wholeMilliseconds
        let day = (milliseconds - (milliseconds < 0 ? Self.day - 1 : 0)) / Self.day
        // What happened within a second is one time for people.
        let inDay = (milliseconds - day * Self.day) / 1_000 * 1_000
        let clock = ScenarioTime.text(timeOfDay: .milliseconds(inDay))
        return day == 0 ? clock : "day \(day + 1) \(clock)"
    }

    /// The text of a time that may not be there.
    func text(_ time: WallTime?) -> String { time.map { text($0) } ?? "" }
}
