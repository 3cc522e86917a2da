import Scheduling

/// The methods of the control socket. Dispatch, the command line, help and discovery read these rows.
package enum ControlMethods {
    /// Every method, in the order in which people see them listed.
    package static let all: [MethodDescription] = [
        hello, status, apps, registered,
        submit, cancel, cancelAll, stop, pending, running,
        simulateLaunch, simulateExpiration, wait, run, history,
        explain, doctor,
        device, deviceOverride, deviceClear, deviceReport,
        appOpened, appForceQuit, appSetRefresh, appResume,
        pause, resume, log, reload, storeAcknowledge, shutdown,
    ]

    /// The version of the protocol that these methods make up.
    package static let protocolVersion: Int64 = 1

    /// What `hello` says is there: the names of the methods.
    package static let capabilities = all.map(\.name)

    // MARK: The daemon

    package static let hello = MethodDescription(
        "hello", summary: "Says who is there, what it can do and what the caller may do.",
        parameters: [
            ParameterDescription("client", .string, summary: "The name of the caller's program."),
            ParameterDescription("protocols", .any, summary: "The versions that the caller speaks, such as [1]."),
        ],
        result: "{protocol, server, version, capabilities, limits, user, access, instance}", access: .read)

    package static let status = MethodDescription(
        "status", summary: "Shows the daemon's phase, its policy, its store and how much there is of everything.",
        result:
            "{version, pid, phase, startedAt, recovered?, policy, limits, apps, registered, pending, running, simulation, store}",
        access: .read)

    package static let doctor = MethodDescription(
        "doctor", summary: "Lists what is wrong now, each with its fix.",
        result: "{findings: [{severity, name, app?, identifier?, message, fix}]}", access: .read)

    package static let pause = MethodDescription(
        "pause", summary: "Holds all new runs, or those of one app.",
        parameters: [ControlParameters.optionalApp], result: "{paused}", errors: ["noSuchApp", "storeUnavailable"],
        access: .admin)

    package static let resume = MethodDescription(
        "resume", summary: "Ends a pause.",
        parameters: [ControlParameters.optionalApp], result: "{paused}", errors: ["noSuchApp", "storeUnavailable"],
        access: .admin)

    package static let reload = MethodDescription(
        "reload", summary: "Reads the bundles and the configuration again.",
        result: "{apps, findings}", errors: ["storeUnavailable"], access: .admin)

    package static let storeAcknowledge = MethodDescription(
        "store.acknowledge", summary: "Notes that a person has seen that a damaged store was set aside.",
        result: "{state, path?, schemaVersion}", errors: ["storeUnavailable"], access: .admin)

    package static let shutdown = MethodDescription(
        "shutdown", summary: "Lets the runs finish for a while, then expires them, and ends the daemon.",
        parameters: [ControlParameters.seconds("graceSeconds", "How long the runs may go on.")],
        result: "{}, then the daemon drains", access: .admin)

    // MARK: Apps

    package static let apps = MethodDescription(
        "apps", summary: "Lists the apps that the daemon hosts.",
        result: "{apps: [{app, bundle, state, process?, permitted, registered, restarts, diagnostics}]}",
        access: .read)

    package static let registered = MethodDescription(
        "registered", summary: "Lists the identifiers that have a handler.",
        result: "{identifiers: [{identifier, app, kind?, handler, permittedBy}]}", access: .read)

    package static let appOpened = MethodDescription(
        "app.opened", summary: "Notes that the user opened an app.",
        parameters: [ControlParameters.app], result: "{app}", errors: appErrors, access: .operate)

    package static let appForceQuit = MethodDescription(
        "app.forceQuit", summary: "Notes that the user force-quit an app.",
        parameters: [ControlParameters.app], result: "{app}", errors: appErrors, access: .operate)

    package static let appSetRefresh = MethodDescription(
        "app.setRefresh", summary: "Switches background refresh for an app on or off.",
        parameters: [
            ControlParameters.app,
            ParameterDescription(
                "enabled", .boolean, required: true, summary: "Whether the app may refresh in the background."),
        ],
        result: "{app}", errors: appErrors, access: .operate)

    package static let appResume = MethodDescription(
        "app.resume", summary: "Takes an app out of quarantine.",
        parameters: [ControlParameters.app], result: "{app}", errors: appErrors, access: .admin)

    private static let appErrors = ["invalidIdentifier", "noSuchApp", "storeUnavailable"]
}
