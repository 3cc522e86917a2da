package import RPC
import Scheduling

/// `shutdown`: the process is to end. The end of the runner's stream follows.
package struct ShutdownMessage: PluginMessage {
    package var reason: ShutdownReason
    package var grace: Duration

    package init(reason: ShutdownReason, grace: Duration) {
        self.reason = reason
        self.grace = grace
    }

    package static let members = [
        ParameterDescription("reason", .string, required: true),
        ParameterDescription("graceSeconds", .number, required: true, bounds: 0...Double.infinity),
    ]

    package init(reading reader: ParameterReader) {
        // Another word of a newer runner means the same to a plugin: its process is to end.
        reason = reader.string("reason").flatMap(ShutdownReason.init) ?? .stopped
        grace = reader.boundedDuration("graceSeconds") ?? .zero
    }

    package func writeMembers(into writer: inout JSONWriter) {
        writer.member("reason", reason.rawValue)
        writer.member("graceSeconds", seconds: grace.wholeMilliseconds)
    }
}

/// Why a plugin's process is asked to end.
package enum ShutdownReason: String, Sendable, CaseIterable {
    /// It has nothing to do.
    case idle
    /// Its bundle was changed or removed.
    case bundleChanged
    /// A run of it did not end within its grace period.
    case overran
    /// The runner ends.
    case draining
    /// Anything else.
    case stopped
}
