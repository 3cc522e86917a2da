import RPC

/// The counts of a history, for people and for programs.
struct HistoryReport {
    let counts: HistoryCounts
    /// Whether older runs were not looked at.
    let hasMore: Bool

    func text(_ style: Style) -> String {
        guard counts.runs > 0 else { return "There are no such runs.\n" }
        return looked + leftOut + "\n\n" + tasks(style) + "\n" + hours(style)
    }

    /// Hours are those of UTC here.
    var json: String {
        var writer = JSONWriter()
        writer.object { writer in
            writer.member("runs", counts.runs)
            writer.member("more", hasMore)
            writer.member("from", date: counts.oldest)
            writer.member("to", date: counts.newest)
            writer.key("tasks")
            writer.array { writer in
                for (identifier, tally) in sortedTasks {
                    writer.object { writer in
                        writer.member("identifier", identifier)
                        write(tally, into: &writer)
                    }
                }
            }
            writer.key("hours")
            writer.array { writer in
                for (hour, tally) in counts.hours.enumerated() {
                    writer.object { writer in
                        writer.member("hour", hour)
                        write(tally, into: &writer)
                    }
                }
            }
        }
        writer.endLine()
        return String(decoding: writer.bytes, as: UTF8.self)
    }

    // MARK: Private

    private var sortedTasks: [(String, HistoryCounts.Tally)] {
        counts.tasks.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
    }

    private var looked: String {
        var text = counts.runs == 1 ? "Looked at 1 run" : "Looked at \(counts.runs) runs"
        if let oldest = counts.oldest, let newest = counts.newest {
            text += ", from \(DateText.local(oldest)) to \(DateText.local(newest))"
        }
        return text + (hasMore ? "; there are older ones: look at more with --limit." : "; these are all.")
    }

    /// Simulated runs say nothing of how often tasks run, so they are counted apart; none goes without a word.
    private var leftOut: String {
        let (count, failures) = (counts.simulated, counts.simulatedFailures)
        guard count > 0 else { return "" }
        let runs = count == 1 ? "1 simulated run is" : "\(count) simulated runs are"
        let failed = failures == 0 ? "none" : "\(failures)"
        return "\n\(runs) left out of all columns but the one for them; \(failed) of them failed."
    }

    private func tasks(_ style: Style) -> String {
        var table = TextTable([.init("IDENTIFIER")] + Self.columns + [.init("WAITED MOST AT")])
        for (identifier, tally) in sortedTasks {
            table.add([.init(identifier)] + cells(tally) + [.init(Printable.text(tally.slowestGate ?? ""))])
        }
        return table.text(style)
    }

    private func hours(_ style: Style) -> String {
        var table = TextTable([.init("HOUR", numeric: true)] + Self.columns)
        for (hour, tally) in counts.hours.enumerated() where tally.grants + tally.simulated > 0 {
            table.add([.init(hour < 10 ? "0\(hour)" : "\(hour)")] + cells(tally))
        }
        return table.text(style)
    }

    private static let columns: [TextTable.Column] = [
        .init("GRANTS", numeric: true), .init("SUCCEEDED", numeric: true), .init("FAILED", numeric: true),
        .init("WAITED (MEAN)", numeric: true), .init("LONGEST", numeric: true), .init("SIMULATED", numeric: true),
    ]

    private func cells(_ tally: HistoryCounts.Tally) -> [TextTable.Cell] {
        let hasGrants = tally.grants > 0
        return [
            .init(String(tally.grants)), .init(String(tally.succeeded)),
            .init(String(tally.failed), tally.failed > 0 ? .red : nil),
            .init(hasGrants ? DurationText.short(tally.meanWait) : ""),
            .init(hasGrants ? DurationText.short(tally.longestWait) : ""),
            .init(tally.simulated == 0 ? "" : String(tally.simulated)),
        ]
    }

    private func write(_ tally: HistoryCounts.Tally, into writer: inout JSONWriter) {
        writer.member("grants", tally.grants)
        writer.member("succeeded", tally.succeeded)
        writer.member("failed", tally.failed)
        writer.key("failures")
        writer.object { writer in
            for (state, count) in tally.failures.sorted(by: { $0.key < $1.key }) {
                writer.key(dynamic: state)
                writer.integer(count)
            }
        }
        writer.member("waitedSeconds", seconds: tally.waited)
        writer.member("longestWaitSeconds", seconds: tally.longestWait)
        writer.key("waits")
        writer.array { writer in
            for (gate, milliseconds) in tally.gates.sorted(by: { $0.key < $1.key }) {
                writer.object { writer in
                    writer.member("gate", gate)
                    writer.member("seconds", seconds: milliseconds)
                }
            }
        }
        writer.member("simulated", tally.simulated)
        writer.member("simulatedFailures", tally.simulatedFailures)
    }
}
