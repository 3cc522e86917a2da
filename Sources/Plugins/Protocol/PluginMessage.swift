package import RPC

/// What a message of the plugin protocol carries: the params of a call, or its result. Both ends use the same types.
package protocol PluginMessage: Hashable, Sendable {
    /// What the object may have in it.
    static var members: [ParameterDescription] { get }
    init(reading reader: ParameterReader) throws(RPCError)
    /// Writes the members of an open object.
    func writeMembers(into writer: inout JSONWriter)
}

extension PluginMessage {
    /// Reads what a plugin sent: unknown members are refused, as on the control socket.
    package init(fromPlugin json: JSONValue?) throws(RPCError) {
        try self.init(reading: ParameterReader(json, of: Self.members, ignoresUnknown: false))
    }

    /// Reads what the runner sent: unknown members are left out, since a plugin may be older than its runner.
    package init(fromRunner json: JSONValue?) throws(RPCError) {
        try self.init(reading: ParameterReader(json, of: Self.members, ignoresUnknown: true))
    }

    /// Writes the whole object.
    package func write(into writer: inout JSONWriter) {
        writer.beginObject()
        writeMembers(into: &writer)
        writer.endObject()
    }
}

extension ParameterReader {
    /// A number of seconds, a year at most, so that no sum of it and a time overflows.
    func boundedDuration(_ name: String) -> Duration? {
        duration(name).map { min($0, .seconds(31_536_000)) }
    }

    init(_ json: JSONValue?, of members: [ParameterDescription], ignoresUnknown: Bool) throws(RPCError) {
        do throws(InvalidParameters) {
            try self.init(json, members, ignoresUnknown: ignoresUnknown)
        } catch {
            throw error.rpcError
        }
    }
}

/// Nothing: the params of `finishLaunching`, and the results of it and of `task.launch`.
package struct EmptyMessage: PluginMessage {
    package static let members: [ParameterDescription] = []

    package init() {}

    package init(reading reader: ParameterReader) {}

    package func writeMembers(into writer: inout JSONWriter) {}
}
