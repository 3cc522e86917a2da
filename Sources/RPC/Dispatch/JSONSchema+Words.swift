extension JSONSchema {
    /// As people read it: `{requests: [Request], next?}`. What a plain member is, its name says.
    package var words: String {
        switch self {
        case .any: "any value"
        case .null: "null"
        case .boolean: "true or false"
        case .string: "string"
        case .integer: "integer"
        case .number: "number"
        case .seconds: "seconds"
        case .date: "Date"
        case .enumeration(let words): words.joined(separator: "|")
        case .array(let element): "[\(element.words)]"
        case .object(let members): "{" + members.map(\.words).joined(separator: ", ") + "}"
        case .named(let named): named.name
        case .either(let choices): choices.map(\.words).joined(separator: " or ")
        }
    }
}

extension JSONSchema.Member {
    fileprivate var words: String {
        let name = isOptional ? name + "?" : name
        return switch schema {
        case .any, .null, .boolean, .string, .integer, .number, .seconds, .date, .enumeration, .either: name
        case .array, .object, .named: "\(name): \(schema.words)"
        }
    }
}
