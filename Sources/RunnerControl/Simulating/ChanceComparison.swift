import RPC
import Scheduling
import Simulation

/// Two scenarios that were lived many times, side by side.
struct ChanceComparison {
    private let left: Chances
    private let right: Chances

    init(_ left: Chances, _ right: Chances) {
        self.left = left
        self.right = right
    }

    func text(_ style: Style) -> String {
        let titles = Pairing.titles(left.scenario.name, right.scenario.name)
        var text = left.heading + ".\n" + right.heading + ".\n"
        for pair in Pairing.pairs(left.statistics.devices, right.statistics.devices, byPosition: true, name: \.name) {
            guard let device = pair.left ?? pair.right else { continue }
            let names = Set([pair.left?.name, pair.right?.name].compactMap(\.self)).sorted()
            text += "\n" + style.paint(Printable.text(names.joined(separator: " and ")), .bold) + "\n"
            guard let first = pair.left, let second = pair.right else {
                text +=
                    "Only \(pair.left == nil ? titles.right : titles.left) has the device \(Printable.text(device.name)).\n"
                continue
            }
            text += table(first, second, titles).text(style)
        }
        return text + left.problems(style) + right.problems(style)
    }

    var json: String {
        var writer = JSONWriter()
        writer.object { writer in
            writer.list("scenarios", [left, right]) { $1.write(into: &$0) }
        }
        writer.endLine()
        return String(decoding: writer.bytes, as: UTF8.self)
    }

    // MARK: Private

    private func table(
        _ left: DeviceStatistics, _ right: DeviceStatistics, _ titles: (left: String, right: String)
    ) -> TextTable {
        var table = TextTable([
            .init("TASK"), .init("IN THE MEDIAN"), .init(titles.left, numeric: true),
            .init(titles.right, numeric: true), .init("DIFFERENCE", numeric: true),
        ])
        for tasks in Pairing.pairs(left.tasks, right.tasks, name: \.identifier) {
            let (first, second) = (tasks.left, tasks.right)
            let name = Printable.text((first ?? second)?.identifier ?? "")
            let runs = (median(first?.grants), median(second?.grants))
            table.add([
                .init(name), "runs", .init(runs.0.map { "\($0)" } ?? ""), .init(runs.1.map { "\($0)" } ?? ""),
                .init(Pairing.difference(runs.0 ?? 0, runs.1 ?? 0), .yellow),
            ])
            let firsts = (firstRun(first, self.left), firstRun(second, self.right))
            table.add([.init(name), "first run", .init(firsts.0), .init(firsts.1), ""])
            let shares = (first?.chanceInTime ?? 0, second?.chanceInTime ?? 0)
            let points = Int((shares.1 * 100).rounded()) - Int((shares.0 * 100).rounded())
            table.add([
                .init(name), .init("run before \(self.left.before)"), .init(Chances.percent(shares.0)),
                .init(Chances.percent(shares.1)),
                .init(points == 0 ? "" : (points > 0 ? "+" : "") + CountedWord.text(points, "point"), .yellow),
            ])
        }
        let wakes = (median(left.wakes), median(right.wakes))
        table.add([
            .init("all"), "wakes", .init(wakes.0.map { "\($0)" } ?? ""), .init(wakes.1.map { "\($0)" } ?? ""),
            .init(Pairing.difference(wakes.0 ?? 0, wakes.1 ?? 0), .yellow),
        ])
        return table
    }

    private func median(_ counts: [Int]?) -> Int? {
        counts.flatMap { Distribution($0)?.median }
    }

    private func firstRun(_ task: TaskStatistics?, _ chances: Chances) -> String {
        guard let task else { return "" }
        return Distribution(task.firstGrants).map { chances.clock.text($0.median) } ?? "never"
    }
}
