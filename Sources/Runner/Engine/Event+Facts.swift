import Scheduling

extension Event {
    /// Whether it tells of the world, not of a caller's wish: it cannot be undone, so a failed commit feeds it again.
    var isFact: Bool {
        switch self {
        case .handlerEntered, .startFailed, .runCompleted, .handlerReturned, .processExited,
            .leftoverFound, .leftoverGone, .sourceLost, .clockJumped, .utcOffsetChanged, .conditionReported,
            .started, .drainBegan, .drainHurried, .processGone, .processStartFailed:
            true
        // Progress that is lost comes again with the next line.
        case .progressed, .loadingFinished, .timePassed, .policyChanged, .storeFailed, .storeRecovered, .appLoaded,
            .appRemoved, .windowOpened,
            .handlerRegistered, .launchFinished, .paused, .resumed, .appOpened, .appForceQuit, .refreshSwitched,
            .quarantineLifted, .requestSubmitted, .requestCancelled, .allRequestsCancelled, .launchSimulated,
            .processStarted, .appConnected, .foreignRunNamed, .appLeftoverFound, .appLeftoverGone,
            .expirationSimulated, .stopAsked, .conditionOverridden, .overrideCleared, .callAbandoned:
            false
        }
    }

    /// The call that waits for the answer to a fact.
    var call: CallIdentifier? {
        if case .runCompleted(_, _, _, let call) = self { call } else { nil }
    }

    /// A handler that says it is there: nothing of that is stored.
    var isRegistration: Bool {
        if case .handlerRegistered = self { true } else { false }
    }

    /// A person's wish that a run ends.
    var endsRun: Bool {
        switch self {
        case .stopAsked, .expirationSimulated: true
        default: false
        }
    }
}
