package import RPC

/// How much a plugin may send, as `hello` tells it. What is longer is cut or refused.
package struct PluginLimits: PluginMessage {
    /// Bytes of a title or subtitle (B10); longer ones are cut in progress and refused in requests.
    package static let textBytes = 1_024
    /// Bytes of a log message or of a completion's message; longer ones are cut.
    package static let messageBytes = 8_192

    /// Bytes of a line, without its LF.
    package var lineBytes: Int
    /// Levels of arrays and objects in a line.
    package var depth: Int
    /// Requests that may wait for their replies.
    package var unansweredRequests: Int

    package init(_ limits: ConnectionLimits = ConnectionLimits()) {
        lineBytes = limits.lineBytes
        depth = limits.depth
        unansweredRequests = limits.unansweredRequests
    }

    package static let members = [
        ParameterDescription("lineBytes", .integer, bounds: 1...Double.infinity),
        ParameterDescription("depth", .integer, bounds: 1...Double.infinity),
        ParameterDescription("unansweredRequests", .integer, bounds: 1...Double.infinity),
    ]

    package init(reading reader: ParameterReader) {
        self.init()
        if let value = reader.integer("lineBytes") { lineBytes = Int(clamping: value) }
        if let value = reader.integer("depth") { depth = Int(clamping: value) }
        if let value = reader.integer("unansweredRequests") { unansweredRequests = Int(clamping: value) }
    }

    package func writeMembers(into writer: inout JSONWriter) {
        writer.member("lineBytes", lineBytes)
        writer.member("depth", depth)
        writer.member("unansweredRequests", unansweredRequests)
    }
}
