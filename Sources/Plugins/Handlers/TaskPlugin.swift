/// A type that registers several handlers at once.
public protocol TaskPlugin: Sendable {
    /// Registers the handlers; called once, before the app finishes launching (B5).
    func register(in registry: TaskRegistry) throws
}
