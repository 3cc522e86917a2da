import Scheduling

/// Requests: what waits, and why.
extension ControlMethods {
    package static let submit = MethodDescription(
        "submit", summary: "Asks for a task to be run, not before a floor and under conditions.",
        parameters: [
            ControlParameters.identifier,
            ParameterDescription(
                "kind", .enumeration(ControlParameters.words(TaskKind.self)),
                summary: "The registered kind by default."),
            ParameterDescription(
                "earliestBeginDate", .date, summary: "The floor: the task never starts sooner, and may start later."),
            ParameterDescription(
                "requiresNetworkConnectivity", .boolean, summary: "Holds the task until a network is there."),
            ParameterDescription(
                "requiresExternalPower", .boolean, summary: "Holds the task until there is external power."),
            ParameterDescription("title", .string, summary: "The title of continued processing, for people."),
            ParameterDescription("subtitle", .string, summary: "The subtitle of continued processing, for people."),
            ParameterDescription(
                "strategy", .enumeration(ControlParameters.words(SubmissionStrategy.self)),
                summary: "What happens when continued processing cannot start at once."),
            ParameterDescription(
                "ifPending", .enumeration(ControlParameters.words(PendingChoice.self)),
                summary: "What happens when a request is pending already; 'replace' by default."),
            ControlParameters.seconds(
                "toleranceSeconds", "How much later a request that is kept may start; for 'keepEarlier'."),
        ],
        result: "{outcome: submitted|replaced|kept, request, previous?, postponed?}",
        errors: [
            "invalidIdentifier", "notPermitted", "notRegistered", "kindMismatch", "backgroundModeMissing",
            "unavailable", "invalidDate", "tooManyPendingTaskRequests", "immediateRunIneligible", "draining",
            "storeUnavailable",
        ],
        access: .operate)

    package static let cancel = MethodDescription(
        "cancel", summary: "Takes a pending request back; a running task goes on.",
        parameters: [ControlParameters.identifier], result: "{cancelled, request?}",
        errors: ["invalidIdentifier", "storeUnavailable"], access: .operate)

    package static let cancelAll = MethodDescription(
        "cancelAll", summary: "Takes all pending requests back, or those of one app.",
        parameters: [ControlParameters.optionalApp], result: "{cancelled}, the number of requests",
        errors: ["invalidIdentifier", "noSuchApp", "storeUnavailable"], access: .operate)

    package static let pending = MethodDescription(
        "pending", summary: "Lists the requests that wait.",
        parameters: [
            ControlParameters.optionalIdentifier, ControlParameters.optionalApp, ControlParameters.limit,
            ControlParameters.after,
        ],
        result: "{requests: [Request], next?}", errors: ["invalidIdentifier", "noSuchApp", "storeUnavailable"],
        access: .read)

    package static let explain = MethodDescription(
        "explain", summary: "Says why a task has not run yet, and what would let it run.",
        parameters: [ControlParameters.identifier],
        result: "{identifier, status, summary, gates: [Gate], pending?, running?, lastRun?, diagnostics}",
        errors: ["invalidIdentifier", "storeUnavailable"], access: .read)
}
