import Scheduling

/// Runs: now, simulated, and over.
extension ControlMethods {
    package static let running = MethodDescription(
        "running", summary: "Lists the runs that have not ended.", result: "{runs: [Run]}", access: .read)

    package static let run = MethodDescription(
        "run", summary: "Shows one run.", parameters: [ControlParameters.run], result: "{run: Run}",
        errors: ["noSuchRun", "storeUnavailable"], access: .read)

    package static let wait = MethodDescription(
        "wait", summary: "Answers when a run has ended.",
        parameters: [ControlParameters.run, ControlParameters.timeout], result: "{run: Run}",
        errors: ["noSuchRun", "timedOut", "storeUnavailable"], access: .read)

    package static let stop = MethodDescription(
        "stop", summary: "Expires a running task, because a person wishes it.",
        parameters: [
            ParameterDescription("identifier", .string, summary: "The task whose run is meant."),
            ParameterDescription(
                "run", .integer, bounds: 1...Double.infinity, summary: "The number of the run that is meant."),
            ControlParameters.wait,
        ],
        result: "{run: Run}", errors: ["invalidIdentifier", "noSuchRun", "notRunning", "storeUnavailable"],
        access: .operate)

    package static let history = MethodDescription(
        "history", summary: "Lists the runs that are kept, newest first.",
        parameters: [
            ControlParameters.optionalIdentifier, ControlParameters.limit, ControlParameters.before,
            ParameterDescription(
                "origin", .enumeration(ControlParameters.words(RunOrigin.self)), summary: "Only runs of this origin."),
            ParameterDescription(
                "state", .enumeration(ControlParameters.words(RunState.self)), summary: "Only runs in this state."),
        ],
        result: "{runs: [Run], next?}", errors: ["invalidIdentifier", "storeUnavailable"], access: .read)

    package static let log = MethodDescription(
        "log", summary: "Shows the output of a run, or of an app.",
        parameters: [
            ParameterDescription(
                "run", .integer, bounds: 1...Double.infinity, summary: "The number of the run."),
            ParameterDescription("app", .string, summary: "The app, instead of a run."),
            ControlParameters.limit, ControlParameters.after,
        ],
        result: "{lines: [{at, stream, text}], next?}",
        errors: ["invalidIdentifier", "noSuchRun", "noSuchApp", "storeUnavailable"], access: .read)

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
        result: "{run: Run}, at launch, or at the run's end with 'wait'",
        errors: [
            "invalidIdentifier", "noPendingRequest", "notPermitted", "notRegistered", "alreadyRunning",
            "launchFailed", "appMissing", "simulationDisabled", "timedOut", "draining", "storeUnavailable",
        ],
        access: .admin)

    package static let simulateExpiration = MethodDescription(
        "simulateExpiration", summary: "Expires the current run of a task.",
        parameters: [
            ControlParameters.identifier,
            ParameterDescription(
                "reason", .enumeration(ControlParameters.words(ExpirationReason.self)),
                summary: "What the handler is told; 'simulated' by default."),
            ControlParameters.wait, ControlParameters.timeout,
        ],
        result: "{run: Run}, at once, or at the run's end with 'wait'",
        errors: [
            "invalidIdentifier", "notRunning", "simulationDisabled", "timedOut", "storeUnavailable",
        ],
        access: .admin)
}
