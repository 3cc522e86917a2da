package import Scheduling

/// A kind of error, as discovery tells it.
package struct ErrorDescription: Hashable, Sendable {
    package let code: Int
    /// What programs match on; `data.kind` of the error.
    package let kind: String
    /// One sentence.
    package let summary: String

    /// What any request can be answered with, whatever its method.
    package static let ofEveryRequest = [
        ErrorDescription(
            code: RPCError.parseErrorCode, kind: "parseError", summary: "The line is no strict JSON, or begins wrongly."
        ),
        ErrorDescription(
            code: RPCError.invalidRequestCode, kind: "invalidRequest", summary: "The JSON is no JSON-RPC request."),
        ErrorDescription(
            code: RPCError.methodNotFoundCode, kind: "methodNotFound", summary: "There is no method of this name."),
        ErrorDescription(
            code: RPCError.internalErrorCode, kind: "internalError", summary: "The runner failed; its log says more."),
        ErrorDescription(.invalidParams), ErrorDescription(.accessDenied), ErrorDescription(.limitExceeded),
    ]

    /// Every kind there is.
    package static let all =
        ofEveryRequest
        + Refusal.Kind.allCases.map { ErrorDescription($0) }.filter { !ofEveryRequest.contains($0) }

    init(code: Int, kind: String, summary: String) {
        self.code = code
        self.kind = kind
        self.summary = summary
    }

    package init(_ kind: Refusal.Kind) {
        self.init(code: RPCError.code(of: kind), kind: kind.rawValue, summary: Self.summary(of: kind))
    }

    private static func summary(of kind: Refusal.Kind) -> String {
        switch kind {
        case .invalidParams: "A parameter is missing, unknown, ill-typed or out of range."
        case .unavailable: "App refresh is switched off, or resources are not supported."
        case .tooManyPendingTaskRequests: "The app has no free slot for this kind of request."
        case .notPermitted: "The identifier is not in the app's manifest."
        case .immediateRunIneligible: "Continued processing cannot start now, and asked to fail then."
        case .notRegistered: "No handler is registered for the identifier."
        case .noPendingRequest: "Nothing is pending for the identifier."
        case .alreadyRunning: "The task runs already."
        case .notRunning: "The task does not run."
        case .invalidIdentifier: "The identifier breaks the rules for identifiers."
        case .invalidDate: "The date is out of range."
        case .backgroundModeMissing: "The app's manifest does not declare the background mode that the kind needs."
        case .noSuchRun: "There is no such run, or it is not kept any more."
        case .noSuchApp: "There is no such app."
        case .noSuchSubscription: "There is no such subscription on this connection."
        case .registrationClosed: "Registration ended when the app had finished launching."
        case .alreadyRegistered: "The identifier has a handler already."
        case .wildcardRegistration: "A handler cannot be registered for a pattern."
        case .kindMismatch: "The kind is not the registered one."
        case .launchFailed: "The handler could not be started."
        case .appMissing: "The app's bundle is gone."
        case .simulationDisabled: "Simulation is switched off in the configuration."
        case .accessDenied: "The caller may not call this method."
        case .limitExceeded: "A limit was passed; 'limit' names it."
        case .storeUnavailable: "The store cannot be used; nothing was changed."
        case .resyncRequired: "The stream cannot be continued from there; take a new snapshot."
        case .timedOut: "The time to wait is over; the run goes on."
        case .draining: "The runner is shutting down."
        }
    }
}
