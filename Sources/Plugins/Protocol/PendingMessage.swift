package import RPC
package import Scheduling

/// `pending`, as on the control socket; the app can only be the plugin's own.
package struct PendingMessage: PluginMessage {
    package var identifier: TaskIdentifier?
    package var app: AppIdentifier?
    package var limit: Int?
    /// The `next` of the page before.
    package var after: String?

    package init(
        identifier: TaskIdentifier? = nil, app: AppIdentifier? = nil, limit: Int? = nil, after: String? = nil
    ) {
        self.identifier = identifier
        self.app = app
        self.limit = limit
        self.after = after
    }

    package static var members: [ParameterDescription] { ControlMethods.pending.parameters }

    package init(reading reader: ParameterReader) throws(RPCError) {
        identifier = try reader.optionalTaskIdentifier()
        app = try reader.optionalAppIdentifier()
        limit = reader.integer("limit").map { Int(clamping: $0) }
        _ = try reader.cursor("after")
        after = reader.string("after")
    }

    package func writeMembers(into writer: inout JSONWriter) {
        writer.member("identifier", identifier?.text)
        writer.member("app", app?.text)
        writer.member("limit", limit)
        writer.member("after", after)
    }
}

/// What a plugin reads of the answer to `pending`.
package struct PendingResult: Hashable, Sendable {
    package var requests: [TaskRequest]
    package var next: String?

    private static let members = [
        ParameterDescription("requests", .any, required: true),
        ParameterDescription("next", .string),
    ]

    package init(fromRunner json: JSONValue) throws(RPCError) {
        let reader = try ParameterReader(json, of: Self.members, ignoresUnknown: true)
        guard let elements = reader.value("requests")?.array else {
            throw reader.invalid("requests", expected: "an array of requests").rpcError
        }
        requests = []
        requests.reserveCapacity(elements.count)
        for element in elements { requests.append(try SubmitMessage(fromRunner: element).request) }
        next = reader.string("next")
    }

    package static func write(_ requests: [PendingRequest], next: String?, into writer: inout JSONWriter) {
        writer.object { writer in
            writer.member("requests", requests)
            writer.member("next", next)
        }
    }
}
