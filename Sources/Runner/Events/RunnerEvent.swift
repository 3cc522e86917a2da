import RPC
import Scheduling

/// One published event: what happened, when it was published, and its number in the life of this daemon.
struct RunnerEvent {
    enum Body {
        case notice(Notice)
        /// Lines of a run were kept, or without an identifier those of an app; the first of them is there.
        case logged(LogPosition, TaskIdentifier?, AppIdentifier)
    }

    let sequence: Int64
    let at: WallTime
    let body: Body

    var type: EventType {
        switch body {
        case .notice(let notice): EventType(notice)
        case .logged: .logged
        }
    }

    var identifier: TaskIdentifier? {
        switch body {
        case .notice(let notice): notice.identifier
        case .logged(_, let identifier, _): identifier
        }
    }

    private var app: AppIdentifier? {
        switch body {
        case .notice(let notice): notice.app
        case .logged(_, _, let app): app
        }
    }

    /// The members of the event but for the subscription's number, written once for all who get it.
    var members: [UInt8] {
        var writer = JSONWriter()
        write(into: &writer)
        return Array(writer.bytes.dropFirst().dropLast())
    }

    /// The event as an object.
    func write(into writer: inout JSONWriter) {
        writer.beginObject()
        writer.member("sequence", sequence)
        writer.member("at", date: at.milliseconds)
        writer.member("type", type.rawValue)
        writer.member("identifier", identifier?.text)
        writer.member("app", app?.text)
        writer.key("data")
        switch body {
        case .notice(let notice): writer.data(of: notice)
        case .logged(let position, _, _):
            writer.beginObject()
            if position.number == nil { writer.member("run", position.run.number) }
            writer.member("cursor", Cursor.text(run: position.run.number, offset: position.offset))
            writer.endObject()
        }
        writer.endObject()
    }
}
