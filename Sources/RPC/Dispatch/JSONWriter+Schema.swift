extension JSONWriter {
    /// A JSON Schema (draft 7); shapes with names are references to `components.schemas`.
    package mutating func value(_ schema: JSONSchema, description: String? = nil) {
        beginObject()
        members(of: schema)
        member("description", description)
        endObject()
    }

    // MARK: Private

    private mutating func members(of schema: JSONSchema) {
        switch schema {
        case .any: break
        case .null: member("type", "null")
        case .boolean: member("type", "boolean")
        case .string: member("type", "string")
        case .integer(let bounds):
            member("type", "integer")
            members(of: bounds)
        case .number(let bounds):
            member("type", "number")
            members(of: bounds)
        case .seconds:
            member("type", "number")
            members(of: 0...Double.infinity)
        case .date:
            member("type", "string")
            member("format", "date-time")
        case .enumeration(let words):
            member("type", "string")
            member("enum", strings: words)
        case .array(let element):
            member("type", "array")
            key("items")
            value(element)
        case .object(let members): object(of: members)
        case .named(let named): member("$ref", "#/components/schemas/\(named.name)")
        case .either(let choices):
            key("anyOf")
            array { writer in
                for choice in choices { writer.value(choice) }
            }
        }
    }

    private mutating func members(of bounds: ClosedRange<Double>?) {
        guard let bounds else { return }
        for (name, bound) in [("minimum", bounds.lowerBound), ("maximum", bounds.upperBound)] where bound.isFinite {
            key(dynamic: name)
            if let whole = Int64(exactly: bound) { integer(whole) } else { double(bound) }
        }
    }

    private mutating func object(of members: [JSONSchema.Member]) {
        member("type", "object")
        let required = members.filter { !$0.isOptional }.map(\.name)
        if !required.isEmpty { member("required", strings: required) }
        key("properties")
        object { writer in
            for member in members {
                writer.key(dynamic: member.name)
                writer.value(member.schema, description: member.summary.isEmpty ? nil : member.summary)
            }
        }
    }
}
