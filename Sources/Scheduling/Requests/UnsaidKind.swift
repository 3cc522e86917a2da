/// What is known of the kind of a handler whose registration could not say it, as with Apple's `register`.
struct UnsaidKind: Hashable, Sendable {
    /// The kind of the last request that was submitted for it.
    var submitted: TaskKind?
}

extension Scheduler {
    /// The kind of a request that is made up for such a handler; `nil` for any other handler.
    ///
    /// Its code is made for one kind, and a run of another one could end its program: what cannot be known is refused.
    func unsaidKind(of identifier: TaskIdentifier, _ app: Int32) throws(Refusal) -> TaskKind? {
        guard let known = unsaidKinds[identifier] else { return nil }
        if let submitted = known.submitted { return submitted }
        let modes = apps[app].description?.modes ?? []
        if modes.isEmpty || !apps.listsExactly(identifier, of: app) { return .continuedProcessing }
        let possible = [TaskKind.appRefresh, .processing].filter { kind in kind.requiredMode.map(modes.contains) ?? true
        }
        if let only = possible.first, possible.count == 1 { return only }
        throw Refusal(
            .kindMismatch,
            "What kind of request \(identifier) is for cannot be known, since BackgroundTasks registers handlers without "
                + "one and \(apps[app].identifier) declares several modes; submit a request with its kind first, or give "
                + "it a kind in RunnerTasks.")
    }
}
