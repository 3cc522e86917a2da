package import Scheduling

/// The shapes of gates, diagnostics, findings and explanations on the control socket.
extension JSONWriter {
    package mutating func value(_ gate: Gate) {
        beginObject()
        member("gate", gate.gate.rawValue)
        member("verdict", gate.verdict.rawValue)
        member("since", date: gate.since?.milliseconds)
        member("opensAt", date: gate.opensAt?.milliseconds)
        member("source", gate.source)
        member("detail", gate.detail)
        endObject()
    }

    /// - Parameter count: how many of its name there were, where only the latest is shown.
    package mutating func value(_ diagnostic: Diagnostic, count: Int? = nil) {
        beginObject()
        member("name", diagnostic.name.rawValue)
        member("severity", diagnostic.severity.rawValue)
        member("at", date: diagnostic.at.milliseconds)
        member("identifier", diagnostic.identifier?.text)
        member("app", diagnostic.app?.text)
        member("message", diagnostic.message)
        member("expected", diagnostic.expected)
        member("fix", diagnostic.fix)
        member("count", count)
        endObject()
    }

    package mutating func member(_ name: StaticString, _ diagnostics: [Diagnostic]) {
        key(name)
        beginArray()
        for diagnostic in diagnostics { value(diagnostic) }
        endArray()
    }

    package mutating func value(_ finding: Finding) {
        beginObject()
        member("severity", finding.severity.rawValue)
        member("name", finding.name)
        member("app", finding.app?.text)
        member("identifier", finding.identifier?.text)
        member("message", finding.message)
        member("fix", finding.fix)
        endObject()
    }

    package mutating func member(_ name: StaticString, _ findings: [Finding]) {
        key(name)
        beginArray()
        for finding in findings { value(finding) }
        endArray()
    }

    /// An explanation; `lastRun` is the newest ended run of the task, which only the store knows.
    package mutating func value(
        _ explanation: Explanation, lastRun: RunRecord? = nil, remaining: Duration? = nil
    ) {
        beginObject()
        member("identifier", explanation.identifier.text)
        member("status", explanation.status.rawValue)
        member("summary", explanation.summary)
        key("gates")
        beginArray()
        for gate in explanation.gates { value(gate) }
        endArray()
        member("pending", explanation.pending)
        member("running", explanation.running, remaining: remaining)
        member("lastRun", lastRun)
        key("diagnostics")
        beginArray()
        for diagnostic in explanation.diagnostics {
            value(diagnostic, count: explanation.diagnosticCounts[diagnostic.name])
        }
        endArray()
        endObject()
    }
}
