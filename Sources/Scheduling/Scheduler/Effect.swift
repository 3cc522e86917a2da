/// What has to be done, in the imperative. The engine does it, in this order, behind the commit barrier.
///
/// `runnerd --record` writes effects as they are encoded here.
package enum Effect: Hashable, Sendable, Codable {
    case persist(StoreChange)
    case reply(CallIdentifier, Reply)
    indirect case launch(LaunchOrder)
    /// Call the expiration handler; does not wait for a commit.
    case expire(RunIdentifier, ExpirationReason, grace: Duration)
    /// The grace period ended, or a start is given up: end the run's code if its host can; does not wait for a commit.
    case terminate(RunIdentifier)
    case publish(Notice)
    /// Draining is complete.
    case drained
}

/// The answer to a call.
package enum Reply: Hashable, Sendable, Codable {
    indirect case submitted(SubmissionResult)
    indirect case cancelled(PendingRequest?)
    case cancelledAll(Int)
    indirect case run(RunRecord)
    /// Whether a completion was the first (B26).
    case accepted(Bool)
    case done
    indirect case refused(Refusal)
}

/// What a host needs to start a handler.
package struct LaunchOrder: Hashable, Sendable, Codable {
    package var run: RunIdentifier
    package var identifier: TaskIdentifier
    package var app: AppIdentifier
    package var kind: TaskKind
    package var origin: RunOrigin
    package var attempt: Int
    /// Counts from the handler's entry, on the awake clock.
    package var budget: Duration?
    package var title: String?
    package var subtitle: String?
    package var recovered: RecoveryCause?
    /// The manifest by which it is launched; one that was loaded meanwhile waits until the app has no run (B42).
    package var bundleHash: String

    package init(
        run: RunIdentifier, identifier: TaskIdentifier, app: AppIdentifier, kind: TaskKind, origin: RunOrigin,
        attempt: Int, budget: Duration? = nil, title: String? = nil, subtitle: String? = nil,
        recovered: RecoveryCause? = nil, bundleHash: String = ""
    ) {
        self.run = run
        self.identifier = identifier
        self.app = app
        self.kind = kind
        self.origin = origin
        self.attempt = attempt
        self.budget = budget
        self.title = title
        self.subtitle = subtitle
        self.recovered = recovered
        self.bundleHash = bundleHash
    }

    package init(record: RunRecord, budget: Duration?, recovered: RecoveryCause?, bundleHash: String = "") {
        run = record.run
        identifier = record.identifier
        app = record.app
        kind = record.request.kind
        origin = record.origin
        attempt = record.attempt
        self.budget = budget
        title = record.request.title
        subtitle = record.request.subtitle
        self.recovered = recovered
        self.bundleHash = bundleHash
    }
}

/// The phase of the runner itself.
package enum RunnerPhase: String, Sendable, Codable, CaseIterable {
    /// Bundles are being loaded. Can transition to `running`, `draining`.
    case starting
    /// Can transition to `draining`.
    case running
    /// Nothing new starts; runs may end. Final.
    case draining
}
