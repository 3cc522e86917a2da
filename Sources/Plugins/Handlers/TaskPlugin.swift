/// The handlers of an app as one type, which runs embedded, as a program of its own, or as a shared library.
///
/// A program: `@main struct Mail: TaskPlugin { … }`. A library: a C function `runner_plugin_main` that returns
/// `Mail.run(on: descriptor)`. Embedded: `runner.register(Mail())`.
public protocol TaskPlugin: Sendable {
    /// Makes the plugin when its process begins; it gets what it needs by itself.
    init()

    /// Registers the handlers; called once, before the app finishes launching (B5).
    func register(in registry: TaskRegistry) throws

    /// Called once after the app has finished launching; the place to submit first requests. Does nothing by default.
    ///
    /// A process is started whenever it is needed, so submit with `ifPending: .keep` or `.keepEarlier` here. What it
    /// throws is written into the app's log.
    func launched(_ app: AppContext) async throws
}

extension TaskPlugin {
    /// Does nothing.
    public func launched(_ app: AppContext) async throws {}
}
