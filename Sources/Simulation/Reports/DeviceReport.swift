package import Scheduling

/// What one device's days were like: what was asked and granted, and what the neighbours of the scheduler did.
package struct DeviceReport: Hashable, Sendable {
    package var seed: UInt64
    package var start: WallTime
    package var end: WallTime
    package var utcOffsetSeconds: Int
    /// Requests and runs by task, with the conditions and events around them.
    package var lane: DeviceLane
    package var pushes: [PushReport] = []
    package var fetches: [FetchReport] = []
    package var transfers: [TransferReport] = []
    /// When an app's content was brought up to date, and by what.
    package var syncs: [SyncReport] = []
    package var wakes: [WakeReport] = []
    /// What the scheduler said of its own: refusals, clamped periods and the like.
    package var diagnostics: [Diagnostic] = []
    /// Rules that were broken; a scheduler that works has none.
    package var problems: [String] = []

    package init(
        seed: UInt64, start: WallTime, end: WallTime, utcOffsetSeconds: Int, lane: DeviceLane
    ) {
        self.seed = seed
        self.start = start
        self.end = end
        self.utcOffsetSeconds = utcOffsetSeconds
        self.lane = lane
    }
}

/// A silent push, from its server to the app.
package struct PushReport: Hashable, Sendable {
    package enum Fate: Hashable, Sendable {
        /// It is held by the device.
        case held
        case delivered(WallTime)
        /// A newer push took its place.
        case superseded(WallTime)
        case discarded(WallTime, reason: String)
    }

    package var app: AppIdentifier
    package var sentAt: WallTime
    package var fate: Fate

    package init(app: AppIdentifier, sentAt: WallTime, fate: Fate) {
        self.app = app
        self.sentAt = sentAt
        self.fate = fate
    }
}

/// A legacy fetch.
package struct FetchReport: Hashable, Sendable {
    package var app: AppIdentifier
    package var at: WallTime
    package var result: FetchResult
    /// The time to the next one, by what it has learned.
    package var nextInterval: Duration

    package init(app: AppIdentifier, at: WallTime, result: FetchResult, nextInterval: Duration) {
        self.app = app
        self.at = at
        self.result = result
        self.nextInterval = nextInterval
    }
}

/// A discretionary transfer.
package struct TransferReport: Hashable, Sendable {
    package var app: AppIdentifier
    package var askedAt: WallTime
    package var startedAt: WallTime?
    package var endedAt: WallTime?

    package init(app: AppIdentifier, askedAt: WallTime) {
        self.app = app
        self.askedAt = askedAt
    }
}

/// An app's content was brought up to date.
package struct SyncReport: Hashable, Sendable {
    package enum Cause: String, Hashable, Sendable {
        case open
        case refresh
        case push
        case fetch
    }

    package var app: AppIdentifier
    package var at: WallTime
    package var cause: Cause

    package init(app: AppIdentifier, at: WallTime, cause: Cause) {
        self.app = app
        self.at = at
        self.cause = cause
    }
}

/// One start or resume of an app by the scheduler or its neighbours; what came together is one.
package struct WakeReport: Hashable, Sendable {
    package enum Cause: String, Hashable, Sendable, CaseIterable {
        case run
        case push
        case fetch
        case transfer
    }

    package var app: AppIdentifier
    package var at: WallTime
    package var causes: [Cause]

    package init(app: AppIdentifier, at: WallTime, causes: [Cause]) {
        self.app = app
        self.at = at
        self.causes = causes
    }
}
