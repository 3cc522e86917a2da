package import Scheduling

extension RPCError {
    /// What the scheduler refused, as the control socket says it; `remaining` belongs to the refusal's run.
    package init(_ refusal: Refusal, remaining: Duration? = nil) {
        self.init(
            code: Self.code(of: refusal.kind), kind: refusal.kind.rawValue, message: refusal.message
        ) { writer in
            // The scheduler has one limit of this kind; those of connections have an error of their own.
            if refusal.kind == .limitExceeded { writer.member("limit", "onDemandRegistrations") }
            writer.member("member", refusal.member)
            writer.member("nearest", refusal.nearest)
            if !refusal.related.isEmpty { writer.member("related", strings: refusal.related) }
            writer.member("run", refusal.run, remaining: remaining)
        }
    }

    /// A wait that was longer than the caller wanted; the run goes on.
    package static func timedOut(_ run: RunRecord, remaining: Duration? = nil) -> RPCError {
        RPCError(
            Refusal(
                .timedOut,
                "Run \(run.run.number) of \(run.identifier) has not ended in that time; it goes on, so wait again or stop it.",
                run: run),
            remaining: remaining)
    }

    package static func noSuchSubscription(_ number: Int64) -> RPCError {
        RPCError(
            Refusal(
                .noSuchSubscription,
                "This connection has no subscription \(number); it may have ended with 'overflow'."))
    }

    /// Events cannot be continued from where the caller was; from `oldest` on they can.
    ///
    /// - Parameter since: the caller's place in the events of this instance; nil when it was in those of another.
    package static func resyncRequired(
        since: Int64?, instance: String, sequence: Int64, oldest: Int64
    ) -> RPCError {
        let message =
            if let since, since > sequence {
                "There was no event \(since) yet, the last is \(sequence); give the 'sequence' of an event that came."
            } else if let since {
                "The events that follow \(since) are kept only from \(oldest) on; subscribe with 'snapshot' and begin anew, "
                    + "or go on from there with a gap."
            } else {
                "The runner has been started again since then and begins to count anew; "
                    + "subscribe with 'snapshot' and begin anew, too."
            }
        return RPCError(
            code: code(of: .resyncRequired), kind: Refusal.Kind.resyncRequired.rawValue, message: message
        ) { writer in
            writer.member("instance", instance)
            writer.member("sequence", sequence)
            writer.member("oldest", oldest)
        }
    }

    package static func noSuchRun(_ run: RunIdentifier) -> RPCError {
        RPCError(
            Refusal(
                .noSuchRun,
                "There is no run \(run.number); 'history' lists the runs that are kept."))
    }

    package static func simulationDisabled(method: String) -> RPCError {
        RPCError(
            Refusal(
                .simulationDisabled,
                "The method '\(method)' is switched off here; set \"simulation\": true in the configuration to allow it."
            ))
    }

    package static func storeUnavailable(_ failure: StoreFailure) -> RPCError {
        RPCError(Refusal(.storeUnavailable, failure.message))
    }

    package static func code(of kind: Refusal.Kind) -> Int {
        switch kind {
        case .invalidParams: invalidParamsCode
        case .unavailable: 1
        case .tooManyPendingTaskRequests: 2
        case .notPermitted: 3
        case .immediateRunIneligible: 4
        case .notRegistered: 10
        case .noPendingRequest: 11
        case .alreadyRunning: 12
        case .notRunning: 13
        case .invalidIdentifier, .invalidDate: 14
        case .backgroundModeMissing: 15
        case .noSuchRun, .noSuchApp, .noSuchSubscription: 16
        case .registrationClosed, .alreadyRegistered, .wildcardRegistration: 17
        case .kindMismatch: 18
        case .launchFailed, .appMissing: 19
        case .simulationDisabled: 20
        case .accessDenied: accessDeniedCode
        case .limitExceeded: limitExceededCode
        case .storeUnavailable: 23
        case .resyncRequired, .timedOut, .draining: 24
        }
    }
}
