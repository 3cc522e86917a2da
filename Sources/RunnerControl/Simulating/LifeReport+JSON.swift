import RPC
import Scheduling
import Simulation

extension LifeReport {
    /// Everything, in one line; times are dates of UTC.
    var json: String {
        var writer = JSONWriter()
        writer.object { writer in Self.write(life, into: &writer) }
        writer.endLine()
        return String(decoding: writer.bytes, as: UTF8.self)
    }

    /// The members of a life.
    static func write(_ life: Life, into writer: inout JSONWriter) {
        writer.member("scenario", life.scenario.name)
        writer.member("seed", Int64(clamping: life.seed))
        writer.key("devices")
        writer.array { writer in
            for report in life.reports { writer.object { writer in write(report, into: &writer) } }
        }
    }

    // MARK: Private

    private static func write(_ report: DeviceReport, into writer: inout JSONWriter) {
        writer.member("name", report.lane.name)
        writer.member("policy", report.lane.policy)
        writer.member("from", date: report.start.milliseconds)
        writer.member("to", date: report.end.milliseconds)
        writer.member("utcOffsetSeconds", report.utcOffsetSeconds)
        writer.list("tasks", report.lane.tasks) { writer, task in
            writer.member("app", task.app)
            writer.member("identifier", task.identifier)
            writer.member("kind", task.kind)
            let requests = task.requests.enumerated().sorted {
                ($0.element.submittedAt, $0.offset) < ($1.element.submittedAt, $1.offset)
            }
            writer.list("requests", requests.map(\.element)) { write($1, into: &$0) }
        }
        writer.list("pushes", report.pushes) { writer, push in
            writer.member("app", push.app.text)
            writer.member("sentAt", date: push.sentAt.milliseconds)
            write(push.fate, into: &writer)
        }
        writer.list("fetches", report.fetches) { writer, fetch in
            writer.member("app", fetch.app.text)
            writer.member("at", date: fetch.at.milliseconds)
            writer.member("result", fetch.result.rawValue)
            writer.member("nextIntervalSeconds", seconds: fetch.nextInterval.wholeMilliseconds)
        }
        writer.list("transfers", report.transfers) { writer, transfer in
            writer.member("app", transfer.app.text)
            writer.member("askedAt", date: transfer.askedAt.milliseconds)
            writer.member("startedAt", date: transfer.startedAt?.milliseconds)
            writer.member("endedAt", date: transfer.endedAt?.milliseconds)
        }
        writer.list("syncs", report.syncs) { writer, sync in
            writer.member("app", sync.app.text)
            writer.member("at", date: sync.at.milliseconds)
            writer.member("cause", sync.cause.rawValue)
        }
        writer.list("wakes", report.wakes) { writer, wake in
            writer.member("app", wake.app.text)
            writer.member("at", date: wake.at.milliseconds)
            writer.member("causes", strings: wake.causes.map(\.rawValue))
        }
        writer.list("conditions", report.lane.bands) { writer, band in
            writer.member("condition", band.kind.rawValue)
            writer.member("from", date: band.start.milliseconds)
            writer.member("to", date: band.end.milliseconds)
        }
        writer.list("diagnostics", report.diagnostics.filter { $0.at >= report.start }) { writer, diagnostic in
            writer.member("name", diagnostic.name.rawValue)
            writer.member("severity", diagnostic.severity.rawValue)
            writer.member("at", date: diagnostic.at.milliseconds)
            writer.member("identifier", diagnostic.identifier?.text)
            writer.member("app", diagnostic.app?.text)
            writer.member("message", diagnostic.message)
        }
        writer.member("problems", strings: report.problems)
    }

    private static func write(_ request: ChartRequest, into writer: inout JSONWriter) {
        writer.member("submittedAt", date: request.submittedAt.milliseconds)
        writer.member("earliestBeginDate", date: request.floor?.milliseconds)
        switch request.outcome {
        case .granted(let run):
            writer.member("outcome", "granted")
            writer.member("startedAt", date: run.startedAt.milliseconds)
            writer.member("endedAt", date: run.endedAt?.milliseconds)
            writer.member("state", run.state)
            writer.member("expirationReason", run.expirationReason)
        case .withdrawn(let at, let detail):
            writer.member("outcome", "withdrawn")
            writer.member("withdrawnAt", date: at.milliseconds)
            writer.member("detail", detail)
        case .pending: writer.member("outcome", "pending")
        case .refused(let detail):
            writer.member("outcome", "refused")
            writer.member("detail", detail)
        }
        writer.member("waitedSeconds", seconds: request.waitedMilliseconds)
        writer.list("waits", request.holds) { writer, hold in
            writer.member("gate", hold.gate)
            writer.member("from", date: hold.start?.milliseconds)
            writer.member("seconds", seconds: hold.milliseconds)
        }
        if !request.note.isEmpty { writer.member("note", request.note) }
    }

    private static func write(_ fate: PushReport.Fate, into writer: inout JSONWriter) {
        switch fate {
        case .held: writer.member("fate", "held")
        case .delivered(let at):
            writer.member("fate", "delivered")
            writer.member("at", date: at.milliseconds)
        case .superseded(let at):
            writer.member("fate", "superseded")
            writer.member("at", date: at.milliseconds)
        case .discarded(let at, let reason):
            writer.member("fate", "discarded")
            writer.member("at", date: at.milliseconds)
            writer.member("reason", reason)
        }
    }
}

extension JSONWriter {
    /// A member that is an array of objects.
    mutating func list<Element>(
        _ name: StaticString, _ elements: [Element], _ body: (inout JSONWriter, Element) -> Void
    ) {
        key(name)
        array { writer in
            for element in elements { writer.object { writer in body(&writer, element) } }
        }
    }
}
