package import RPC
package import Scheduling

/// `task.expire`: end a run within its grace period (B24).
package struct ExpireMessage: PluginMessage {
    package var run: RunIdentifier
    package var reason: ExpirationReason
    package var grace: Duration

    package init(run: RunIdentifier, reason: ExpirationReason, grace: Duration) {
        self.run = run
        self.reason = reason
        self.grace = grace
    }

    package static let members = [
        ParameterDescription("run", .integer, required: true, bounds: 1...Double.infinity),
        ParameterDescription("reason", .enumeration(ExpirationReason.allCases.map(\.rawValue)), required: true),
        ParameterDescription("graceSeconds", .number, required: true, bounds: 0...Double.infinity),
    ]

    package init(reading reader: ParameterReader) {
        run = reader.runIdentifier() ?? RunIdentifier(0)
        reason = reader.word("reason") ?? .stopped
        grace = reader.boundedDuration("graceSeconds") ?? .zero
    }

    package func writeMembers(into writer: inout JSONWriter) {
        writer.member("run", run.number)
        writer.member("reason", reason.rawValue)
        writer.member("graceSeconds", seconds: grace.wholeMilliseconds)
    }
}
