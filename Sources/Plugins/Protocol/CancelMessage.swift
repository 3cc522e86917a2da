package import RPC
package import Scheduling

/// `cancel`, as on the control socket.
package struct CancelMessage: PluginMessage {
    package var identifier: TaskIdentifier

    package init(identifier: TaskIdentifier) {
        self.identifier = identifier
    }

    package static var members: [ParameterDescription] { ControlMethods.cancel.parameters }

    package init(reading reader: ParameterReader) throws(RPCError) {
        identifier = try reader.taskIdentifier()
    }

    package func writeMembers(into writer: inout JSONWriter) {
        writer.member("identifier", identifier.text)
    }
}

/// What a plugin reads of the answer to `cancel`.
package struct CancelResult: Hashable, Sendable {
    package var cancelled: Bool

    package init(fromRunner json: JSONValue) throws(RPCError) {
        let members = [ParameterDescription("cancelled", .boolean, required: true)]
        cancelled = try ParameterReader(json, of: members, ignoresUnknown: true).bool("cancelled") ?? false
    }

    /// The runner's side: what was pending, if anything was.
    package static func write(_ request: PendingRequest?, into writer: inout JSONWriter) {
        writer.object { writer in
            writer.member("cancelled", request != nil)
            writer.member("request", request)
        }
    }
}

/// `cancelAll`, as on the control socket; the app can only be the plugin's own.
package struct CancelAllMessage: PluginMessage {
    package var app: AppIdentifier?

    package init(app: AppIdentifier? = nil) {
        self.app = app
    }

    package static var members: [ParameterDescription] { ControlMethods.cancelAll.parameters }

    package init(reading reader: ParameterReader) throws(RPCError) {
        app = try reader.optionalAppIdentifier()
    }

    package func writeMembers(into writer: inout JSONWriter) {
        writer.member("app", app?.text)
    }
}

/// The answer to `cancelAll`.
package struct CancelAllResult: PluginMessage {
    package var cancelled: Int

    package init(cancelled: Int) {
        self.cancelled = cancelled
    }

    package static let members = [ParameterDescription("cancelled", .integer, required: true)]

    package init(reading reader: ParameterReader) {
        cancelled = Int(clamping: reader.integer("cancelled") ?? 0)
    }

    package func writeMembers(into writer: inout JSONWriter) {
        writer.member("cancelled", cancelled)
    }
}
