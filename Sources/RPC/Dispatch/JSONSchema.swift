/// The shape of a JSON value: as a JSON Schema for programs, and in a few words for people.
///
/// Objects are open: a client ignores members that it does not know.
package indirect enum JSONSchema: Hashable, Sendable {
    case any
    case null
    case boolean
    case string
    case integer(ClosedRange<Double>? = nil)
    /// Finite, within bounds that include both ends.
    case number(ClosedRange<Double>? = nil)
    /// A duration.
    case seconds
    /// RFC 3339.
    case date
    /// One of these words.
    case enumeration([String])
    case array(JSONSchema)
    case object([Member])
    /// A shape that is described once, under its name.
    case named(NamedSchema)
    case either([JSONSchema])

    /// A member of an object.
    package struct Member: Hashable, Sendable {
        package let name: String
        package let schema: JSONSchema
        package let isOptional: Bool
        /// A phrase or a sentence; empty when the name says it all.
        package let summary: String

        package init(_ name: String, _ schema: JSONSchema, optional: Bool = false, _ summary: String = "") {
            self.name = name
            self.schema = schema
            isOptional = optional
            self.summary = summary
        }
    }

    /// One of the words of an enumeration of ours.
    package static func word<Word: CaseIterable & RawRepresentable<String>>(of type: Word.Type) -> JSONSchema {
        .enumeration(type.allCases.map(\.rawValue))
    }

    /// The members of an object, also of one that has a name; nil for other shapes.
    package var members: [Member]? {
        switch self {
        case .object(let members): members
        case .named(let named): named.schema.members
        case .any, .null, .boolean, .string, .integer, .number, .seconds, .date, .enumeration, .array, .either: nil
        }
    }

    /// Every named shape within this one, in the order in which they are met, each once.
    package var named: [NamedSchema] {
        var found: [NamedSchema] = []
        collectNamed(into: &found)
        return found
    }

    func collectNamed(into found: inout [NamedSchema]) {
        switch self {
        case .any, .null, .boolean, .string, .integer, .number, .seconds, .date, .enumeration: break
        case .array(let element): element.collectNamed(into: &found)
        case .object(let members): for member in members { member.schema.collectNamed(into: &found) }
        case .either(let choices): for choice in choices { choice.collectNamed(into: &found) }
        case .named(let named):
            guard !found.contains(named) else { return }
            found.append(named)
            named.schema.collectNamed(into: &found)
        }
    }
}

/// A shape that several methods share.
package struct NamedSchema: Hashable, Sendable {
    package let name: String
    /// One sentence.
    package let summary: String
    package let schema: JSONSchema

    package init(_ name: String, _ summary: String, _ members: JSONSchema.Member...) {
        self.name = name
        self.summary = summary
        schema = .object(members)
    }
}
