import Scheduling

/// The shapes that several results share. What writes them is in the extensions of `JSONWriter` beside this file.
enum ControlTypes {
    typealias Member = JSONSchema.Member

    static let count = JSONSchema.integer(0...Double.infinity)

    static let request = NamedSchema(
        "Request", "A request that waits until all its gates are open.",
        Member("identifier", .string), Member("kind", .word(of: TaskKind.self)),
        Member("earliestBeginDate", .date, optional: true, "The floor."),
        Member("requiresNetworkConnectivity", .boolean), Member("requiresExternalPower", .boolean),
        Member("title", .string, optional: true), Member("subtitle", .string, optional: true),
        Member("strategy", .word(of: SubmissionStrategy.self), optional: true, "Of continued processing."),
        Member("app", .string), Member("submittedAt", .date),
        Member("submission", .integer(), "A number that grows with every accepted submission."),
        Member("attempts", count, "Starts that failed before the handler was entered."))

    static let run = NamedSchema(
        "Run", "One run of a task's handler.",
        Member("run", .integer(1...Double.infinity), "Its number."), Member("identifier", .string),
        Member("app", .string), Member("kind", .word(of: TaskKind.self)),
        Member("origin", .word(of: RunOrigin.self)),
        Member("attempt", .integer(1...Double.infinity), "1 for the first start of the request."),
        Member("earliestBeginDate", .date, optional: true, "The floor of its request."),
        Member("submission", .integer(), "That of its request."),
        Member("waitedSeconds", .seconds, "How long the request had waited."),
        Member("waits", .array(.named(wait)), "The gates that held it."),
        Member("state", .word(of: RunState.self)), Member("submittedAt", .date), Member("startedAt", .date),
        Member("endedAt", .date, optional: true),
        Member("budgetSeconds", .seconds, optional: true, "Absent when the run has no budget."),
        Member("remainingSeconds", .seconds, optional: true, "Of its budget or its grace period."),
        Member("expiredAt", .date, optional: true),
        Member("expirationReason", .word(of: ExpirationReason.self), optional: true),
        Member("message", .string, optional: true, "What the handler said at its end."),
        Member(
            "progress", .named(progress), optional: true,
            "Of continued processing from its beginning, with the words of its request; of others when they tell it."),
        Member("exit", .named(exit), optional: true, "How its process ended."),
        Member("diagnostics", .array(.named(diagnostic))))

    static let wait = NamedSchema(
        "Wait", "How long a gate was the one that held a request.",
        Member("gate", .word(of: GateName.self)), Member("seconds", .seconds))

    static let progress = NamedSchema(
        "Progress", "How far a run says it is.",
        Member("fraction", .number(0...1)), Member("title", .string), Member("subtitle", .string))

    static let exit = NamedSchema(
        "Exit", "How a process ended: with one of the two.",
        Member("code", .integer(), optional: true), Member("signal", .integer(), optional: true))

    static let gate = NamedSchema(
        "Gate", "A condition that lets a request through or holds it.",
        Member("gate", .word(of: GateName.self)),
        Member("verdict", .word(of: GateVerdict.self), "“unknown” holds too: the source of the condition is gone."),
        Member("since", .date, optional: true), Member("opensAt", .date, optional: true, "When this is known."),
        Member("source", .string, optional: true, "Who says so."), Member("detail", .string, "One sentence."))

    static let diagnostic = NamedSchema(
        "Diagnostic", "Something that happened and that a person should know.",
        Member("name", .word(of: Diagnostic.Name.self)), Member("severity", .word(of: Diagnostic.Severity.self)),
        Member("at", .date), Member("identifier", .string, optional: true),
        Member("app", .string, optional: true, "When it is about no single task."), Member("message", .string),
        Member("expected", .string, optional: true), Member("fix", .string, optional: true),
        Member("count", count, optional: true, "How many of its name there were, where only the latest is shown."))

    static let finding = NamedSchema(
        "Finding", "Something that is wrong now, with its fix.",
        Member("severity", .word(of: Diagnostic.Severity.self)), Member("name", .string, "Stable; grows in number."),
        Member("app", .string, optional: true), Member("identifier", .string, optional: true),
        Member("message", .string), Member("fix", .string))

    static let app = NamedSchema(
        "App", "An app that the runner hosts.",
        Member("app", .string), Member("bundle", .string, optional: true, "Where it was loaded from."),
        Member("state", .word(of: AppState.self)),
        Member(
            "process", .integer(1...Double.infinity), optional: true, "That its handlers are in, if they share one."),
        Member("permitted", .array(.string), "The identifiers and patterns of its manifest."),
        Member("registered", count, "How many identifiers have a handler."),
        Member("restarts", count, "Of its process, without being asked."),
        Member("failure", .string, optional: true, "Why its process failed last, or is in quarantine."),
        Member("startsAgainAt", .date, optional: true, "Before this its process is not started again."),
        Member("diagnostics", .array(.named(diagnostic)), "The last ones about its tasks."))

    static let handler = NamedSchema(
        "Handler", "An identifier that has a handler.",
        Member("identifier", .string), Member("app", .string),
        Member("kind", .word(of: TaskKind.self), optional: true, "The registered kind."),
        Member("handler", .word(of: AppHost.self), "How it runs."),
        Member("permittedBy", .string, "The manifest's entry that permits the identifier."))

    static let condition = NamedSchema(
        "Condition", "A condition of the device as it is known.",
        Member(
            "value", .either([.null, conditionValue]), "Null when it is not known."),
        Member("source", .string, "Who says so."), Member("since", .date, optional: true),
        Member("overridden", .boolean, "Whether it was set by hand."),
        Member("until", .date, optional: true, "When the value ends by itself."))

    static let change = NamedSchema(
        "Change", "A change of a condition of the device.",
        Member("at", .date), Member("condition", .word(of: DeviceCondition.self)),
        Member("value", .either([.null, conditionValue]), "Since then; null when it is not known."),
        Member("source", .string, "Who said so."), Member("overridden", .boolean, "Whether it was set by hand."))

    static let conditionValue = JSONSchema.either([
        .boolean, .number(0...1), .enumeration(ControlParameters.words(NetworkState.self)),
        .enumeration(ControlParameters.words(ThermalState.self)),
    ])

    static let store = NamedSchema(
        "Store", "Where requests and runs are kept.",
        Member("state", .enumeration(["ready", "unavailable"])),
        Member("failure", .string, optional: true, "Why it cannot be used."),
        Member("path", .string, optional: true, "Absent when it is in memory."), Member("schemaVersion", .integer()),
        Member(
            "recovered",
            .object([
                Member("at", .date), Member("setAside", .string, "Where the damaged store is now."),
                Member("reason", .string),
            ]), optional: true, "A damaged store was set aside; until it is acknowledged."))

    static let limits = NamedSchema(
        "Limits", "What a client must keep within.",
        Member("lineBytes", count), Member("depth", count, "Of arrays and objects."), Member("batchRequests", count),
        Member("unansweredRequests", count), Member("subscriptions", count), Member("connections", count),
        Member("connectionsPerUser", count),
        Member("outputStallSeconds", .seconds, "How long output may wait without any progress."))

    static let event = NamedSchema(
        "Event", "Something that happened.",
        Member("sequence", count, "Counts the events of one instance of the runner."), Member("at", .date),
        Member("type", .word(of: EventType.self)), Member("identifier", .string, optional: true),
        Member("app", .string, optional: true), Member("data", .any, "What the type says."))

    static let line = NamedSchema(
        "Line", "A line that a run or its app wrote.",
        Member("at", .date), Member("stream", .string), Member("text", .string))
}
