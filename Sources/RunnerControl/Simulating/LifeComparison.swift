import RPC
import Scheduling
import Simulation

/// Two lives side by side: the requests and pushes that were answered in another way, and the counts.
struct LifeComparison {
    private let left: Life
    private let right: Life

    init(_ left: Life, _ right: Life) {
        self.left = left
        self.right = right
    }

    func text(_ style: Style) -> String {
        pairs.map { pair in
            guard let left = pair.left, let right = pair.right else {
                let (report, life) = pair.left.map { ($0, titles.left) } ?? (pair.right, titles.right)
                return "Only \(life) has the device \(Printable.text(report?.lane.name ?? "")).\n"
            }
            return text(left, right, style)
        }.joined(separator: "\n")
    }

    /// Both lives in full, in one line.
    var json: String {
        var writer = JSONWriter()
        writer.object { writer in
            writer.list("scenarios", [left, right]) { LifeReport.write($1, into: &$0) }
        }
        writer.endLine()
        return String(decoding: writer.bytes, as: UTF8.self)
    }

    // MARK: Private

    /// What became of a request or a push, in words.
    private struct Answer: Equatable {
        var text: String
        var color: Style.Color?
    }

    /// A request or a push of both, or of one of them.
    private struct Row {
        var subject: String
        var asked: Duration
        var left: Answer?
        var right: Answer?
    }

    /// What is compared of a life: answers by subject and time.
    private struct Key: Hashable {
        var subject: String
        var asked: Duration
        /// Of several at the same time.
        var number: Int
    }

    private var titles: (left: String, right: String) { Pairing.titles(left.scenario.name, right.scenario.name) }

    private var pairs: [(left: DeviceReport?, right: DeviceReport?)] {
        Pairing.pairs(left.reports, right.reports, byPosition: true) { $0.lane.name }
    }

    private func text(_ left: DeviceReport, _ right: DeviceReport, _ style: Style) -> String {
        let rows = rows(left, right)
        let different = rows.filter { $0.left != $0.right }
        let name = left.lane.name == right.lane.name ? left.lane.name : "\(left.lane.name) and \(right.lane.name)"
        var text = style.paint(Printable.text(name), .bold) + ": \(titles.left) and \(titles.right); "
        text += different.isEmpty ? "all" : "\(different.count) of"
        text += rows.count == 1 ? " 1 request or push" : " \(rows.count) requests and pushes"
        text += different.isEmpty ? " went the same way.\n" : " went another way.\n"
        if !different.isEmpty, different.count <= LifeReport.mostRequests {
            var table = TextTable([.init("WHAT"), .init("ASKED"), .init(titles.left), .init(titles.right)])
            for row in different {
                table.add([
                    .init(Printable.text(row.subject)), .init(self.left.clock.text(row.asked)), cell(row.left),
                    cell(row.right),
                ])
            }
            text += "\n" + table.text(style)
        } else if !different.isEmpty {
            text += "These are too many to list; --json has them all.\n"
        }
        return text + "\n" + counts(left, right, style)
    }

    private func cell(_ answer: Answer?) -> TextTable.Cell {
        answer.map { .init($0.text, $0.color) } ?? .init("not asked", .dim)
    }

    private func rows(_ left: DeviceReport, _ right: DeviceReport) -> [Row] {
        let lefts = answers(left, self.left.clock)
        let rights = answers(right, self.right.clock)
        return Set(lefts.keys).union(rights.keys)
            .sorted { ($0.asked, $0.subject, $0.number) < ($1.asked, $1.subject, $1.number) }
            .map { Row(subject: $0.subject, asked: $0.asked, left: lefts[$0], right: rights[$0]) }
    }

    private func answers(_ report: DeviceReport, _ clock: LifeClock) -> [Key: Answer] {
        var answers: [Key: Answer] = [:]
        func add(_ subject: String, _ time: WallTime, _ answer: Answer) {
            var key = Key(subject: subject, asked: report.start.duration(to: time), number: 1)
            while answers[key] != nil { key.number += 1 }
            answers[key] = answer
        }
        for (task, request) in report.requests {
            let words = RequestWords(request: request, clock: clock)
            var text = words.granted
            if case .granted(let run) = request.outcome, run.state != "succeeded" { text += " \(run.state)" }
            add(task.identifier, request.submittedAt, Answer(text: text, color: words.color))
        }
        for push in report.pushes {
            add("push of \(push.app)", push.sentAt, Answer(text: LifeReport.words(push.fate, clock)))
        }
        return answers
    }

    private func counts(_ left: DeviceReport, _ right: DeviceReport, _ style: Style) -> String {
        var table = TextTable([
            .init("COUNTED"), .init(titles.left, numeric: true), .init(titles.right, numeric: true),
            .init("DIFFERENCE", numeric: true),
        ])
        func add(_ what: String, _ count: (DeviceReport) -> Int) {
            let (first, second) = (count(left), count(right))
            guard first + second > 0 else { return }
            table.add([
                .init(Printable.text(what)), .init("\(first)"), .init("\(second)"),
                .init(Pairing.difference(first, second), .yellow),
            ])
        }
        for lanes in Pairing.pairs(left.lane.tasks, right.lane.tasks, name: \.identifier) {
            guard let identifier = (lanes.left ?? lanes.right)?.identifier else { continue }
            add("runs of \(identifier)") { $0.lane.tasks.first { $0.identifier == identifier }?.grants.count ?? 0 }
        }
        add("silent pushes delivered") { $0.pushes.count { if case .delivered = $0.fate { true } else { false } } }
        add("legacy fetches") { $0.fetches.count }
        add("discretionary transfers done") { $0.transfers.count { $0.endedAt != nil } }
        add("times content was brought up to date") { $0.syncs.count }
        add("wakes") { $0.wakes.count }
        return table.isEmpty ? "Nothing happened.\n" : table.text(style)
    }
}
