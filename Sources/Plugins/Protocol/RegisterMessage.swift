package import RPC
package import Scheduling

/// `register`: a handler of the plugin. The scheduler checks the identifier (B4–B7).
package struct RegisterMessage: PluginMessage {
    package var identifier: String
    package var kind: TaskKind?
    /// The plugin cannot say a kind; see `HandlerRegistration.infersKind`.
    package var infersKind: Bool

    package init(identifier: String, kind: TaskKind? = nil, infersKind: Bool = false) {
        self.identifier = identifier
        self.kind = kind
        self.infersKind = infersKind
    }

    package static let members = [
        ParameterDescription("identifier", .string, required: true),
        ParameterDescription("kind", .enumeration(TaskKind.allCases.map(\.rawValue))),
        ParameterDescription("inferKind", .boolean),
    ]

    package init(reading reader: ParameterReader) {
        identifier = reader.string("identifier") ?? ""
        kind = reader.word("kind")
        infersKind = reader.bool("inferKind") ?? false
    }

    package func writeMembers(into writer: inout JSONWriter) {
        writer.member("identifier", identifier)
        writer.member("kind", kind?.rawValue)
        if infersKind { writer.member("inferKind", true) }
    }
}

/// The answer to `register`; a refusal is an error instead.
package struct RegisterResult: PluginMessage {
    package var registered: Bool

    package init(registered: Bool = true) {
        self.registered = registered
    }

    package static let members = [ParameterDescription("registered", .boolean, required: true)]

    package init(reading reader: ParameterReader) {
        registered = reader.bool("registered") ?? false
    }

    package func writeMembers(into writer: inout JSONWriter) {
        writer.member("registered", registered)
    }
}
