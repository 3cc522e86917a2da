package import RPC
package import Scheduling

/// `hello`: the first message of a plugin, which says what it speaks.
package struct HelloMessage: PluginMessage {
    package var protocolVersion: Int64
    /// The library or program that speaks for the plugin.
    package var kit: String
    /// The version of the kit.
    package var version: String

    package init(protocolVersion: Int64 = PluginMethod.protocolVersion, kit: String, version: String) {
        self.protocolVersion = protocolVersion
        self.kit = kit
        self.version = version
    }

    package static let members = [
        ParameterDescription("protocol", .integer, required: true),
        ParameterDescription("kit", .string, required: true),
        ParameterDescription("version", .string, required: true),
    ]

    /// Refuses a protocol that is not ours.
    package init(reading reader: ParameterReader) throws(RPCError) {
        protocolVersion = reader.integer("protocol") ?? 0
        kit = (reader.string("kit") ?? "").cut(toBytes: PluginLimits.textBytes)
        version = (reader.string("version") ?? "").cut(toBytes: PluginLimits.textBytes)
        guard protocolVersion == PluginMethod.protocolVersion else {
            throw reader.invalid("protocol", expected: "\(PluginMethod.protocolVersion), which is spoken here").rpcError
        }
    }

    package func writeMembers(into writer: inout JSONWriter) {
        writer.member("protocol", protocolVersion)
        writer.member("kit", kit)
        writer.member("version", version)
    }
}

/// The answer to `hello`: who the plugin is, and what it may do.
package struct HelloResult: PluginMessage {
    package var protocolVersion: Int64
    package var app: AppIdentifier
    /// The manifest's entries, patterns included.
    package var permitted: [String]
    package var recovered: RecoveryCause?
    package var limits: PluginLimits

    package init(
        app: AppIdentifier, permitted: [String], recovered: RecoveryCause? = nil, limits: PluginLimits = PluginLimits()
    ) {
        protocolVersion = PluginMethod.protocolVersion
        self.app = app
        self.permitted = permitted
        self.recovered = recovered
        self.limits = limits
    }

    package static let members = [
        ParameterDescription("protocol", .integer, required: true),
        ParameterDescription("app", .string, required: true),
        ParameterDescription("permitted", .stringArray, required: true),
        ParameterDescription("recovered", .string),
        ParameterDescription("limits", .object),
    ]

    package init(reading reader: ParameterReader) throws(RPCError) {
        protocolVersion = reader.integer("protocol") ?? 0
        app = try reader.appIdentifier()
        permitted = reader.strings("permitted") ?? []
        // A cause that is not known yet is none.
        recovered = reader.string("recovered").flatMap(RecoveryCause.init)
        limits = try PluginLimits(fromRunner: reader.value("limits"))
        guard protocolVersion == PluginMethod.protocolVersion else {
            throw reader.invalid("protocol", expected: "\(PluginMethod.protocolVersion), which is spoken here").rpcError
        }
    }

    package func writeMembers(into writer: inout JSONWriter) {
        writer.member("protocol", protocolVersion)
        writer.member("app", app.text)
        writer.member("permitted", strings: permitted)
        writer.member("recovered", recovered?.rawValue)
        writer.key("limits")
        limits.write(into: &writer)
    }
}
