import Scheduling

/// The methods of the control socket. Dispatch, the command line, help and discovery read these rows.
package enum ControlMethods {
    /// Every method, in the order in which people see them listed.
    package static let all: [MethodDescription] = [
        discover, hello, status, apps, registered,
        submit, cancel, cancelAll, stop, pending, running,
        simulateLaunch, simulateExpiration, wait, run, history,
        explain, doctor,
        device, deviceHistory, deviceOverride, deviceClear, deviceReport,
        appOpened, appForceQuit, appSetRefresh, appResume,
        pause, resume, log, reload, storeAcknowledge,
        eventsSubscribe, eventsUnsubscribe, debug, shutdown,
    ]

    /// The version of the protocol that these methods make up.
    package static let protocolVersion: Int64 = 1

    typealias Member = JSONSchema.Member

    // MARK: The daemon

    package static let discover = MethodDescription(
        "rpc.discover", summary: "Describes every method as an OpenRPC document.",
        result: .object([
            Member("openrpc", .string, "The version of OpenRPC."), Member("info", .any),
            Member("methods", .array(.any)),
            Member("components", .any, "The shapes and the errors that methods refer to."),
            Member("x-notifications", .array(.any), "What subscribers are sent."),
            Member("x-errors", .array(.string), "What any request can be answered with."),
        ]),
        access: .read,
        example: MethodExample(
            "What is there? (shortened)",
            result: """
                {"openrpc":"1.3.2","info":{"title":"Runner","version":"0.1.0"},"methods":[{"name":"hello","params":[]}],\
                "components":{"schemas":{},"errors":{}},"x-notifications":[],"x-errors":["parseError"]}
                """))

    package static let hello = MethodDescription(
        "hello", summary: "Says who is there, what it can do and what the caller may do.",
        parameters: [
            ParameterDescription("client", .string, summary: "The name of the caller's program."),
            ParameterDescription(
                "protocols", .any, shape: .array(.integer()),
                summary: "The versions that the caller speaks, such as [1]."),
        ],
        result: .object([
            Member("protocol", .integer(), "The version that is spoken here."), Member("server", .string),
            Member("version", .string, "Of the server."),
            Member("capabilities", .array(.string), "The names of the methods."),
            Member("limits", .named(ControlTypes.limits)),
            Member("user", ControlTypes.count, optional: true, "The number of the caller's user."),
            Member("access", .enumeration(AccessLevel.allCases.map(\.name)), "What the caller may do."),
            Member("instance", .string, "Names this life of the daemon."),
        ]),
        access: .read,
        example: MethodExample(
            "Who is there?", params: #"{"client":"example","protocols":[1]}"#,
            result: """
                {"protocol":1,"server":"runnerd","version":"0.1.0","capabilities":["hello","status"],\
                "limits":\(ControlExamples.limits),"user":1000,"access":"admin","instance":"1f0c9a2b-812-1796028300000"}
                """))

    package static let status = MethodDescription(
        "status", summary: "Shows the daemon's phase, its policy, its store and how much there is of everything.",
        result: .object([
            Member("version", .string), Member("pid", .integer(1...Double.infinity)),
            Member("phase", .word(of: RunnerPhase.self)), Member("startedAt", .date),
            Member("recovered", .word(of: RecoveryCause.self), optional: true, "Why it was started again."),
            Member("policy", .string), Member("limits", .string, "The name of the limits of pending requests."),
            Member("apps", ControlTypes.count), Member("registered", ControlTypes.count, "Identifiers with a handler."),
            Member("pending", ControlTypes.count), Member("running", ControlTypes.count),
            Member("paused", .boolean, "Whether all new runs are held."),
            Member("simulation", .boolean, "Whether simulate and override methods work."),
            Member("store", .named(ControlTypes.store)),
        ]),
        access: .read,
        example: MethodExample(
            "What does it do?",
            result: """
                {"version":"0.1.0","pid":812,"phase":"running","startedAt":"2026-11-30T08:30:00.000Z",\
                "policy":"prompt","limits":"generous","apps":1,"registered":2,"pending":1,"running":0,"paused":false,\
                "simulation":true,"store":\(ControlExamples.store)}
                """))

    package static let doctor = MethodDescription(
        "doctor", summary: "Lists what is wrong now, each with its fix.",
        result: .object([Member("findings", .array(.named(ControlTypes.finding)))]), access: .read,
        example: MethodExample("What is wrong?", result: #"{"findings":[\#(ControlExamples.finding)]}"#))

    package static let pause = MethodDescription(
        "pause", summary: "Holds all new runs, or those of one app.",
        parameters: [ControlParameters.optionalApp], result: pauseResult,
        errors: [.invalidIdentifier, .noSuchApp, .storeUnavailable], access: .admin,
        example: MethodExample("One app only", params: ControlExamples.app, result: #"{"paused":true}"#))

    package static let resume = MethodDescription(
        "resume", summary: "Ends a pause.",
        parameters: [ControlParameters.optionalApp], result: pauseResult,
        errors: [.invalidIdentifier, .noSuchApp, .storeUnavailable], access: .admin,
        example: MethodExample("One app only", params: ControlExamples.app, result: #"{"paused":false}"#))

    package static let reload = MethodDescription(
        "reload", summary: "Reads the bundles and the configuration again.",
        result: .object([
            Member("apps", ControlTypes.count, "How many there are now."),
            Member("findings", .array(.named(ControlTypes.finding))),
        ]),
        errors: [.storeUnavailable], access: .admin,
        example: MethodExample("After a bundle was changed", result: #"{"apps":1,"findings":[]}"#))

    package static let storeAcknowledge = MethodDescription(
        "store.acknowledge", summary: "Notes that a person has seen that a damaged store was set aside.",
        result: .named(ControlTypes.store), errors: [.storeUnavailable], access: .admin,
        example: MethodExample("A person has seen it", result: ControlExamples.store))

    package static let shutdown = MethodDescription(
        "shutdown", summary: "Lets the runs finish for a while, then expires them, and ends the daemon.",
        parameters: [ControlParameters.seconds("graceSeconds", "How long the runs may go on.")],
        result: .object([]), resultNote: "Then the daemon drains.", access: .admin,
        example: MethodExample("At once", params: #"{"graceSeconds":0}"#, result: "{}"))

    // MARK: Apps

    package static let apps = MethodDescription(
        "apps", summary: "Lists the apps that the daemon hosts.",
        result: .object([Member("apps", .array(.named(ControlTypes.app)))]), errors: [.storeUnavailable],
        access: .read,
        example: MethodExample(
            "Which apps are there?",
            result: """
                {"apps":[{"app":"com.example.app","bundle":"/etc/runner/plugins/app.plugin","state":"launched",\
                "permitted":["com.example.app.refresh","com.example.app.export"],"registered":2,"restarts":0,\
                "diagnostics":[]}]}
                """))

    package static let registered = MethodDescription(
        "registered", summary: "Lists the identifiers that have a handler.",
        result: .object([Member("identifiers", .array(.named(ControlTypes.handler)))]), errors: [.storeUnavailable],
        access: .read,
        example: MethodExample(
            "What has a handler?",
            result: """
                {"identifiers":[{"identifier":"com.example.app.refresh","app":"com.example.app","kind":"appRefresh",\
                "handler":"commands","permittedBy":"com.example.app.refresh"}]}
                """))

    package static let appOpened = MethodDescription(
        "app.opened", summary: "Notes that the user opened an app.",
        parameters: [ControlParameters.app], result: appResult, errors: appErrors, access: .operate,
        example: MethodExample("The user came", params: ControlExamples.app, result: ControlExamples.app))

    package static let appForceQuit = MethodDescription(
        "app.forceQuit", summary: "Notes that the user force-quit an app.",
        parameters: [ControlParameters.app], result: appResult, errors: appErrors, access: .operate,
        example: MethodExample("The user swiped it away", params: ControlExamples.app, result: ControlExamples.app))

    package static let appSetRefresh = MethodDescription(
        "app.setRefresh", summary: "Switches background refresh for an app on or off.",
        parameters: [
            ControlParameters.app,
            ParameterDescription(
                "enabled", .boolean, required: true, summary: "Whether the app may refresh in the background."),
        ],
        result: appResult, errors: appErrors, access: .operate,
        example: MethodExample(
            "Switch it on", params: #"{"app":"com.example.app","enabled":true}"#, result: ControlExamples.app))

    package static let appResume = MethodDescription(
        "app.resume", summary: "Takes an app out of quarantine.",
        parameters: [ControlParameters.app], result: appResult, errors: appErrors, access: .admin,
        example: MethodExample("After its program was mended", params: ControlExamples.app, result: ControlExamples.app)
    )

    private static let appErrors: [Refusal.Kind] = [.invalidIdentifier, .noSuchApp, .storeUnavailable]
    private static let appResult = JSONSchema.object([Member("app", .string)])
    private static let pauseResult = JSONSchema.object([
        Member("paused", .boolean, "Whether new runs are held now.")
    ])
}
