import Foundation
package import Scheduling

extension BGTaskScheduler.Error {
    /// The refusal with the nearest of Apple's codes, its own name, and its sentence.
    package init(_ refusal: Refusal) {
        self.init(
            Code(refusal.kind),
            userInfo: [NSLocalizedDescriptionKey: refusal.message, Self.refusalKindKey: refusal.kind.rawValue])
    }
}

extension BGTaskScheduler.Error.Code {
    init(_ kind: Refusal.Kind) {
        switch kind {
        case .tooManyPendingTaskRequests: self = .tooManyPendingTaskRequests
        case .immediateRunIneligible: self = .immediateRunIneligible
        // What only another manifest or another request would change.
        case .notPermitted, .notRegistered, .invalidIdentifier, .invalidDate, .invalidParams, .backgroundModeMissing,
            .kindMismatch, .wildcardRegistration, .alreadyRegistered, .registrationClosed, .accessDenied:
            self = .notPermitted
        case .unavailable, .storeUnavailable, .draining, .limitExceeded, .timedOut, .launchFailed, .appMissing,
            .noPendingRequest, .alreadyRunning, .notRunning, .noSuchRun, .noSuchApp, .noSuchSubscription,
            .simulationDisabled, .resyncRequired:
            self = .unavailable
        }
    }
}
