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
                "toleranceSeconds", "How much later a request that is kept may start; only with 'keepEarlier'."),
            ParameterDescription(
                "requiredResources", .stringArray,
                summary: "What the run needs beyond a processor; nothing is supported, so any is 'unavailable'."),
        ],
        result: .object([
            Member("outcome", .word(of: SubmissionResult.Outcome.self)),
            Member("request", .named(ControlTypes.request), "What is pending now."),
            Member("previous", .named(ControlTypes.request), optional: true, "What was pending before."),
            Member(
                "postponed", ControlTypes.count, optional: true,
                "How many times in a row the floor was moved later, if this call did that."),
        ]),
        errors: [
            .invalidIdentifier, .notPermitted, .notRegistered, .kindMismatch, .backgroundModeMissing,
            .unavailable, .invalidDate, .tooManyPendingTaskRequests, .immediateRunIneligible, .launchFailed, .draining,
            .storeUnavailable,
        ],
        access: .operate,
        example: MethodExample(
            "Not before a date, and with a network",
            params: """
                {"identifier":"com.example.app.refresh","earliestBeginDate":"2030-11-30T08:45:00Z",\
                "requiresNetworkConnectivity":true}
                """,
            result: #"{"outcome":"submitted","request":\#(ControlExamples.request)}"#))

    package static let cancel = MethodDescription(
        "cancel", summary: "Takes a pending request back; a running task goes on.",
        parameters: [ControlParameters.identifier],
        result: .object([
            Member("cancelled", .boolean, "False when nothing was pending."),
            Member("request", .named(ControlTypes.request), optional: true, "What was pending."),
        ]),
        errors: [.invalidIdentifier, .storeUnavailable], access: .operate,
        example: MethodExample(
            "Take a request back", params: ControlExamples.refresh,
            result: #"{"cancelled":true,"request":\#(ControlExamples.request)}"#))

    package static let cancelAll = MethodDescription(
        "cancelAll", summary: "Takes all pending requests back, or those of one app.",
        parameters: [ControlParameters.optionalApp],
        result: .object([Member("cancelled", ControlTypes.count, "How many requests were taken back.")]),
        errors: [.invalidIdentifier, .noSuchApp, .storeUnavailable], access: .operate,
        example: MethodExample("Those of one app", params: ControlExamples.app, result: #"{"cancelled":1}"#))

    package static let pending = MethodDescription(
        "pending", summary: "Lists the requests that wait.",
        parameters: [
            ControlParameters.optionalIdentifier, ControlParameters.optionalApp, ControlParameters.limit,
            ControlParameters.after,
        ],
        result: .object([
            Member("requests", .array(.named(ControlTypes.request))),
            Member("next", .string, optional: true, "For 'after', when there is more."),
        ]),
        errors: [.invalidIdentifier, .noSuchApp, .storeUnavailable], access: .read,
        example: MethodExample(
            "The first of one app", params: #"{"app":"com.example.app","limit":10}"#,
            result: #"{"requests":[\#(ControlExamples.request)]}"#))

    package static let explain = MethodDescription(
        "explain", summary: "Says why a task has not run yet, and what would let it run.",
        parameters: [ControlParameters.identifier],
        result: .object([
            Member("identifier", .string), Member("status", .word(of: Explanation.Status.self)),
            Member("summary", .string, "One sentence that a person can act on."),
            Member("gates", .array(.named(ControlTypes.gate)), "Those that hold the request come first."),
            Member("pending", .named(ControlTypes.request), optional: true),
            Member("running", .named(ControlTypes.run), optional: true),
            Member("lastRun", .named(ControlTypes.run), optional: true, "The newest that has ended."),
            Member("diagnostics", .array(.named(ControlTypes.diagnostic))),
        ]),
        errors: [.invalidIdentifier, .storeUnavailable], access: .read,
        example: MethodExample(
            "Why has it not run yet?", params: ControlExamples.refresh, result: ControlExamples.explanation))
}
