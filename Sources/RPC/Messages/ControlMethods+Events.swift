import Scheduling

/// Events, and a look inside.
extension ControlMethods {
    package static let notifications = [event]

    /// What a subscription sends.
    package static let event = NotificationDescription(
        "event", summary: "Tells what happened, to those who called 'events.subscribe'.",
        params: .object(
            [Member("subscription", .integer(1...Double.infinity))] + (ControlTypes.event.schema.members ?? [])))

    package static let eventsSubscribe = MethodDescription(
        "events.subscribe", summary: "Sends what happens from now on, as 'event' notifications.",
        parameters: [
            ParameterDescription(
                "types", .stringArray, shape: .array(.word(of: EventType.self)),
                summary: "Only events of these types; all by default. 'overflow' always comes."),
            ParameterDescription("identifiers", .stringArray, summary: "Only events that name one of these tasks."),
            ParameterDescription(
                "since", .object,
                shape: .object([Member("instance", .string), Member("sequence", ControlTypes.count)]),
                summary: "Begins after an event, as an earlier reply and that event gave them."),
            ParameterDescription("snapshot", .boolean, summary: "Answers with what is there now, too."),
        ],
        result: .object([
            Member("subscription", .integer(1...Double.infinity), "Its number, which its events carry."),
            Member("instance", .string, "Names this life of the daemon."),
            Member("sequence", ControlTypes.count, "That of the last event before the subscription."),
            Member(
                "snapshot",
                .object([
                    Member("status", status.result), Member("pending", .array(.named(ControlTypes.request))),
                    Member("running", .array(.named(ControlTypes.run))),
                ]), optional: true, "What was there after that event."),
        ]),
        resultNote: "Its 'event' notifications follow.",
        errors: [.invalidIdentifier, .resyncRequired, .storeUnavailable], access: .read,
        isAllowedInBatch: false,
        example: MethodExample(
            "When runs begin and end", params: #"{"types":["launched","ended"]}"#,
            result: #"{"subscription":1,"instance":"1f0c9a2b-812-1796028300000","sequence":41}"#))

    package static let eventsUnsubscribe = MethodDescription(
        "events.unsubscribe", summary: "Ends a subscription of the same connection.",
        parameters: [
            ParameterDescription("subscription", .integer, required: true, summary: "The number of the subscription.")
        ],
        result: .object([]), errors: [.noSuchSubscription], access: .read,
        example: MethodExample("Enough", params: #"{"subscription":1}"#, result: "{}"))

    package static let debug = MethodDescription(
        "debug", summary: "Shows the runner's own state and the last events.",
        parameters: [
            ParameterDescription(
                "last", .integer, bounds: 0...4_096, summary: "How many events at most; 256 by default.")
        ],
        result: .object([
            Member("state", .any, "For people: it changes with the runner."),
            Member("events", .array(.named(ControlTypes.event))),
        ]),
        access: .admin,
        example: MethodExample(
            "What was last? (shortened)", params: #"{"last":1}"#,
            result: """
                {"state":{"phase":"running"},"events":[{"sequence":41,"at":"2026-11-30T08:45:00.000Z",\
                "type":"phaseChanged","data":{"phase":"running"}}]}
                """))
}
