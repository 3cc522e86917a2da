import RPC

/// Results as people read them.
struct ResultText {
    let style: Style
    /// Milliseconds since 1970.
    let now: Int64

    /// - Parameter subject: what the command was about, such as an identifier.
    func text(_ result: JSONValue, of method: String, subject: String?) -> String {
        switch method {
        case "apps": apps(result)
        case "registered": registered(result)
        case "submit": submission(result)
        case "cancel": cancellation(result, subject)
        case "cancelAll": cancellations(result)
        case "pending": pending(result)
        case "running": running(result)
        case "simulateLaunch", "simulateExpiration", "stop": begun(result)
        case "run": run(result)
        case "history": history(result)
        case "explain": explanation(result)
        case "doctor": findings(result)
        case "device.history": deviceHistory(result)
        case "device", "device.override", "device.clear", "device.report": device(result)
        case "app.opened", "app.forceQuit", "app.setRefresh", "app.resume":
            "Noted for \(subject ?? "the app").\n"
        case "pause", "resume": pause(result, subject)
        case "log": log(result)
        case "reload": reload(result)
        case "debug": PrettyJSON.text(result)
        case "shutdown": "The daemon lets its runs finish and ends.\n"
        // Whatever else there is or will be is shown member by member.
        default: PropertyList(style: style, now: now).text(result)
        }
    }

    // MARK: For the parts

    func when(_ value: JSONValue, _ name: String) -> String {
        value.date(name).map { DateText.brief($0, now: now) } ?? ""
    }

    func duration(_ value: JSONValue, _ name: String) -> String {
        value.milliseconds(name).map { DurationText.short($0) } ?? ""
    }

    /// How to see the rest of a list that came in pages.
    func more(_ result: JSONValue, _ option: String) -> String {
        let next = result.text("next")
        return next.isEmpty ? "" : style.paint("There is more: add \(option) \(next).", .dim) + "\n"
    }

    func color(ofSeverity severity: String) -> Style.Color? {
        switch severity {
        case "error": .red
        case "warning": .yellow
        default: nil
        }
    }
}
