/// A typed "no": what was refused, and one sentence that says what to do.
public struct Refusal: Error, Hashable, Sendable, Codable {
    /// The stable name of a refusal; programs match on it.
    public enum Kind: String, Sendable, Codable, CaseIterable {
        /// App refresh is switched off, or resources are not supported.
        case unavailable
        /// The app's slots for this kind are full.
        case tooManyPendingTaskRequests
        /// The identifier is not in the manifest.
        case notPermitted
        /// Continued processing cannot start now and asked to fail then.
        case immediateRunIneligible
        /// No handler is registered.
        case notRegistered
        /// Nothing is pending.
        case noPendingRequest
        /// The task runs already.
        case alreadyRunning
        /// The task does not run.
        case notRunning
        /// The identifier breaks B1.
        case invalidIdentifier
        /// The date is out of range.
        case invalidDate
        /// The manifest lacks a background mode.
        case backgroundModeMissing
        /// There is no such run.
        case noSuchRun
        /// There is no such app.
        case noSuchApp
        /// There is no such subscription.
        case noSuchSubscription
        /// Registration ended with `finishLaunching`.
        case registrationClosed
        /// The identifier has a handler already.
        case alreadyRegistered
        /// Handlers match exactly, so a pattern cannot have one.
        case wildcardRegistration
        /// The kind is not the registered one.
        case kindMismatch
        /// The handler could not be started.
        case launchFailed
        /// The app's bundle is gone.
        case appMissing
        /// Simulation is switched off.
        case simulationDisabled
        /// The peer lacks the level that the method needs.
        case accessDenied
        /// A limit was passed.
        case limitExceeded
        /// The store cannot be written: nothing was changed.
        case storeUnavailable
        /// The stream cannot be continued from there.
        case resyncRequired
        /// The time to wait is over.
        case timedOut
        /// The runner is shutting down.
        case draining
        /// A value is out of range.
        case invalidParams
    }

    /// What kind of refusal this is.
    public var kind: Kind
    /// One plain sentence that says what to do.
    public var message: String
    /// The nearest name that would have been accepted.
    public var nearest: String?
    /// Where the first registration came from, or what fills the slots.
    public var related: [String] = []
    /// The run that the refusal is about.
    package var run: RunRecord?
    /// The value that is out of range, by its name on the control socket.
    package var member: String?

    package init(
        _ kind: Kind, _ message: String, nearest: String? = nil, related: [String] = [], run: RunRecord? = nil,
        member: String? = nil
    ) {
        self.kind = kind
        self.message = message
        self.nearest = nearest
        self.related = related
        self.run = run
        self.member = member
    }
}

extension Refusal: CustomStringConvertible {
    /// The kind and the sentence.
    public var description: String { "\(kind.rawValue): \(message)" }
}
