package import Scheduling

/// How an embedded runner differs from the default.
public struct TaskRunnerOptions: Sendable {
    /// Where its control socket is.
    public enum Socket: Sendable, Hashable {
        /// `$XDG_RUNTIME_DIR/runner/apps/BUNDLE.sock`, where `runnerctl --app BUNDLE` finds it.
        case standard
        /// At this path.
        case path(String)
        /// Nowhere.
        case none
    }

    /// The folder of its store; by default `$XDG_STATE_HOME/runner/apps/BUNDLE`.
    public var stateFolder: String?
    /// Where its control socket is.
    public var socket = Socket.standard
    /// Whether launches and expirations can be simulated over the socket (B36).
    public var allowsSimulation = true
    /// How many runs may be in flight at once (B30).
    public var concurrency = 4
    /// Whether power and network are observed; without, the stated assumptions hold (B19).
    public var observesDevice = true
    package var policy = Policy.prompt

    /// The defaults.
    public init() {}
}

/// Why an embedded runner could not start.
public struct TaskRunnerError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The stable name of a failure.
    public enum Kind: String, Sendable {
        /// The state folder cannot be used.
        case stateFolder
        /// Another process holds the state folder.
        case alreadyRunning
        /// The store cannot be used.
        case store
        /// The control socket cannot be made.
        case socket
        /// The system refused a resource.
        case system
        /// `start` or `run` was called twice.
        case startedTwice
    }

    /// What kind of failure this is.
    public let kind: Kind
    /// One plain sentence that says what to do.
    public let description: String

    init(_ kind: Kind, _ description: String) {
        self.kind = kind
        self.description = description
    }
}
