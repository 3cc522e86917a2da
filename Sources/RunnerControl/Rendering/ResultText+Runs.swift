import RPC

/// Runs.
extension ResultText {
    func running(_ result: JSONValue) -> String {
        let runs = result.elements("runs")
        guard !runs.isEmpty else { return "Nothing runs.\n" }
        var table = TextTable([
            .init("RUN", numeric: true), .init("IDENTIFIER"), .init("STATE"), .init("ORIGIN"), .init("STARTED"),
            .init("REMAINING", numeric: true), .init("PROGRESS"),
        ])
        for run in runs {
            table.add([
                .init(run.number("run")), .init(run.text("identifier")), state(run), .init(run.text("origin")),
                .init(when(run, "startedAt")), .init(duration(run, "remainingSeconds")), .init(progress(run)),
            ])
        }
        return table.text(style)
    }

    func history(_ result: JSONValue) -> String {
        let runs = result.elements("runs")
        guard !runs.isEmpty else { return "There are no such runs.\n" }
        var table = TextTable([
            .init("RUN", numeric: true), .init("IDENTIFIER"), .init("STATE"), .init("ORIGIN"), .init("STARTED"),
            .init("TOOK", numeric: true), .init("WAITED", numeric: true), .init("REASON"), .init("MESSAGE"),
        ])
        for run in runs {
            table.add([
                .init(run.number("run")), .init(run.text("identifier")), state(run), .init(run.text("origin")),
                .init(when(run, "startedAt")), .init(took(run)), .init(duration(run, "waitedSeconds")),
                .init(run.text("expirationReason")), .init(run.text("message")),
            ])
        }
        return table.text(style) + more(result, "--before")
    }

    /// A run that goes on, or is over already.
    func begun(_ result: JSONValue) -> String {
        guard let run = result["run"] else { return "" }
        if StateWords.isEnded(run.text("state")) { return end(of: run) }
        return "Run \(describe(run: run)); follow it with runnerctl wait \(run.number("run")).\n"
    }

    /// How a run ended.
    func end(of run: JSONValue) -> String {
        let text =
            style.paint("Run \(describe(run: run, withDistance: false)).", StateWords.color(run.text("state"))) + "\n"
        return text + diagnostics(run.elements("diagnostics"), indent: "  ")
    }

    /// Everything of one run.
    func run(_ result: JSONValue) -> String {
        guard let run = result["run"] else { return "" }
        return PropertyList(style: style, now: now).text(run, without: ["diagnostics"])
            + diagnostics(run.elements("diagnostics"), indent: "")
    }

    /// One run in a line: `12 of com.example.refresh succeeded after 1.2s (simulated)`.
    func describe(run: JSONValue, withDistance: Bool = true) -> String {
        let state = run.text("state")
        var text = "\(run.number("run")) of \(run.text("identifier")) "
        text += StateWords.isEnded(state) ? StateWords.verb(state) : "is \(state)"
        let took = took(run)
        if StateWords.isEnded(state) {
            if !took.isEmpty { text += " after \(took)" }
            if withDistance, let ended = run.date("endedAt") { text += ", \(DateText.distance(ended, now: now))" }
        } else if let started = run.date("startedAt"), now - started >= 1_000 {
            text += " for \(DurationText.rounded(now - started))"
        }
        let notes = [
            run.text("origin") == "simulated" ? "simulated" : "", run.text("expirationReason"), run.text("message"),
            exit(run),
        ]
        // A failed command's message names its exit status already.
        let shown = notes.enumerated().filter { !$0.element.isEmpty && !notes[..<$0.offset].contains($0.element) }
        return shown.isEmpty ? text : text + " (\(shown.map(\.element).joined(separator: ", ")))"
    }

    func diagnostics(_ diagnostics: [JSONValue], indent: String) -> String {
        var text = ""
        for diagnostic in diagnostics {
            let severity = diagnostic.text("severity")
            text += indent + style.paint(severity, color(ofSeverity: severity))
            let count = diagnostic["count"]?.integer ?? 1
            let times = count > 1 ? " (\(count) times, last \(when(diagnostic, "at")))" : ""
            text += " \(diagnostic.text("name"))\(times): \(diagnostic.text("message"))\n"
            let fix = diagnostic.text("fix")
            if !fix.isEmpty { text += "\(indent)  fix: \(fix)\n" }
        }
        return text
    }

    // MARK: Private

    private func state(_ run: JSONValue) -> TextTable.Cell {
        .init(run.text("state"), StateWords.color(run.text("state")))
    }

    private func took(_ run: JSONValue) -> String {
        guard let started = run.date("startedAt"), let ended = run.date("endedAt") else { return "" }
        return DurationText.short(max(0, ended - started))
    }

    private func exit(_ run: JSONValue) -> String {
        guard let exit = run["exit"] else { return "" }
        if let signal = exit["signal"]?.integer { return "signal \(signal)" }
        let code = exit["code"]?.integer ?? 0
        return code == 0 ? "" : "exit status \(code)"
    }

    private func progress(_ run: JSONValue) -> String {
        guard let progress = run["progress"], let fraction = progress["fraction"]?.number else { return "" }
        let percent = "\(Int((min(max(fraction, 0), 1) * 100).rounded(.down)))%"
        return [percent, progress.text("title"), progress.text("subtitle")].filter { !$0.isEmpty }
            .joined(separator: " ")
    }
}
