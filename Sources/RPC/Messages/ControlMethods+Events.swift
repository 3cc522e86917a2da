/// Events, and a look inside.
extension ControlMethods {
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
        result: "{subscription, instance, sequence, snapshot?: {status, pending: [Request], running: [Run]}}",
        errors: ["invalidIdentifier", "resyncRequired", "limitExceeded", "storeUnavailable"], access: .read,
        isAllowedInBatch: false)

    package static let eventsUnsubscribe = MethodDescription(
        "events.unsubscribe", summary: "Ends a subscription of the same connection.",
        parameters: [
            ParameterDescription("subscription", .integer, required: true, summary: "The number of the subscription.")
        ],
        result: "{}", errors: ["noSuchSubscription"], access: .read)

    package static let debug = MethodDescription(
        "debug", summary: "Shows the runner's own state and the last events.",
        parameters: [
            ParameterDescription(
                "last", .integer, bounds: 0...4_096, summary: "How many events at most; 256 by default.")
        ],
        result: "{state, events}", access: .admin)
}
