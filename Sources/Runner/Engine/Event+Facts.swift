import Scheduling

extension Event {
    /// Whether it tells of the world, not of a caller's wish: it cannot be undone, so a failed commit feeds it again.
    var isFact: Bool {
        switch self {
        case .handlerEntered, .startFailed, .runCompleted, .handlerReturned, .processExited, .progressed,
            .leftoverFound, .leftoverGone, .sourceLost, .clockJumped, .utcOffsetChanged, .conditionReported,
            .started, .drainBegan, .drainHurried:
            true
        case .loadingFinished, .timePassed, .policyChanged, .storeFailed, .storeRecovered, .appLoaded, .appRemoved,
            .handlerRegistered, .launchFinished, .paused, .resumed, .appOpened, .appForceQuit, .refreshSwitched,
            .quarantineLifted, .requestSubmitted, .requestCancelled, .allRequestsCancelled, .launchSimulated,
            .expirationSimulated, .stopAsked, .conditionOverridden, .overrideCleared:
            false
        }
    }
}
