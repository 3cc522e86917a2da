package import RPC
package import Scheduling

/// `submit`, as on the control socket. Whose channel it came by is for the runner to add to the options.
package struct SubmitMessage: PluginMessage {
    package var request: TaskRequest
    package var options: SubmissionOptions

    package init(request: TaskRequest, options: SubmissionOptions = SubmissionOptions()) {
        self.request = request
        self.options = options
    }

    package static var members: [ParameterDescription] { ControlMethods.submit.parameters }

    package init(reading reader: ParameterReader) throws(RPCError) {
        (request, options) = try reader.submission()
    }

    package func writeMembers(into writer: inout JSONWriter) {
        writer.member("identifier", request.identifier.text)
        writer.member("kind", request.kind?.rawValue)
        writer.member("earliestBeginDate", date: request.floor?.milliseconds)
        writer.member("requiresNetworkConnectivity", request.requiresNetworkConnectivity)
        writer.member("requiresExternalPower", request.requiresExternalPower)
        writer.member("title", request.title)
        writer.member("subtitle", request.subtitle)
        writer.member("strategy", request.strategy?.rawValue)
        writer.member("requiredResources", strings: request.requiredResources)
        writer.member("ifPending", options.ifPending.rawValue)
        writer.member("toleranceSeconds", seconds: options.tolerance?.wholeMilliseconds)
    }
}

/// What a plugin reads of the answer to `submit`. The runner writes a `SubmissionResult`, as on the control socket.
package struct SubmitResult: Hashable, Sendable {
    package var outcome: SubmissionResult.Outcome
    /// What is pending now.
    package var request: TaskRequest
    package var postponed: Int?

    private static let members = [
        ParameterDescription(
            "outcome", .enumeration(SubmissionResult.Outcome.allCases.map(\.rawValue)), required: true),
        ParameterDescription("request", .object, required: true),
        ParameterDescription("postponed", .integer),
    ]

    package init(fromRunner json: JSONValue) throws(RPCError) {
        let reader = try ParameterReader(json, of: Self.members, ignoresUnknown: true)
        outcome = reader.word("outcome") ?? .submitted
        postponed = reader.integer("postponed").map { Int(clamping: $0) }
        request = try SubmitMessage(fromRunner: reader.value("request")).request
    }

    package static func write(_ result: SubmissionResult, into writer: inout JSONWriter) {
        writer.value(result)
    }
}
