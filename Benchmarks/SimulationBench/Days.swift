import Foundation
import Scheduling
import Simulation

/// Devices on which nothing is left to chance, so that only work is measured.
enum MeasuredDay {
    private static let start = WallTime(milliseconds: 1_772_409_600_000)

    /// Apps whose tasks recur, and events that spread over the day.
    static func scenario(apps: Int, tasks: Int, every: Duration, opens: Int = 0, policy: Policy = .prompt) -> Scenario {
        var scenario = Scenario(name: "measured", start: start)
        for app in 0..<apps {
            var content = ScenarioApp(AppIdentifier(checked: "com.example.app\(app)"))
            for number in 0..<tasks {
                var task = ScenarioTask(
                    TaskIdentifier(checked: "com.example.app\(app).task\(number)"), kind: .appRefresh)
                task.every = every
                content.tasks.append(task)
            }
            scenario.apps.append(content)
        }
        for open in 0..<opens {
            scenario.events.append(
                ScenarioEvent(
                    at: .seconds(86_400 / max(1, opens) * open), .open(scenario.apps[open % apps].app)))
        }
        var policy = policy
        policy.limits = .generous
        policy.concurrency = 64
        scenario.devices = [ScenarioDevice(name: "device", policy: policy)]
        return scenario
    }

    struct Outcome: Encodable {
        var days: Int
        var launches: Int
        var events: Int
        var daysPerSecond: Double
        var microsecondsPerLaunch: Double
    }

    /// The fastest of three lives.
    static func measure(_ scenario: Scenario, days: Int) -> Outcome {
        let outcomes = (0..<3).map { _ in
            var device = VirtualDevice(
                scenario, device: scenario.devices[0], seed: 1, days: days, recording: false, watching: false)
            let begun = ContinuousClock.now
            device.live()
            let taken = begun.duration(to: .now) / .seconds(1)
            return Outcome(
                days: days, launches: device.launchCount, events: device.eventCount,
                daysPerSecond: Double(days) / taken,
                microsecondsPerLaunch: taken * 1e6 / Double(max(1, device.launchCount)))
        }
        return outcomes.max { $0.daysPerSecond < $1.daysPerSecond } ?? outcomes[0]
    }
}

struct Figures: Encodable {
    /// 8 tasks, each 12 times a day.
    var small: MeasuredDay.Outcome
    /// 10 apps, 3 tasks each, 100 events a day.
    var device: MeasuredDay.Outcome
    /// By the number of tasks, each once a day.
    var growth: [String: MeasuredDay.Outcome]
}

func printFigures() {
    let growth = [1, 10, 100, 1_000, 10_000].map { tasks in
        (
            String(tasks),
            MeasuredDay.measure(
                MeasuredDay.scenario(apps: max(1, tasks / 100), tasks: min(tasks, 100), every: .hours(24)),
                days: max(3, 20_000 / tasks))
        )
    }
    let figures = Figures(
        small: MeasuredDay.measure(MeasuredDay.scenario(apps: 1, tasks: 8, every: .hours(2)), days: 2_000),
        device: MeasuredDay.measure(
            MeasuredDay.scenario(apps: 10, tasks: 3, every: .hours(6), opens: 100, policy: .apple()), days: 500),
        growth: Dictionary(uniqueKeysWithValues: growth))
    guard let bytes = try? JSONEncoder().encode(figures) else { exit(1) }
    print(String(decoding: bytes, as: UTF8.self))
}
