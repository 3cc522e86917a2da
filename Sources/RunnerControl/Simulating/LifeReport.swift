import Arguments
import RPC
import Scheduling
import Simulation

/// One life of a scenario for people: what was asked, what was granted and what held it, device by device.
struct LifeReport {
    let life: Life
    /// The columns of the terminal; `nil` where lines may have any length.
    var width: Int?

    /// With more requests than this a device's are counted by task instead of listed.
    static let mostRequests = 100
    /// The same of pushes, fetches and the like.
    static let mostEntries = 50

    func text(_ style: Style) -> String {
        life.reports.map { text($0, style) }.joined(separator: "\n")
    }

    /// The first line of a scenario's devices: which days with which seed.
    static func heading(_ report: DeviceReport, _ style: Style) -> String {
        let offset = Int64(report.utcOffsetSeconds) * 1_000
        let days = (report.end.milliseconds - report.start.milliseconds + 43_200_000) / 86_400_000
        let date = RFC3339.format(report.start.milliseconds + offset).prefix(10)
        let length = days == 1 ? "one day" : "\(days) days"
        let title = style.paint(Printable.text("\(report.lane.name) (\(report.lane.policy))"), .bold)
        return "\(title): \(length) from \(date) on, seed \(report.seed)\n"
    }

    // MARK: Parts

    private var clock: LifeClock { life.clock }

    private func text(_ report: DeviceReport, _ style: Style) -> String {
        var text = Self.heading(report, style) + "\n"
        let requests = report.requests
        if requests.isEmpty {
            text += "Nothing was asked.\n"
        } else if requests.count <= Self.mostRequests {
            text += list(requests, style)
        } else {
            text += "\(requests.count) requests; --json lists them all.\n" + counts(report, style)
        }
        text += neighbours(report, style)
        text += wakes(report)
        text += diagnostics(report, style)
        for problem in report.problems {
            text += style.paint("The scheduler broke a rule: ", .red) + Printable.text(problem) + "\n"
        }
        return text
    }

    private func list(_ requests: [(task: TaskLane, request: ChartRequest)], _ style: Style) -> String {
        var columns: [TextTable.Column] = [
            .init("TASK"), .init("ASKED"), .init("FLOOR"), .init("GRANTED"), .init("WAITED", numeric: true),
        ]
        var narrow = TextTable(columns)
        columns += [.init("HELD BY"), .init("RESULT")]
        var wide = TextTable(columns)
        var notes: [String] = []
        for (task, request) in requests {
            let words = RequestWords(request: request, clock: clock)
            let cells: [TextTable.Cell] = [
                .init(Printable.text(task.identifier)), .init(clock.text(request.submittedAt)),
                .init(clock.text(request.floor)), .init(words.granted, words.color),
                .init(words.waited.map { DurationText.nearest($0) } ?? ""),
            ]
            narrow.add(cells)
            wide.add(cells + [.init(words.late), .init(words.result)])
            notes.append([words.late, words.result].filter { !$0.isEmpty }.joined(separator: "; "))
        }
        guard let width, wide.width > width else { return wide.text(style) }
        // What has no room beside a request stands below it.
        var text = ""
        for (number, line) in narrow.text(style).split(separator: "\n").enumerated() {
            text += line + "\n"
            guard number > 0 else { continue }
            for line in TextWrapping.wrap(notes[number - 1], indent: 4, width: width) {
                text += style.paint(line, .dim) + "\n"
            }
        }
        return text
    }

    private func counts(_ report: DeviceReport, _ style: Style) -> String {
        var table = TextTable([
            .init("TASK"), .init("ASKED", numeric: true), .init("GRANTED", numeric: true), .init("FIRST"),
            .init("FAILED", numeric: true), .init("MEAN WAIT", numeric: true), .init("LONGEST WAIT", numeric: true),
            .init("HELD MOST BY"),
        ])
        for lane in report.lane.tasks {
            let tally = LaneTally(lane, clock: clock)
            table.add([
                .init(Printable.text(lane.identifier)), .init("\(tally.asked)"), .init("\(tally.granted)"),
                .init(clock.text(tally.first)), .init(tally.failed == 0 ? "" : "\(tally.failed)", .red),
                .init(DurationText.nearest(tally.meanWait)), .init(DurationText.nearest(tally.longestWait)),
                .init(tally.gates),
            ])
        }
        return table.text(style)
    }

