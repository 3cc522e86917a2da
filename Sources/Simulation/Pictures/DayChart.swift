package import Scheduling

/// What a picture of some days shows: what was asked and what was granted, and what held it in between.
///
/// It does not know whether the days were simulated or lived.
package struct DayChart: Hashable, Sendable {
    package var title: String
    /// What the days were lived with: the policy, the seed.
    package var subtitle: String
    package var start: WallTime
    package var end: WallTime
    /// East of UTC; times are shown on the device's own clock.
    package var utcOffsetSeconds: Int
    package var devices: [DeviceLane]

    package init(
        title: String, subtitle: String = "", start: WallTime, end: WallTime, utcOffsetSeconds: Int = 0,
        devices: [DeviceLane] = []
    ) {
        self.title = title
        self.subtitle = subtitle
        self.start = start
        self.end = end
        self.utcOffsetSeconds = utcOffsetSeconds
        self.devices = devices
    }
}

/// One device's days.
package struct DeviceLane: Hashable, Sendable {
    package var name: String
    package var policy: String
    package var bands: [ChartBand] = []
    package var marks: [ChartMark] = []
    package var tasks: [TaskLane] = []

    package init(name: String, policy: String) {
        self.name = name
        self.policy = policy
    }
}

/// A condition of the device that held for a while.
package struct ChartBand: Hashable, Sendable {
    package enum Kind: String, Hashable, Sendable, CaseIterable {
        case externalPower
        case lowPowerMode
        case idle
        case noNetwork
        case meteredNetwork
        /// The device looks at background work: a wake window or a maintenance window.
        case window
        case locked
        case backgroundRefreshOff
        case thermal
        /// The device is off.
        case off
    }

    package var kind: Kind
    package var start: WallTime
    package var end: WallTime
    package var detail: String

    package init(_ kind: Kind, from start: WallTime, to end: WallTime, detail: String = "") {
        self.kind = kind
        self.start = start
        self.end = end
        self.detail = detail
    }
}

/// Something that happened at one moment.
package struct ChartMark: Hashable, Sendable {
    package enum Kind: String, Hashable, Sendable, CaseIterable {
        case opened
        case forceQuit
        case pushSent
        case pushDelivered
        case pushDiscarded
        case pushSuperseded
        case fetch
        case transfer
        case reboot
        case unlocked
        case osUpgrade
        case clockSet
        case crash
    }

    package var kind: Kind
    package var at: WallTime
    package var app: String?
    package var detail: String

    package init(_ kind: Kind, at: WallTime, app: String? = nil, detail: String = "") {
        self.kind = kind
        self.at = at
        self.app = app
        self.detail = detail
    }
}

/// The requests of one task.
package struct TaskLane: Hashable, Sendable {
    package var app: String
    package var identifier: String
    package var kind: String
    package var requests: [ChartRequest]

    package init(app: String, identifier: String, kind: String, requests: [ChartRequest] = []) {
        self.app = app
        self.identifier = identifier
        self.kind = kind
        self.requests = requests
    }
}

/// One request, from its submission to what became of it.
package struct ChartRequest: Hashable, Sendable {
    package enum Outcome: Hashable, Sendable {
        case granted(ChartRun)
        /// Replaced, cancelled or dropped.
        case withdrawn(at: WallTime, detail: String)
        case pending
        /// It was not accepted.
        case refused(detail: String)
    }

    package var submittedAt: WallTime
    package var floor: WallTime?
    /// The gates that held it one after the other: the first closed gate of each time.
    package var holds: [ChartHold]
    package var outcome: Outcome
    /// For how long it waited from its submission or its floor on, as the device lived it; `nil` where only clocks know.
    package var waited: Int64?
    /// What was said of it when it was submitted, such as that its period was clamped.
    package var note: String

    package init(
        submittedAt: WallTime, floor: WallTime? = nil, holds: [ChartHold] = [], outcome: Outcome, note: String = ""
    ) {
        self.submittedAt = submittedAt
        self.floor = floor
        self.holds = holds
        self.outcome = outcome
        self.note = note
    }
}

/// A gate that held a request for a while.
package struct ChartHold: Hashable, Sendable {
    /// In place of a gate: the device was off.
    package static let deviceOff = "device off"

    /// A gate's name, as `explain` says it.
    package var gate: String
    /// `nil` where only its length is known (the daemon's history keeps lengths).
    package var start: WallTime?
    package var milliseconds: Int64
    package var detail: String

    package init(gate: String, start: WallTime?, milliseconds: Int64, detail: String = "") {
        self.gate = gate
        self.start = start
        self.milliseconds = milliseconds
        self.detail = detail
    }
}

/// What a granted request became.
package struct ChartRun: Hashable, Sendable {
    package var number: Int64
    package var startedAt: WallTime
    package var endedAt: WallTime?
    /// A run's state, as `history` says it.
    package var state: String
    package var expirationReason: String?
    package var isSimulatedLaunch: Bool

    package init(
        number: Int64, startedAt: WallTime, endedAt: WallTime?, state: String, expirationReason: String? = nil,
        isSimulatedLaunch: Bool = false
    ) {
        self.number = number
        self.startedAt = startedAt
        self.endedAt = endedAt
        self.state = state
        self.expirationReason = expirationReason
        self.isSimulatedLaunch = isSimulatedLaunch
    }
}
