import RPC
import Scheduling
import Simulation

/// A scenario that was lived many times.
struct Chances {
    let scenario: Scenario
    let firstSeed: UInt64
    let statistics: LifeStatistics

    var clock: LifeClock { LifeClock(start: scenario.start) }

    /// The time that tasks should have run by: `09:00`.
    var before: String { ScenarioTime.text(timeOfDay: statistics.before) }

    var heading: String {
        let days = statistics.days == 1 ? "one day" : "\(statistics.days) days"
        let last = firstSeed &+ UInt64(max(0, statistics.lives - 1))
        let lives =
            statistics.lives == 1
            ? "once with the seed \(firstSeed)" : "\(statistics.lives) times with the seeds \(firstSeed) to \(last)"
        return "\(Printable.text(scenario.name)): \(days), lived \(lives)"
    }

    /// A share in per cent: `43%`; what is not quite nothing or all is not called so.
    static func percent(_ share: Double) -> String {
        let percent = share * 100
        if percent > 0, percent < 1 { return "<1%" }
        if percent > 99, percent < 100 { return ">99%" }
        return "\(Int(percent.rounded()))%"
    }

    /// Broken rules, with the command that shows them again.
    func problems(_ style: Style) -> String {
        var text = ""
        for device in statistics.devices where device.problemCount > 0 {
            text +=
                style.paint(
                    "The scheduler broke \(CountedWord.text(device.problemCount, "rule")) on \(Printable.text(device.name)):",
                    .red)
                + "\n"
            for problem in device.problems {
                text += "  --seed \(problem.seed): \(Printable.text(problem.text))\n"
            }
        }
        return text
    }

    /// The members of an object.
    func write(into writer: inout JSONWriter) {
        writer.member("scenario", scenario.name)
        writer.member("runs", statistics.lives)
        writer.member("firstSeed", Int64(clamping: firstSeed))
        writer.member("days", statistics.days)
        writer.member("before", before)
        writer.list("devices", statistics.devices) { writer, device in
            writer.member("name", device.name)
            writer.member("policy", device.policy)
            writer.key("wakes")
            Self.write(Distribution(device.wakes), into: &writer) { $0.integer($1) }
            writer.list("tasks", device.tasks) { writer, task in
                writer.member("app", task.app)
                writer.member("identifier", task.identifier)
                writer.member("kind", task.kind)
                writer.key("firstGrant")
                Self.write(Distribution(task.firstGrants), into: &writer) {
                    $0.date(milliseconds: device.start.advanced(by: $1).milliseconds)
                }
                writer.member("never", task.never)
                writer.key("grants")
                Self.write(Distribution(task.grants), into: &writer) { $0.integer($1) }
                writer.member("chanceBefore", task.chanceInTime)
            }
            writer.list("problems", device.problems) { writer, problem in
                writer.member("seed", Int64(clamping: problem.seed))
                writer.member("problem", problem.text)
            }
        }
    }

    private static func write<Value>(
        _ distribution: Distribution<Value>?, into writer: inout JSONWriter,
        _ value: (inout JSONWriter, Value) -> Void
    ) {
        guard let distribution else { return writer.null() }
        writer.object { writer in
            let members: [(StaticString, Value)] = [
                ("least", distribution.least), ("lowerQuartile", distribution.lowerQuartile),
                ("median", distribution.median), ("upperQuartile", distribution.upperQuartile),
                ("most", distribution.most),
            ]
            for (name, member) in members {
                writer.key(name)
                value(&writer, member)
            }
        }
    }
}
