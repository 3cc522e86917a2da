import Scheduling

/// Runs: now, simulated, and over.
extension ControlMethods {
    package static let running = MethodDescription(
        "running", summary: "Lists the runs that have not ended.",
        result: .object([Member("runs", .array(.named(ControlTypes.run)))]), errors: [.storeUnavailable],
        access: .read,
        example: MethodExample("What runs now", result: #"{"runs":[\#(ControlExamples.begun)]}"#))

    package static let run = MethodDescription(
        "run", summary: "Shows one run.", parameters: [ControlParameters.run], result: oneRun,
        errors: [.noSuchRun, .storeUnavailable], access: .read,
        example: MethodExample(
            "A run that has ended", params: #"{"run":1}"#, result: #"{"run":\#(ControlExamples.ended)}"#))

    package static let wait = MethodDescription(
        "wait", summary: "Answers when a run has ended.",
        parameters: [ControlParameters.run, ControlParameters.timeout], result: oneRun,
        errors: [.noSuchRun, .timedOut, .storeUnavailable], access: .read,
        example: MethodExample(
            "Ten seconds at most", params: #"{"run":1,"timeoutSeconds":10}"#,
            result: #"{"run":\#(ControlExamples.ended)}"#))

    package static let stop = MethodDescription(
        "stop", summary: "Expires a running task, because a person wishes it.",
        parameters: [
            ParameterDescription("identifier", .string, summary: "The task whose run is meant."),
            ParameterDescription(
                "run", .integer, bounds: 1...Double.infinity, summary: "The number of the run that is meant."),
            ControlParameters.wait,
        ],
        result: oneRun, resultNote: "At once, or at the run's end with 'wait'.",
        errors: [.invalidIdentifier, .noSuchRun, .notRunning, .storeUnavailable], access: .operate,
        example: MethodExample(
            "The run of a task", params: #"{"identifier":"com.example.app.export"}"#,
            result: #"{"run":\#(ControlExamples.expiring(.stopped))}"#))

    package static let history = MethodDescription(
        "history", summary: "Lists the runs that are kept, newest first.",
        parameters: [
            ControlParameters.optionalIdentifier, ControlParameters.limit, ControlParameters.before,
            ParameterDescription(
                "origin", .enumeration(ControlParameters.words(RunOrigin.self)), summary: "Only runs of this origin."),
            ParameterDescription(
                "state", .enumeration(ControlParameters.words(RunState.self)), summary: "Only runs in this state."),
        ],
        result: .object([
            Member("runs", .array(.named(ControlTypes.run)), "Newest first."),
            Member("next", .string, optional: true, "For 'before', when there is more."),
        ]),
        errors: [.invalidIdentifier, .storeUnavailable], access: .read,
        example: MethodExample(
            "The last runs of a task", params: #"{"identifier":"com.example.app.refresh","limit":2}"#,
            result: #"{"runs":[\#(ControlExamples.ended)]}"#))

    package static let log = MethodDescription(
        "log", summary: "Shows the output of a run, or of an app.",
        parameters: [
            ParameterDescription(
                "run", .integer, bounds: 1...Double.infinity, summary: "The number of the run."),
            ParameterDescription("app", .string, summary: "The app, instead of a run."),
            ControlParameters.limit, ControlParameters.after,
        ],
        result: .object([
            Member("lines", .array(.named(ControlTypes.line)), "Oldest first; of an app those of all its runs."),
            Member("next", .string, optional: true, "For 'after', when there is more."),
            Member("end", .string, "For 'after', to see what is written after these lines."),
        ]),
        errors: [.invalidIdentifier, .noSuchRun, .noSuchApp, .storeUnavailable], access: .read,
        example: MethodExample(
            "What a run wrote", params: #"{"run":1,"limit":10}"#, result: ControlExamples.log))

    package static let simulateLaunch = MethodDescription(
        "simulateLaunch", summary: "Runs the pending request of a task now, whatever its gates say.",
        parameters: [
            ControlParameters.identifier,
            ParameterDescription(
                "submit", .boolean, summary: "Submits a request without a floor first, if nothing is pending."),
            ParameterDescription(
                "budget", .boolean, summary: "Gives the run its time budget; simulated runs have none by default."),
            ControlParameters.wait, ControlParameters.timeout,
        ],
        result: oneRun, resultNote: "At the launch, or at the run's end with 'wait'.",
        errors: [
            .invalidIdentifier, .noPendingRequest, .notPermitted, .notRegistered, .kindMismatch, .backgroundModeMissing,
            .unavailable, .tooManyPendingTaskRequests, .immediateRunIneligible, .alreadyRunning, .launchFailed,
            .appMissing,
            .simulationDisabled, .timedOut, .draining, .storeUnavailable,
        ],
        access: .admin,
        example: MethodExample(
            "Run a task now, and wait for it",
            params: #"{"identifier":"com.example.app.refresh","submit":true,"wait":true,"timeoutSeconds":10}"#,
            result: #"{"run":\#(ControlExamples.ended)}"#))

    package static let simulateExpiration = MethodDescription(
        "simulateExpiration", summary: "Expires the current run of a task.",
        parameters: [
            ControlParameters.identifier,
            ParameterDescription(
                "reason", .enumeration(ControlParameters.words(ExpirationReason.self)),
                summary: "What the handler is told; 'simulated' by default."),
            ControlParameters.wait, ControlParameters.timeout,
        ],
        result: oneRun, resultNote: "At once, or at the run's end with 'wait'.",
        errors: [
            .invalidIdentifier, .notRunning, .simulationDisabled, .timedOut, .storeUnavailable,
        ],
        access: .admin,
        example: MethodExample(
            "As if its budget had ended", params: #"{"identifier":"com.example.app.export","reason":"budget"}"#,
            result: #"{"run":\#(ControlExamples.expiring(.budget))}"#))

    private static let oneRun = JSONSchema.object([Member("run", .named(ControlTypes.run))])
}