    private func neighbours(_ report: DeviceReport, _ style: Style) -> String {
        var text = ""
        func add(_ title: String, _ columns: [String], _ rows: [[String]]) {
            guard !rows.isEmpty else { return }
            var table = TextTable(columns.map { .init($0) })
            for row in rows.prefix(Self.mostEntries) { table.add(row.map { .init(Printable.text($0)) }) }
            text += "\n" + style.paint(title, .bold) + "\n" + table.text(style)
            let rest = rows.count - Self.mostEntries
            if rest > 0 { text += "and \(rest) more; --json lists them all.\n" }
        }
        add(
            "Silent pushes", ["APP", "SENT", "FATE"],
            report.pushes.map { [$0.app.text, clock.text($0.sentAt), Self.words($0.fate, clock)] })
        add(
            "Legacy fetches", ["APP", "AT", "RESULT", "NEXT AFTER"],
            report.fetches.map {
                [
                    $0.app.text, clock.text($0.at), $0.result.rawValue,
                    DurationText.nearest($0.nextInterval.wholeMilliseconds),
                ]
            })
        add(
            "Discretionary transfers", ["APP", "ASKED", "STARTED", "ENDED"],
            report.transfers.map {
                [
                    $0.app.text, clock.text($0.askedAt), $0.startedAt.map { clock.text($0) } ?? "still waits",
                    clock.text($0.endedAt),
                ]
            })
        add(
            "Content brought up to date", ["APP", "AT", "BY"],
            report.syncs.map { [$0.app.text, clock.text($0.at), $0.cause.rawValue] })
        return text
    }

    static func words(_ fate: PushReport.Fate, _ clock: LifeClock) -> String {
        switch fate {
        case .held: "still held"
        case .delivered(let at): "delivered \(clock.text(at))"
        case .superseded(let at): "superseded \(clock.text(at))"
        case .discarded(let at, let reason): "discarded \(clock.text(at)), \(reason)"
        }
    }

    private func wakes(_ report: DeviceReport) -> String {
        guard !report.wakes.isEmpty else { return "\nNo app was woken.\n" }
        var causes: [String] = []
        for cause in WakeReport.Cause.allCases {
            let count = report.wakes.count { $0.causes.contains(cause) }
            if count > 0 { causes.append("\(count) for a \(cause.rawValue)") }
        }
        let count = report.wakes.count
        let days = max(1, (report.end.milliseconds - report.start.milliseconds + 43_200_000) / 86_400_000)
        let tenths = (Int64(count) * 10 + days / 2) / days
        return "\n"
            + wrapped(
                "Apps were woken \(count == 1 ? "once" : "\(count) times"), \(tenths / 10).\(tenths % 10) times a day: "
                    + "\(causes.joined(separator: ", ")).")
    }

    /// A line, or several where the terminal is too narrow.
    private func wrapped(_ line: String) -> String {
        guard let width, line.count > width else { return line + "\n" }
        return TextWrapping.wrap(line, indent: 0, hanging: 4, width: width).map { $0 + "\n" }.joined()
    }

    /// What the scheduler said, once for each kind and task.
    private func diagnostics(_ report: DeviceReport, _ style: Style) -> String {
        var seen: [String: Int] = [:]
        var firsts: [(key: String, diagnostic: Diagnostic)] = []
        for diagnostic in report.diagnostics where diagnostic.at >= report.start {
            let key = "\(diagnostic.name.rawValue) \(diagnostic.identifier?.text ?? "")"
            seen[key, default: 0] += 1
            if seen[key] == 1 { firsts.append((key, diagnostic)) }
        }
        guard !firsts.isEmpty else { return "" }
        var text = "\n" + style.paint("The scheduler said", .bold) + "\n"
        for (key, diagnostic) in firsts.prefix(Self.mostEntries) {
            let times = seen[key, default: 1]
            let subject = diagnostic.identifier?.text ?? diagnostic.app?.text
            var line = "\(clock.text(diagnostic.at))  \(subject.map { "\($0): " } ?? "")\(diagnostic.name.rawValue). "
            line += Printable.text(diagnostic.message) + (times > 1 ? " (\(times) times)" : "")
            text += wrapped(line)
        }
        return text
    }
}
