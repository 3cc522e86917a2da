package import RPC
package import Scheduling

/// `log`: a line for the log of a run or of the app.
package struct LogMessage: PluginMessage {
    package var level: TaskLogLevel
    /// Cut at `PluginLimits.messageBytes`.
    package var message: String
    package var run: RunIdentifier?

    package init(level: TaskLogLevel, message: String, run: RunIdentifier? = nil) {
        self.level = level
        self.message = message.cut(toBytes: PluginLimits.messageBytes)
        self.run = run
    }

    package static let members = [
        ParameterDescription("level", .enumeration(TaskLogLevel.allCases.map(\.rawValue)), required: true),
        ParameterDescription("message", .string, required: true),
        ParameterDescription("run", .integer, bounds: 1...Double.infinity),
    ]

    package init(reading reader: ParameterReader) {
        self.init(
            level: reader.word("level") ?? .info, message: reader.string("message") ?? "", run: reader.runIdentifier())
    }

    package func writeMembers(into writer: inout JSONWriter) {
        writer.member("level", level.rawValue)
        writer.member("message", message)
        writer.member("run", run?.number)
    }
}
