import Scheduling

/// Events, and a look inside.
extension ControlMethods {
    package static var notifications: [NotificationDescription] { [event] }

    /// What a subscription sends.
    package static let event = NotificationDescription(
        "event", summary: "Tells what happened, to those who called 'events.subscribe'.",
        params: .object(
            [Member("subscription", .integer(1...Double.infinity))] + (ControlTypes.event.schema.members ?? [])))

    package static let eventsSubscribe = MethodDescription(
        "events.subscribe", summary: "Sends what happens from now on, as 'event' notifications.",
        parameters: [
            ParameterDescription(
                "types", .stringArray,
                summary: "Only events of these types; all by default. 'overflow' always comes."),
            ParameterDescription("identifiers", .stringArray, summary: "Only events that name one of these tasks."),
            ParameterDescription(
                "since", .object,
                summary: "Begins after an event: {instance, sequence} as an earlier reply and event gave them."),
            ParameterDescription("snapshot", .boolean, summary: "Answers with what is there now, too."),
        ],
        result: .object([
            Member("subscription", .integer(1...Double.infinity), "Its number on this connection."),
            Member("instance", .string, "Of the runner; another one counts its events anew."),
            Member("sequence", ControlTypes.count, "Of the last event before the first that is sent."),
            Member(
                "snapshot",
                .object([
                    Member("status", status.result), Member("pending", .array(.named(ControlTypes.request))),
                    Member("running", .array(.named(ControlTypes.run))),
                ]), optional: true),
        ]),
        errors: [.invalidIdentifier, .resyncRequired, .storeUnavailable], access: .read, isAllowedInBatch: false,
        example: MethodExample(
            "What becomes of one task", params: #"{"identifiers":["com.example.app.refresh"]}"#,
            result: #"{"subscription":1,"instance":"e3a51c7e0b5c4c0e","sequence":412}"#))

    package static let eventsUnsubscribe = MethodDescription(
        "events.unsubscribe", summary: "Ends a subscription of the same connection.",
        parameters: [
            ParameterDescription("subscription", .integer, required: true, summary: "The number of the subscription.")
        ],
        result: .object([]), errors: [.noSuchSubscription], access: .read,
        example: MethodExample("The first of this connection", params: #"{"subscription":1}"#, result: "{}"))

    package static let debug = MethodDescription(
        "debug", summary: "Shows the runner's own state and the last events.",
        parameters: [
            ParameterDescription(
                "last", .integer, bounds: 0...4_096, summary: "How many events at most; 256 by default.")
        ],
        result: .object([
            Member("state", .any, "Made for people; its members change."),
            Member("events", .array(.named(ControlTypes.event))),
        ]), access: .admin,
        example: MethodExample(
            "The last event", params: #"{"last":1}"#,
            result: #"{"state":{"phase":"running"},"events":[\#(ControlExamples.event)]}"#))
}
