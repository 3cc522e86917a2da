/// The number of a run; it grows, and is never used again.
package struct RunIdentifier: Hashable, Comparable, Sendable, Codable {
    package var number: Int64

    package init(_ number: Int64) {
        self.number = number
    }

    package static func < (left: RunIdentifier, right: RunIdentifier) -> Bool {
        left.number < right.number
    }
}

/// Who started a run; it stays so for ever (B35).
public enum RunOrigin: String, Sendable, Codable, CaseIterable {
    /// The scheduler: all gates were open.
    case scheduled
    /// A person or a test, by `simulateLaunch`.
    case simulated
}

/// Why a run was asked to end (B24).
public enum ExpirationReason: String, Sendable, Codable, CaseIterable {
    /// Its time budget ended.
    case budget
    /// A condition that it needs was lost.
    case conditionLost
    /// The runner is shutting down.
    case draining
    /// A person stopped it.
    case stopped
    /// Continued processing made no progress for 30 seconds.
    case stalled
    /// The app's process is being stopped.
    case appStopping
    /// A person or a test, by `simulateExpiration`.
    case simulated
}

/// The state of a run (B31).
package enum RunState: String, Sendable, Codable, CaseIterable {
    /// Claimed, its handler not yet entered. Can transition to `running`, `crashed`, `interrupted`, `cancelled`.
    case starting
    /// The handler was entered. Can transition to `expiring` or any ended state.
    case running
    /// The expiration handler was called, the grace period runs. Can transition to any ended state.
    case expiring
    case succeeded
    case failed
    case expired
    case abandoned
    case crashed
    case interrupted
    case cancelled

    package var isEnded: Bool {
        switch self {
        case .starting, .running, .expiring: false
        case .succeeded, .failed, .expired, .abandoned, .crashed, .interrupted, .cancelled: true
        }
    }
}

/// How a process ended.
package enum ProcessExit: Hashable, Sendable, Codable {
    case code(Int32)
    case signal(Int32)
}

/// How far a run says it is.
package struct RunProgress: Hashable, Sendable, Codable {
    /// From 0 to 1.
    package var fraction: Double
    package var title: String?
    package var subtitle: String?

    package init(fraction: Double, title: String? = nil, subtitle: String? = nil) {
        self.fraction = fraction
        self.title = title
        self.subtitle = subtitle
    }
}

/// The process group that a run's command leads, so that what it leaves behind can be found after a crash.
package struct ProcessMark: Hashable, Sendable, Codable {
    package var group: Int32
    /// The leader's start time in clock ticks since boot.
    package var startTime: UInt64
    package var bootIdentifier: BootIdentifier

    package init(group: Int32, startTime: UInt64, bootIdentifier: BootIdentifier) {
        self.group = group
        self.startTime = startTime
        self.bootIdentifier = bootIdentifier
    }
}

/// Everything that is kept of a run (B31).
package struct RunRecord: Hashable, Sendable, Codable {
    package var run: RunIdentifier
    /// The request that was claimed; while the run is `starting` it is the claim, and goes back if the start fails.
    package var request: PendingRequest
    package var origin: RunOrigin
    /// 1 for the first start of the request.
    package var attempt: Int
    package var state: RunState
    /// A cancel came while the run was starting: a failed start gives nothing back.
    package var claimCancelled = false
    package var waitedMilliseconds: Int64 = 0
    package var waits: [GateWait] = []
    package var startedAt: WallTime
    package var startedBoot: BootTime
    package var endedAt: WallTime?
    package var endedBoot: BootTime?
    package var budgetMilliseconds: Int64?
    package var expiredAt: WallTime?
    package var expirationReason: ExpirationReason?
    package var message: String?
    package var progress: RunProgress?
    package var exit: ProcessExit?
    package var process: ProcessMark?
    package var diagnostics: [Diagnostic] = []

    package init(
        run: RunIdentifier, request: PendingRequest, origin: RunOrigin, attempt: Int, state: RunState,
        startedAt: WallTime, startedBoot: BootTime
    ) {
        self.run = run
        self.request = request
        self.origin = origin
        self.attempt = attempt
        self.state = state
        self.startedAt = startedAt
        self.startedBoot = startedBoot
    }

    package var identifier: TaskIdentifier { request.identifier }
    package var app: AppIdentifier { request.app }
}
