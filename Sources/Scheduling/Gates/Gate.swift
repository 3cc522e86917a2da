/// The name of a condition that can hold a pending request (B18).
package enum GateName: String, Sendable, Codable, CaseIterable {
    case earliestBeginDate
    case notPermitted
    case appMissing
    case quarantined
    case handlerMissing
    case launching
    case alreadyRunning
    case externalPower
    case network
    case deviceIdle
    case lowPowerMode
    case batteryLevel
    case thermal
    case backgroundRefreshDisabled
    case forceQuit
    case beforeFirstUnlock
    case budget
    case rateLimit
    case usage
    case misbehaviour
    case window
    case concurrency
    case paused
    case backoff
    case draining
    case storeUnavailable
}

/// Whether a gate lets a request through.
package enum GateVerdict: String, Sendable, Codable, CaseIterable {
    case open
    case closed
    /// Its source is gone: it holds, like `closed`, until the source is back.
    case unknown
}

/// One gate as `explain` shows it: its verdict, since when, who says so and when it opens (B19).
package struct Gate: Hashable, Sendable, Codable {
    package var gate: GateName
    package var verdict: GateVerdict
    package var since: WallTime?
    package var opensAt: WallTime?
    package var source: String?
    package var detail: String

    package init(
        _ gate: GateName, _ verdict: GateVerdict, since: WallTime? = nil, opensAt: WallTime? = nil,
        source: String? = nil, detail: String
    ) {
        self.gate = gate
        self.verdict = verdict
        self.since = since
        self.opensAt = opensAt
        self.source = source
        self.detail = detail
    }
}

/// How long a gate was the one that held a request.
package struct GateWait: Hashable, Sendable, Codable {
    package var gate: GateName
    package var milliseconds: Int64

    package init(gate: GateName, milliseconds: Int64) {
        self.gate = gate
        self.milliseconds = milliseconds
    }
}
