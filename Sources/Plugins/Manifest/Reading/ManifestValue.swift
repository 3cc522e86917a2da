import FoundationEssentials
package import RPC

/// A value of a property list or of a JSON text, whichever it was.
package enum ManifestValue: Hashable, Sendable {
    case string(String)
    case integer(Int64)
    case real(Double)
    case boolean(Bool)
    case array([ManifestValue])
    case dictionary([String: ManifestValue])
    /// A type that no key of ours has, named for error messages: `a date`.
    case other(String)

    /// What the value is, for an error message.
    package var typeName: String {
        switch self {
        case .string: "a string"
        case .integer, .real: "a number"
        case .boolean: "a boolean"
        case .array: "an array"
        case .dictionary: "a dictionary"
        case .other(let name): name
        }
    }
}

extension ManifestValue {
    /// Takes over a JSON value with everything below it.
    package init(_ json: JSONValue) {
        switch json.kind {
        case .string: self = .string(json.string ?? "")
        case .integer: self = .integer(json.integer ?? 0)
        case .real: self = .real(json.number ?? 0)
        case .boolean: self = .boolean(json.bool ?? false)
        case .null: self = .other("null")
        case .array: self = .array(json.array.map { $0.map(ManifestValue.init) } ?? [])
        case .object:
            var members: [String: ManifestValue] = [:]
            if let object = json.members {
                for (name, value) in object { members[name] = ManifestValue(value) }
            }
            self = .dictionary(members)
        }
    }
}

extension ManifestValue: Decodable {
    private struct MemberName: CodingKey {
        let stringValue: String
        var intValue: Int? { nil }

        init(stringValue: String) {
            self.stringValue = stringValue
        }

        init?(intValue: Int) {
            nil
        }
    }

    /// Reads whatever a property list holds at this place.
    package init(from decoder: any Decoder) throws {
        if let container = try? decoder.container(keyedBy: MemberName.self) {
            var members: [String: ManifestValue] = [:]
            for name in container.allKeys {
                members[name.stringValue] = try container.decode(ManifestValue.self, forKey: name)
            }
            self = .dictionary(members)
        } else if var container = try? decoder.unkeyedContainer() {
            var elements: [ManifestValue] = []
            while !container.isAtEnd { elements.append(try container.decode(ManifestValue.self)) }
            self = .array(elements)
        } else {
            self = Self.scalar(in: try decoder.singleValueContainer())
        }
    }

    private static func scalar(in container: any SingleValueDecodingContainer) -> ManifestValue {
        if let value = try? container.decode(String.self) { return .string(value) }
        if let value = try? container.decode(Bool.self) { return .boolean(value) }
        if let value = try? container.decode(Int64.self) { return .integer(value) }
        if let value = try? container.decode(Double.self) { return .real(value) }
        if (try? container.decode(Date.self)) != nil { return .other("a date") }
        if (try? container.decode(Data.self)) != nil { return .other("data") }
        return .other("of an unknown type")
    }
}
