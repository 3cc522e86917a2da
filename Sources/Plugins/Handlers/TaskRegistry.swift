public import Scheduling

/// Where handlers are registered until the app finishes launching (B5).
public struct TaskRegistry: Sendable {
    private let add: @Sendable (PendingRegistration) throws(Refusal) -> Void

    package init(_ add: @escaping @Sendable (PendingRegistration) throws(Refusal) -> Void) {
        self.add = add
    }

    /// Registers an async handler: returning completes the task, throwing fails it, expiration cancels it (B28).
    ///
    /// Throws `notPermitted`, `alreadyRegistered`, `registrationClosed`, `wildcardRegistration` or `invalidIdentifier`.
    public func register(
        _ identifier: String, kind: TaskKind? = nil, fileID: StaticString = #fileID, line: UInt = #line,
        handler: @escaping @Sendable (TaskContext) async throws -> Void
    ) throws(Refusal) {
        try add(
            PendingRegistration(
                identifier: identifier, kind: kind, origin: "\(fileID):\(line)", handler: .async(handler)))
    }

    /// Registers a handler in the explicit form: it sets `expirationHandler` and calls `setTaskCompleted(success:)`.
    ///
    /// It runs on a private serial queue. Throws as the async form does.
    public func register(
        _ identifier: String, kind: TaskKind? = nil, fileID: StaticString = #fileID, line: UInt = #line,
        launchHandler: @escaping @Sendable (LaunchedTask) -> Void
    ) throws(Refusal) {
        try add(
            PendingRegistration(
                identifier: identifier, kind: kind, origin: "\(fileID):\(line)", handler: .explicit(launchHandler)))
    }
}

/// A handler on its way to be registered.
package struct PendingRegistration: Sendable {
    package var identifier: String
    package var kind: TaskKind?
    package var origin: String
    package var handler: TaskHandler
    /// Whether the expiration handler runs on the handler's own queue, as before iOS 26, and not on a private one.
    package var expiresOnItsQueue = false
    /// Whether its kind could not be said: see `HandlerRegistration.infersKind`.
    package var infersKind = false

    package init(identifier: String, kind: TaskKind?, origin: String, handler: TaskHandler) {
        self.identifier = identifier
        self.kind = kind
        self.origin = origin
        self.handler = handler
    }
}

/// The two forms of a handler.
package enum TaskHandler: Sendable {
    case async(@Sendable (TaskContext) async throws -> Void)
    case explicit(@Sendable (LaunchedTask) -> Void)
}
