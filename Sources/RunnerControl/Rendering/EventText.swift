import RPC

/// An event as a line for people: when, what, about which task or app, and what there is to know of it.
struct EventText {
    private static let typeWidth = 15
    private static let subjectWidth = 32

    let style: Style
    /// Milliseconds since 1970.
    let now: Int64

    func line(of event: JSONValue) -> String {
        let name = event.text("type")
        let type = EventType(rawValue: name)
        let subject = event.text("identifier").isEmpty ? event.text("app") : event.text("identifier")
        let data = event["data"]
        let details = data.map { self.details(of: type, $0) } ?? ""
        let time = event.date("at").map { DateText.local($0) } ?? ""
        var line = style.paint(time, .dim) + "  " + style.paint(name, color(of: type, data))
        if !subject.isEmpty || !details.isEmpty {
            line += blanks(Self.typeWidth - name.count) + "  " + subject
        }
        if !details.isEmpty { line += blanks(Self.subjectWidth - subject.count) + "  " + details }
        return line + "\n"
    }

    // MARK: - Private

    private func blanks(_ count: Int) -> String { String(repeating: " ", count: max(0, count)) }

    private func color(of type: EventType?, _ data: JSONValue?) -> Style.Color? {
        switch type {
        case .ended: data?["run"].flatMap { StateWords.color($0.text("state")) }
        case .diagnostic, .refused, .overflow: .yellow
        case .submitted, .replaced, .kept, .cancelled, .gateChanged, .launched, .progress, .logged, .expiring,
            .appStateChanged, .deviceChanged, .phaseChanged, nil:
            nil
        }
    }

    /// - Parameter type: nil for one that only a newer daemon knows.
    private func details(of type: EventType?, _ data: JSONValue) -> String {
        let text = ResultText(style: Style(isColored: false), now: now)
        switch type {
        case .submitted, .replaced, .kept:
            let request = data["request"].map { text.conditions(of: $0) } ?? ""
            let outcome = data.text("outcome")
            return outcome == type?.rawValue ? request : "\(outcome), \(request)"
        case .cancelled: return data.text("cause")
        case .refused: return data.text("message")
        case .gateChanged:
            let held = data.text("heldBy")
            return "\(data.text("gate")) \(data.text("verdict"))" + (held.isEmpty ? "" : ", held by \(held)")
        case .launched, .expiring, .progress: return data["run"].map { running($0) } ?? ""
        case .ended:
            guard let run = data["run"] else { return "" }
            return [run.text("state"), run.text("expirationReason"), run.text("message")].filter { !$0.isEmpty }
                .reduce("run \(run.number("run"))") { "\($0) \($1)" }
        case .logged: return data["run"] == nil ? "outside of its runs" : "run \(data.number("run"))"
        case .diagnostic: return "\(data.text("severity")) \(data.text("name")): \(data.text("message"))"
        case .appStateChanged: return data.text("state")
        case .deviceChanged:
            let value = data["value"].map { text.plain($0) } ?? ""
            return "\(data.text("condition")) \(value), says \(data.text("source"))"
        case .phaseChanged: return data.text("phase")
        case .overflow, nil: return Printable.text(String(JSONLine.text(data).dropLast()))
        }
    }

    private func running(_ run: JSONValue) -> String {
        var text = "run \(run.number("run")) \(run.text("state"))"
        if run.text("origin") == "simulated" { text += " (simulated)" }
        if !run.text("expirationReason").isEmpty { text += ": \(run.text("expirationReason"))" }
        if let progress = run["progress"], let fraction = progress["fraction"]?.number {
            text += " \(Int((min(max(fraction, 0), 1) * 100).rounded(.down)))%"
            let words = [progress.text("title"), progress.text("subtitle")].filter { !$0.isEmpty }
            if !words.isEmpty { text += " " + words.joined(separator: ": ") }
        }
        return text
    }
}
