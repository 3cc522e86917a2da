package import Scheduling

/// The shapes of apps and registered identifiers on the control socket.
extension JSONWriter {
    package mutating func value(_ registered: Scheduler.Registered) {
        beginObject()
        member("identifier", registered.identifier.text)
        member("app", registered.app.text)
        member("kind", registered.kind?.rawValue)
        member("handler", registered.handler.rawValue)
        member("permittedBy", registered.permittedBy)
        endObject()
    }

    /// An app. `bundle` is the path that it was loaded from; an app that has no process of its own has no `process`.
    package mutating func value(
        _ app: Scheduler.App, bundle: String?, process: Int32? = nil, restarts: Int = 0, startsAgainAt: WallTime? = nil,
        diagnostics: [Diagnostic] = []
    ) {
        beginObject()
        member("app", app.app.text)
        member("bundle", bundle)
        member("state", app.state.rawValue)
        member("process", process.map { Int($0) })
        key("permitted")
        beginArray()
        for entry in app.description?.permitted ?? [] { string(entry.text) }
        endArray()
        member("registered", app.registered)
        member("restarts", restarts)
        member("failure", app.failure)
        member("startsAgainAt", date: startsAgainAt?.milliseconds)
        member("diagnostics", diagnostics)
        endObject()
    }
}
