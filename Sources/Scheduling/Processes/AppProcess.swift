/// The process of an app whose handlers run in one of their own (01, *Processes*).
struct AppProcess: Sendable {
    enum State: Hashable, Sendable {
        /// There is none. Can transition to `starting`.
        case down
        /// It was ordered and has not said hello. Can transition to `registering`, `ending`, `down`.
        case starting
        /// It registers its handlers (B5). Can transition to `launched`, `ending`, `down`.
        case registering
        /// It takes launches. Can transition to `condemned`, `ending`, `down`.
        case launched
        /// It must go, and its other runs may end before (B24). Can transition to `ending`, `down`.
        case condemned(StopCause)
        /// It was asked to go, or is being killed. Can transition to `down`.
        case ending(StopCause)
    }

    /// The runner lacked something for a start; its app cannot help that.
    struct Shortage: Sendable {
        var reason: String
        /// What gives the runner more of it.
        var remedy: String
        /// Starts in a row that met one.
        var times: Int
    }

    var state = State.down
    /// Tells this process from the app's earlier ones; 0 before the first.
    var number = ProcessNumber(0)
    /// Whether it is to be started as soon as the runner may.
    var isWanted = false
    /// Why it was recovered, for its handlers (01, *Recovery*).
    var recovered: RecoveryCause?
    /// What this process has registered.
    var registered: [RegisteredHandler] = []
    /// What it registered after its launch was finished; it goes with the process (B5).
    var onDemand: [TaskIdentifier] = []
    /// What it tried to register and was refused, the first ones.
    var refused: [RefusedRegistration] = []
    /// When its processes failed lately.
    var failures: [BootTime] = []
    var failuresInARow = 0
    var lastFailure: String?
    /// What it could not be started for, if its last start met that.
    var shortage: Shortage?
    /// A launch did not get to this process, and it has entered no handler since.
    var missedLaunch = false
    /// This process has entered a handler.
    var hasEntered = false
    /// The process before this one exited of its own accord with a launch missed, and none has entered a handler since.
    var exitedBefore = false
    var restarts = 0
    /// It is not started again before this.
    var backoffUntil: BootTime?
    /// A process that an earlier runner started still lives.
    var hasLeftover = false

    /// The last run of each task that this process completed, for those that complete twice.
    var ended: [TaskIdentifier: RunIdentifier] = [:]

    var isUp: Bool { state != .down }

    func hasRegistered(_ identifier: TaskIdentifier) -> Bool {
        registered.contains { $0.identifier == identifier } || onDemand.contains(identifier)
    }

    var stopCause: StopCause? {
        switch state {
        case .condemned(let cause), .ending(let cause): cause
        case .down, .starting, .registering, .launched: nil
        }
    }
}

/// Tells the processes of one app apart while the runner lives.
package struct ProcessNumber: Hashable, Sendable, Codable {
    package var number: Int64

    package init(_ number: Int64) {
        self.number = number
    }
}

/// A handler as it is kept over restarts.
package struct RegisteredHandler: Hashable, Sendable, Codable {
    package var identifier: TaskIdentifier
    package var kind: TaskKind?

    package init(identifier: TaskIdentifier, kind: TaskKind?) {
        self.identifier = identifier
        self.kind = kind
    }
}

/// The handlers of an app's last finished launch: they answer submissions while its process is down.
package struct RegisteredSet: Hashable, Sendable, Codable {
    /// The bundle that registered them; under another one they only answer until it has launched.
    package var bundleHash: String
    package var handlers: [RegisteredHandler]
    /// What was refused; nil when nothing was.
    package var refused: [RefusedRegistration]?

    package init(bundleHash: String, handlers: [RegisteredHandler], refused: [RefusedRegistration] = []) {
        self.bundleHash = bundleHash
        self.handlers = handlers
        self.refused = refused.isEmpty ? nil : refused
    }
}

/// Why the runner ends an app's process.
package enum StopCause: String, Sendable, Codable, CaseIterable {
    /// It had nothing to do for a while.
    case idle
    /// Its bundle changed.
    case bundleChanged
    /// Its bundle is gone.
    case bundleRemoved
    case draining
    /// It did not say hello, or did not finish launching, in its launch time.
    case launchTime
    /// It did not answer a launch in its launch time.
    case unresponsive
    /// One of its runs went on after its grace period (B24).
    case graceEnded

    /// Whether it is asked to exit first, and not killed at once.
    package var isOrderly: Bool {
        switch self {
        case .idle, .bundleChanged, .bundleRemoved, .draining: true
        case .launchTime, .unresponsive, .graceEnded: false
        }
    }

    /// Whether ending for it counts as a failure of the process.
    var isFailure: Bool {
        switch self {
        case .launchTime, .unresponsive: true
        case .idle, .bundleChanged, .bundleRemoved, .draining, .graceEnded: false
        }
    }
}

/// What a host needs to start an app's process.
package struct ProcessOrder: Hashable, Sendable, Codable {
    package var app: AppIdentifier
    package var process: ProcessNumber
    package var recovered: RecoveryCause?
    /// The manifest by which it is started.
    package var bundleHash: String

    package init(app: AppIdentifier, process: ProcessNumber, recovered: RecoveryCause?, bundleHash: String) {
        self.app = app
        self.process = process
        self.recovered = recovered
        self.bundleHash = bundleHash
    }
}

/// How an app's process ended, as its host saw it.
package struct ProcessEnd: Hashable, Sendable, Codable {
    package var exit: ProcessExit
    /// What it did wrong before, in a few words: `it sent something that is not JSON`.
    package var problem: String?

    /// It exited of its own accord, and did nothing wrong.
    var isOrderly: Bool { exit == .code(0) && problem == nil }

    package init(_ exit: ProcessExit, problem: String? = nil) {
        self.exit = exit
        self.problem = problem
    }
}
