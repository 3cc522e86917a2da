/// A request that was accepted: on disk, and waiting until all its gates are open.
package struct PendingRequest: Hashable, Sendable, Codable {
    package var identifier: TaskIdentifier
    package var app: AppIdentifier
    package var kind: TaskKind
    package var floor: WallTime?
    package var requiresNetworkConnectivity = false
    package var requiresExternalPower = false
    package var title: String?
    package var subtitle: String?
    package var strategy: SubmissionStrategy?
    /// Who made it: a caller, or the runner for a declared recurrence (B38).
    package var maker: RequestMaker = .caller
    package var submittedAt: WallTime
    /// The submission's boot time and the boot that it counts from; void under another boot.
    package var submittedBoot: BootTime
    package var bootIdentifier: BootIdentifier
    /// A number that grows with every accepted submission; it breaks ties (B30).
    package var submission: Int64
    /// Starts that failed before the handler was entered.
    package var attempts: Int = 0
    /// How many times in a row a replacement moved the floor later (B12).
    package var postponements: Int = 0
    /// The gate `backoff`: not before this boot time of this boot.
    package var backoffUntil: BootTime?

    package init(
        identifier: TaskIdentifier, app: AppIdentifier, kind: TaskKind, floor: WallTime? = nil,
        submittedAt: WallTime, submittedBoot: BootTime, bootIdentifier: BootIdentifier, submission: Int64
    ) {
        self.identifier = identifier
        self.app = app
        self.kind = kind
        self.floor = floor
        self.submittedAt = submittedAt
        self.submittedBoot = submittedBoot
        self.bootIdentifier = bootIdentifier
        self.submission = submission
    }

    /// What its maker asked for.
    package var asked: TaskRequest {
        TaskRequest(
            identifier: identifier, kind: kind, floor: floor, requiresNetworkConnectivity: requiresNetworkConnectivity,
            requiresExternalPower: requiresExternalPower, title: title, subtitle: subtitle, strategy: strategy)
    }
}

/// Who made a pending request.
package enum RequestMaker: String, Sendable, Codable {
    case caller
    /// The next occurrence of a recurrence that the manifest declares.
    case recurrence
    /// A declared recurrence's run that ended early and comes again after a backoff.
    case retry
}

/// One boot of the machine; readings of the boot clock mean nothing under another.
package struct BootIdentifier: Hashable, Sendable, Codable {
    package var text: String

    package init(_ text: String) {
        self.text = text
    }
}

/// What a submission did, and what was there before (B12).
package struct SubmissionResult: Hashable, Sendable, Codable {
    package enum Outcome: String, Sendable, Codable, CaseIterable {
        case submitted
        case replaced
        case kept
    }

    package var outcome: Outcome
    package var request: PendingRequest
    package var previous: PendingRequest?
    /// How many times in a row the floor was moved later; `nil` when this one did not.
    package var postponed: Int?

    package init(outcome: Outcome, request: PendingRequest, previous: PendingRequest? = nil, postponed: Int? = nil) {
        self.outcome = outcome
        self.request = request
        self.previous = previous
        self.postponed = postponed
    }
}
