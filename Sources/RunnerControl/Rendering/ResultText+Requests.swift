import RPC

/// Requests, and why they wait.
extension ResultText {
    func submission(_ result: JSONValue) -> String {
        guard let request = result["request"] else { return "" }
        let described = describe(request)
        var text: String
        switch result.text("outcome") {
        case "replaced":
            text = "Replaced: \(described)\n"
            if let previous = result["previous"] { text += "  before: \(describe(previous))\n" }
        case "kept": text = "Kept what was pending: \(described)\n"
        default: text = "Submitted: \(described)\n"
        }
        if let postponed = result["postponed"]?.integer {
            let times = postponed == 1 ? "" : ", now \(postponed) times in a row"
            text +=
                style.paint("  It was moved later\(times); --if-pending keep-earlier never does that.", .yellow) + "\n"
        }
        return text
    }

    func cancellation(_ result: JSONValue, _ subject: String?) -> String {
        let name = result["request"]?.text("identifier") ?? subject ?? "it"
        return result.flag("cancelled") ? "Cancelled the request of \(name).\n" : "Nothing was pending for \(name).\n"
    }

    func cancellations(_ result: JSONValue) -> String {
        let count = result["cancelled"]?.integer ?? 0
        return count == 1 ? "Cancelled 1 request.\n" : "Cancelled \(count) requests.\n"
    }

    func pending(_ result: JSONValue) -> String {
        let requests = result.elements("requests")
        guard !requests.isEmpty else { return "Nothing is pending.\n" }
        var table = TextTable([
            .init("IDENTIFIER"), .init("KIND"), .init("EARLIEST"), .init("NEEDS"), .init("SUBMITTED"),
            .init("ATTEMPTS", numeric: true), .init("APP"),
        ])
        for request in requests {
            let attempts = request["attempts"]?.integer ?? 0
            table.add([
                .init(request.text("identifier")), .init(request.text("kind")),
                .init(when(request, "earliestBeginDate")),
                .init(needs(request)), .init(when(request, "submittedAt")),
                .init(attempts == 0 ? "" : String(attempts)),
                .init(request.text("app")),
            ])
        }
        return table.text(style) + more(result, "--after")
    }

    func explanation(_ result: JSONValue) -> String {
        var text = result.text("summary") + "\n"
        let gates = result.elements("gates")
        if !gates.isEmpty {
            var table = TextTable([
                .init("GATE"), .init("VERDICT"), .init("SINCE"), .init("OPENS AT"), .init("SOURCE"), .init("DETAIL"),
            ])
            for gate in gates {
                let verdict = gate.text("verdict")
                let color: Style.Color =
                    switch verdict {
                    case "open": .green
                    case "closed": .red
                    default: .yellow
                    }
                let opens = gate.date("opensAt").map { DateText.withDistance($0, now: now) } ?? ""
                table.add([
                    .init(gate.text("gate")), .init(verdict, color), .init(when(gate, "since")), .init(opens),
                    .init(gate.text("source")), .init(gate.text("detail")),
                ])
            }
            text += "\n" + table.text(style)
        }
        var lines: [String] = []
        if let pending = result["pending"] { lines.append("pending   \(describe(pending))") }
        if let running = result["running"] { lines.append("running   \(describe(run: running))") }
        if let last = result["lastRun"] { lines.append("last run  \(describe(run: last))") }
        if !lines.isEmpty { text += "\n" + lines.joined(separator: "\n") + "\n" }
        return text + diagnostics(result.elements("diagnostics"), indent: "")
    }

    /// One request in a line.
    func describe(_ request: JSONValue) -> String {
        "\(request.text("identifier")) (\(request.text("kind"))), \(conditions(of: request))"
    }

    /// What a request waits for.
    func conditions(of request: JSONValue) -> String {
        var text = "as soon as it can"
        if let floor = request.date("earliestBeginDate"), floor > now {
            text = "not before \(DateText.withDistance(floor, now: now))"
        }
        let needs = needs(request)
        return needs.isEmpty ? text : text + ", needs \(needs)"
    }

    private func needs(_ request: JSONValue) -> String {
        var needs: [String] = []
        if request.flag("requiresNetworkConnectivity") { needs.append("network") }
        if request.flag("requiresExternalPower") { needs.append("power") }
        return needs.joined(separator: ", ")
    }
}
