/// What is known of the kind of a handler whose registration could not say it, as with Apple's `register`.
enum UnsaidKind: Hashable, Sendable {
    /// Nothing yet. Can transition to `submitted`.
    case open
    /// The kind of the last request that said one.
    case submitted(TaskKind)
}

extension Scheduler {
    /// The kind of a request that is made up for such a handler; `nil` for any other handler.
    ///
    /// Its code is made for one kind, and a run of another one could end its program: what cannot be known is refused.
    func unsaidKind(of slot: Int32) throws(Refusal) -> TaskKind? {
        let (app, identifier) = (tasks[slot].app, tasks.identifier(of: slot))
        switch tasks[slot].unsaidKind {
        case nil: return nil
        case .submitted(let kind): return kind
        case .open: break
        }
        let modes = apps[app].description?.modes ?? []
        if modes.isEmpty || !apps.listsExactly(identifier, of: app) { return .continuedProcessing }
        throw Refusal(
            .kindMismatch,
            "What kind of request \(identifier) is for cannot be known, since BackgroundTasks registers handlers without "
                + "one and \(apps[app].identifier) may submit several; submit a request with its kind first, or give it a "
                + "kind in RunnerTasks.")
    }
}
