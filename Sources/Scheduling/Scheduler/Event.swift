/// Who waits for the answer to an event; the engine gives the numbers.
package struct CallIdentifier: Hashable, Sendable, Codable {
    package var number: UInt64

    package init(_ number: UInt64) {
        self.number = number
    }
}

/// What happened, in the past tense. `runnerd --record` writes events as they are encoded here.
package enum Event: Hashable, Sendable, Codable {
    // MARK: The runner
    case started(StartFacts)
    /// Every app that is there at the start is known; what is not is missing.
    case loadingFinished
    case timePassed
    indirect case policyChanged(Policy)
    case clockJumped(milliseconds: Int64)
    case utcOffsetChanged(seconds: Int)
    case drainBegan(grace: Duration)
    case drainHurried
    case storeFailed(StoreFailure)
    case storeRecovered

    // MARK: Apps
    indirect case appLoaded(AppDescription)
    case appRemoved(AppIdentifier)
    case handlerRegistered(HandlerRegistration, call: CallIdentifier)
    case launchFinished(AppIdentifier)
    case paused(app: AppIdentifier?, call: CallIdentifier)
    case resumed(app: AppIdentifier?, call: CallIdentifier)
    case appOpened(AppIdentifier, call: CallIdentifier)
    case appForceQuit(AppIdentifier, call: CallIdentifier)
    case refreshSwitched(AppIdentifier, enabled: Bool, call: CallIdentifier)
    case quarantineLifted(AppIdentifier, call: CallIdentifier)

    // MARK: Processes of apps
    case processStarted(AppIdentifier, ProcessNumber, ProcessMark?)
    /// With a remedy something has run out that its app cannot help; the remedy says what mends that.
    case processStartFailed(AppIdentifier, ProcessNumber, reason: String, remedy: String? = nil)
    /// It said hello.
    case appConnected(AppIdentifier, ProcessNumber)
    indirect case processGone(AppIdentifier, ProcessNumber, ProcessEnd)
    /// It spoke of a run that is not its own (B3).
    case foreignRunNamed(AppIdentifier, RunIdentifier)
    /// A process of an app that the last runner started.
    case appLeftoverFound(AppIdentifier)
    case appLeftoverGone(AppIdentifier)

    // MARK: Requests
    case requestSubmitted(TaskRequest, SubmissionOptions, call: CallIdentifier)
    case requestCancelled(TaskIdentifier, by: AppIdentifier?, call: CallIdentifier)
    case allRequestsCancelled(app: AppIdentifier?, call: CallIdentifier)
    case launchSimulated(TaskIdentifier, SimulationOptions, call: CallIdentifier)
    case expirationSimulated(TaskIdentifier, ExpirationReason, call: CallIdentifier)
    case stopAsked(identifier: TaskIdentifier?, run: RunIdentifier?, call: CallIdentifier)
    /// Nobody waits for the answer any more.
    case callAbandoned(CallIdentifier)

    // MARK: Runs
    case handlerEntered(RunIdentifier, ProcessMark?)
    /// The remedy is there when the runner lacked something that the app cannot help.
    case startFailed(RunIdentifier, reason: String, remedy: String? = nil)
    case runCompleted(RunIdentifier, RunResult, message: String?, call: CallIdentifier?)
    /// The handler's code is over, after its run ended or without a word.
    case handlerReturned(RunIdentifier)
    case processExited(RunIdentifier, ProcessExit)
    case progressed(RunIdentifier, RunProgress)
    case leftoverFound(Leftover)
    case leftoverGone(TaskIdentifier)

    // MARK: The device
    /// The device looks at deferred work, under a policy whose windows are given.
    case windowOpened(lasting: Duration)
    case conditionReported(DeviceCondition, ConditionValue?, source: String, validFor: Duration?, call: CallIdentifier?)
    case sourceLost(String)
    case conditionOverridden(DeviceCondition, ConditionValue, lasting: Duration?, call: CallIdentifier)
    case overrideCleared(DeviceCondition?, call: CallIdentifier)
}

/// What is known of the machine and the program at a start.
package struct StartFacts: Hashable, Sendable, Codable {
    package var bootIdentifier: BootIdentifier
    package var osVersion: String
    package var runnerVersion: String
    package var utcOffsetSeconds: Int

    package init(bootIdentifier: BootIdentifier, osVersion: String, runnerVersion: String, utcOffsetSeconds: Int) {
        self.bootIdentifier = bootIdentifier
        self.osVersion = osVersion
        self.runnerVersion = runnerVersion
        self.utcOffsetSeconds = utcOffsetSeconds
    }
}

/// A handler that asks to be registered.
package struct HandlerRegistration: Hashable, Sendable, Codable {
    package var identifier: String
    package var app: AppIdentifier
    package var kind: TaskKind?
    /// Where the registration comes from: a file and line, or a manifest's key (B6).
    package var origin: String
    /// The API that it comes by cannot say a kind: once the app is launched it is for continued processing, where the
    /// manifest leaves nothing else (B5). `nil` is no.
    package var infersKind: Bool?

    package init(
        identifier: String, app: AppIdentifier, kind: TaskKind?, origin: String, infersKind: Bool? = nil
    ) {
        self.identifier = identifier
        self.app = app
        self.kind = kind
        self.origin = origin
        self.infersKind = infersKind
    }
}

/// How a submission treats a pending request, and who makes it.
package struct SubmissionOptions: Hashable, Sendable, Codable {
    package var ifPending: PendingChoice
    /// For `keepEarlier` (B12); `nil` is the policy's.
    package var tolerance: Duration?
    /// The app whose own channel this is; `nil` for the control socket.
    package var by: AppIdentifier?

    package init(ifPending: PendingChoice = .replace, tolerance: Duration? = nil, by: AppIdentifier? = nil) {
        self.ifPending = ifPending
        self.tolerance = tolerance
        self.by = by
    }
}

/// How a launch is simulated (B32, B33).
package struct SimulationOptions: Hashable, Sendable, Codable {
    package var submit: Bool
    package var budget: Bool

    package init(submit: Bool = false, budget: Bool = false) {
        self.submit = submit
        self.budget = budget
    }
}

/// What a handler says of its run.
package enum RunResult: String, Sendable, Codable, CaseIterable {
    case succeeded
    case failed
    /// The task object was dropped without completing (B27).
    case abandoned
    /// It was expired and had no expiration handler (B25).
    case noExpirationHandler
}
