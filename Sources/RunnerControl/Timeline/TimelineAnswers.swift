import RPC

/// What a daemon tells of a span of time.
struct TimelineAnswers {
    var status: JSONValue
    /// What is known of each condition now.
    var conditions: JSONValue?
    /// Newest first.
    var runs: [JSONValue] = []
    /// Those that still wait.
    var requests: [JSONValue] = []
    /// What `explain` says of requests that still wait, by identifier.
    var explanations: [String: JSONValue] = [:]
    /// Of each condition newest first, with the last one from before the span.
    var changes: [JSONValue] = []
    /// What `explain` says of the only task that is asked for, when the daemon does not know it.
    var unknownTask: JSONValue?
    /// Whether there were more runs than are looked at.
    var isCut = false

    /// All of it as one line of JSON.
    func json(_ span: TimelineSpan) -> String {
        var writer = JSONWriter()
        writer.object { writer in
            writer.member("since", date: span.start)
            writer.member("until", date: span.end)
            writer.member("status", status)
            writer.member("conditions", conditions)
            Self.write(runs, as: "runs", into: &writer)
            Self.write(requests, as: "pending", into: &writer)
            Self.write(
                requests.compactMap { explanations[$0.text("identifier")] } + [unknownTask].compactMap(\.self),
                as: "explanations", into: &writer)
            Self.write(changes, as: "changes", into: &writer)
            writer.member("complete", !isCut)
        }
        return String(decoding: writer.bytes, as: UTF8.self) + "\n"
    }

    private static func write(_ values: [JSONValue], as name: StaticString, into writer: inout JSONWriter) {
        writer.key(name)
        writer.array { writer in
            for value in values { writer.value(value) }
        }
    }
}
