import RPC
import Scheduling
import Simulation

/// What tasks got in many lives: when first, how often, and how likely by a time of the day.
struct ChanceReport {
    let chances: Chances

    func text(_ style: Style) -> String {
        var text = chances.heading + ".\n"
        for device in chances.statistics.devices {
            text += "\n" + style.paint(Printable.text("\(device.name) (\(device.policy))"), .bold) + "\n"
            text += device.tasks.isEmpty ? "There are no tasks.\n" : table(device).text(style)
            if let wakes = Distribution(device.wakes) {
                text += "Wakes: \(wakes.median) in the median, \(wakes.least) to \(wakes.most)"
                text += " (\(perDay(wakes.median)) a day).\n"
            }
        }
        text += "\nEARLIEST to LATEST are the first run of each life, NEVER the lives without one; "
        text += "BEFORE \(chances.before) is the share of days on which the task had run by then.\n"
        return text + chances.problems(style)
    }

    var json: String {
        var writer = JSONWriter()
        writer.object { writer in chances.write(into: &writer) }
        writer.endLine()
        return String(decoding: writer.bytes, as: UTF8.self)
    }

    // MARK: Private

    private func table(_ device: DeviceStatistics) -> TextTable {
        var table = TextTable([
            .init("TASK"), .init("EARLIEST"), .init("25%"), .init("50%"), .init("75%"), .init("LATEST"),
            .init("NEVER", numeric: true), .init("BEFORE \(chances.before)", numeric: true),
            .init("RUNS", numeric: true), .init("A DAY", numeric: true),
        ])
        let clock = chances.clock
        for task in device.tasks {
            let first = Distribution(task.firstGrants)
            let runs = Distribution(task.grants)
            let lives = Double(max(1, chances.statistics.lives))
            table.add([
                .init(Printable.text(task.identifier)), .init(first.map { clock.text($0.least) } ?? ""),
                .init(first.map { clock.text($0.lowerQuartile) } ?? ""),
                .init(first.map { clock.text($0.median) } ?? ""),
                .init(first.map { clock.text($0.upperQuartile) } ?? ""), .init(first.map { clock.text($0.most) } ?? ""),
                .init(task.never == 0 ? "" : Chances.percent(Double(task.never) / lives), .yellow),
                .init(Chances.percent(task.chanceInTime)),
                .init(
                    runs.map { $0.least == $0.most ? "\($0.median)" : "\($0.median) (\($0.least) to \($0.most))" } ?? ""
                ),
                .init(runs.map { perDay($0.median) } ?? ""),
            ])
        }
        return table
    }

    private func perDay(_ count: Int) -> String {
        let days = max(1, chances.statistics.days)
        let tenths = (count * 10 + days / 2) / days
        return "\(tenths / 10).\(tenths % 10)"
    }
}
