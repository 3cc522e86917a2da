package import RPC
package import Scheduling

/// `task.complete`: how a run ended. A handler that returns after its run was closed says so too.
package struct CompleteMessage: PluginMessage {
    package var run: RunIdentifier
    package var result: RunResult
    /// Cut at `PluginLimits.messageBytes`.
    package var message: String?

    package init(run: RunIdentifier, result: RunResult, message: String? = nil) {
        self.run = run
        self.result = result
        self.message = message?.cut(toBytes: PluginLimits.messageBytes)
    }

    package static let members = [
        ParameterDescription("run", .integer, required: true, bounds: 1...Double.infinity),
        ParameterDescription("result", .enumeration(RunResult.allCases.map(\.rawValue)), required: true),
        ParameterDescription("message", .string),
    ]

    package init(reading reader: ParameterReader) {
        self.init(
            run: reader.runIdentifier() ?? RunIdentifier(0), result: reader.word("result") ?? .failed,
            message: reader.string("message"))
    }

    package func writeMembers(into writer: inout JSONWriter) {
        writer.member("run", run.number)
        writer.member("result", result.rawValue)
        writer.member("message", message)
    }
}

/// The answer to `task.complete`.
package struct CompleteResult: PluginMessage {
    /// False means too late (B26).
    package var accepted: Bool

    package init(accepted: Bool) {
        self.accepted = accepted
    }

    package static let members = [ParameterDescription("accepted", .boolean, required: true)]

    package init(reading reader: ParameterReader) {
        accepted = reader.bool("accepted") ?? false
    }

    package func writeMembers(into writer: inout JSONWriter) {
        writer.member("accepted", accepted)
    }
}
