import RPC

/// The daemon, its apps and the device.
extension ResultText {
    func apps(_ result: JSONValue) -> String {
        let apps = result.elements("apps")
        guard !apps.isEmpty else { return "There are no apps.\n" }
        var table = TextTable([
            .init("APP"), .init("STATE"), .init("PROCESS", numeric: true), .init("PERMITTED", numeric: true),
            .init("REGISTERED", numeric: true), .init("RESTARTS", numeric: true), .init("BUNDLE"),
        ])
        var notes = ""
        for app in apps {
            let restarts = app["restarts"]?.integer ?? 0
            let state = app.text("state")
            let isHeld = ["quarantined", "paused", "missing"].contains(state)
            table.add([
                .init(app.text("app")), .init(state, isHeld ? .yellow : nil), .init(app.number("process")),
                .init(String(app.elements("permitted").count)), .init(app.number("registered")),
                .init(restarts == 0 ? "" : String(restarts)), .init(app.text("bundle")),
            ])
            notes += note(on: app)
        }
        return table.text(style) + notes
    }

    /// Why an app's process is not there, and the newest diagnostic that says something else.
    private func note(on app: JSONValue) -> String {
        let name = app.text("app")
        let failure = app.text("failure")
        let isQuarantined = app.text("state") == "quarantined"
        var text = ""
        if !failure.isEmpty {
            let state = isQuarantined ? style.paint("quarantined", .red) : style.paint("failed", .yellow)
            text += "\(state) \(name): \(failure).\n"
            if isQuarantined {
                text += "  fix: Repair it; it is tried again when its files change, or after "
                text += "runnerctl app resume \(name).\n"
            } else if let again = app.date("startsAgainAt") {
                let distance = DateText.distance(again, now: now)
                text += "  It is started again when it is needed, \(distance) at the earliest.\n"
            }
        }
        guard let newest = app.elements("diagnostics").last else { return text }
        let isSaid = !failure.isEmpty && ["quarantined", "processFailed"].contains(newest.text("name"))
        return isSaid ? text : text + diagnostics([newest], indent: "")
    }

    func registered(_ result: JSONValue) -> String {
        let identifiers = result.elements("identifiers")
        guard !identifiers.isEmpty else { return "No identifier has a handler.\n" }
        var table = TextTable([
            .init("IDENTIFIER"), .init("KIND"), .init("HANDLER"), .init("PERMITTED BY"), .init("APP"),
        ])
        for entry in identifiers {
            table.add([
                .init(entry.text("identifier")), .init(entry.text("kind")), .init(entry.text("handler")),
                .init(entry.text("permittedBy")), .init(entry.text("app")),
            ])
        }
        return table.text(style)
    }

    func device(_ result: JSONValue) -> String {
        guard let conditions = result["state"]?.members else { return "" }
        var table = TextTable([
            .init("CONDITION"), .init("VALUE"), .init("SINCE"), .init("UNTIL"), .init("SOURCE"),
        ])
        for (name, reading) in conditions {
            let isOverridden = reading.flag("overridden")
            let value = reading["value"].map { plain($0) } ?? "unknown"
            table.add([
                .init(Printable.text(name)), .init(value, isOverridden || value == "unknown" ? .yellow : nil),
                .init(when(reading, "since")), .init(when(reading, "until")), .init(reading.text("source")),
            ])
        }
        return table.text(style)
    }

    func deviceHistory(_ result: JSONValue) -> String {
        let changes = result.elements("changes")
        guard !changes.isEmpty else { return "There are no such changes.\n" }
        var table = TextTable([.init("AT"), .init("CONDITION"), .init("VALUE"), .init("SOURCE")])
        for change in changes {
            let value = change["value"].map { plain($0) } ?? "unknown"
            table.add([
                .init(when(change, "at")), .init(change.text("condition")),
                .init(value, change.flag("overridden") || value == "unknown" ? .yellow : nil),
                .init(change.text("source")),
            ])
        }
        return table.text(style) + more(result, "--before")
    }

    func findings(_ result: JSONValue) -> String {
        let findings = result.elements("findings")
        guard !findings.isEmpty else { return style.paint("Nothing is wrong.", .green) + "\n" }
        var text = ""
        for finding in findings {
            let severity = finding.text("severity")
            let subject = finding.text("identifier").isEmpty ? finding.text("app") : finding.text("identifier")
            text += style.paint(severity, color(ofSeverity: severity)) + " \(finding.text("name"))"
            text += (subject.isEmpty ? "" : " \(subject)") + ": \(finding.text("message"))\n"
            text += "  fix: \(finding.text("fix"))\n"
        }
        return text
    }

    func pause(_ result: JSONValue, _ subject: String?) -> String {
        let what = subject.map { "New runs of \($0)" } ?? "New runs"
        return result.flag("paused") ? "\(what) are held until resume.\n" : "\(what) are not held any more.\n"
    }

    func reload(_ result: JSONValue) -> String {
        let count = result["apps"]?.integer ?? 0
        let text = count == 1 ? "There is 1 app now.\n" : "There are \(count) apps now.\n"
        return text + findings(result)
    }

    func log(_ result: JSONValue) -> String {
        let lines = lines(of: result)
        return lines.isEmpty ? "Nothing was written.\n" : lines + more(result, "--after")
    }

    /// The kept lines of a page.
    func lines(of result: JSONValue) -> String {
        var text = ""
        for line in result.elements("lines") {
            let isError = line.text("stream") == "stderr"
            text += style.paint("\(when(line, "at")) \(line.text("stream"))", .dim) + " "
            text += style.paint(line.text("text"), isError ? .yellow : nil) + "\n"
        }
        return text
    }

    /// A flag as on or off, a level in percent, a word as it is.
    func plain(_ value: JSONValue) -> String {
        if value.isNull { return "unknown" }
        if let flag = value.bool { return flag ? "on" : "off" }
        if let level = value.number { return "\(Int((level * 100).rounded()))%" }
        return value.string.map { Printable.text($0) } ?? ""
    }
}
