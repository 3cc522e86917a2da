/// What observers are told: the log, and subscribers of the control socket.
///
/// Whoever applies these in order to what was pending and running knows what is pending and running.
package enum Notice: Hashable, Sendable, Codable {
    /// A request is pending now, or stays so.
    indirect case submitted(SubmissionResult)
    indirect case refused(Refusal, identifier: TaskIdentifier)
    /// A request that was accepted before is pending again, or under another app.
    indirect case refiled(PendingRequest, RefilingCause)
    /// A request is pending no more, and did not run.
    indirect case withdrawn(PendingRequest, WithdrawalCause)
    /// A request was claimed: it is pending no more, and its run is starting.
    indirect case claimed(RunRecord)
    /// The handler was entered.
    indirect case launched(RunRecord)
    indirect case progressed(RunRecord)
    indirect case expiring(RunRecord)
    indirect case ended(RunRecord)
    indirect case diagnostic(Diagnostic)
    indirect case gateChanged(GateChange)
    case appStateChanged(AppIdentifier, AppState)
    indirect case deviceChanged(DeviceChange)
    case phaseChanged(RunnerPhase)

    /// Whether it tells of the world: a failed commit does not undo it.
    package var outlivesFailedCommit: Bool {
        switch self {
        case .appStateChanged, .phaseChanged: true
        case .deviceChanged(let change): !change.overridden
        case .gateChanged(let change): change.gate == .draining
        case .submitted, .refused, .refiled, .withdrawn, .claimed, .launched, .progressed, .expiring, .ended,
            .diagnostic:
            false
        }
    }
}

/// Why a request was filed that nobody submitted anew.
package enum RefilingCause: String, Sendable, Codable {
    /// Its start failed before the handler was entered (B22).
    case returned
    /// Another app's manifest permits its identifier now.
    case moved
}

/// Why a request is pending no more.
package enum WithdrawalCause: String, Sendable, Codable {
    case cancelled
    /// No manifest had permitted it for too long (B42).
    case dropped
}

/// A gate that opened or closed: for one task, for an app, or with neither for the whole runner.
package struct GateChange: Hashable, Sendable, Codable {
    package var gate: GateName
    package var verdict: GateVerdict
    package var identifier: TaskIdentifier?
    package var app: AppIdentifier?
    /// The gate that holds the task now.
    package var heldBy: GateName?

    package init(
        _ gate: GateName, _ verdict: GateVerdict, identifier: TaskIdentifier? = nil, app: AppIdentifier? = nil,
        heldBy: GateName? = nil
    ) {
        self.gate = gate
        self.verdict = verdict
        self.identifier = identifier
        self.app = app
        self.heldBy = heldBy
    }
}
