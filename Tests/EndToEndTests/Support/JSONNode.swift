import Foundation

/// A JSON value that tests can look into without saying first what it is.
enum JSONNode: Hashable, Sendable {
    case null
    case bool(Bool)
    case number(Double)
    case string(String)
    case array([JSONNode])
    case object([String: JSONNode])

    init(_ text: String) {
        self = (try? JSONDecoder().decode(JSONNode.self, from: Data(text.utf8))) ?? .null
    }

    subscript(_ name: String) -> JSONNode {
        if case .object(let members) = self { members[name] ?? .null } else { .null }
    }

    subscript(_ index: Int) -> JSONNode {
        elements.indices.contains(index) ? elements[index] : .null
    }

    var elements: [JSONNode] {
        if case .array(let elements) = self { elements } else { [] }
    }

    var text: String? {
        if case .string(let text) = self { text } else { nil }
    }

    var number: Double? {
        if case .number(let number) = self { number } else { nil }
    }

    var integer: Int? {
        number.flatMap { Int(exactly: $0) }
    }

    var flag: Bool? {
        if case .bool(let flag) = self { flag } else { nil }
    }

    var date: Date? {
        text.flatMap { try? Date($0, strategy: .iso8601.year().month().day().time(includingFractionalSeconds: true)) }
    }

    var isNull: Bool { self == .null }
}

extension JSONNode: Codable {
    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if container.decodeNil() {
            self = .null
        } else if let flag = try? container.decode(Bool.self) {
            self = .bool(flag)
        } else if let number = try? container.decode(Double.self) {
            self = .number(number)
        } else if let text = try? container.decode(String.self) {
            self = .string(text)
        } else if let elements = try? container.decode([JSONNode].self) {
            self = .array(elements)
        } else {
            self = .object(try container.decode([String: JSONNode].self))
        }
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch self {
        case .null: try container.encodeNil()
        case .bool(let flag): try container.encode(flag)
        case .number(let number):
            if let integer = Int64(exactly: number) {
                try container.encode(integer)
            } else {
                try container.encode(number)
            }
        case .string(let text): try container.encode(text)
        case .array(let elements): try container.encode(elements)
        case .object(let members): try container.encode(members)
        }
    }
}

extension JSONNode: ExpressibleByStringLiteral, ExpressibleByBooleanLiteral, ExpressibleByIntegerLiteral,
    ExpressibleByFloatLiteral, ExpressibleByDictionaryLiteral, ExpressibleByArrayLiteral
{
    init(stringLiteral text: String) { self = .string(text) }
    init(booleanLiteral flag: Bool) { self = .bool(flag) }
    init(integerLiteral number: Int) { self = .number(Double(number)) }
    init(floatLiteral number: Double) { self = .number(number) }
    init(dictionaryLiteral members: (String, JSONNode)...) { self = .object(Dictionary(uniqueKeysWithValues: members)) }
    init(arrayLiteral elements: JSONNode...) { self = .array(elements) }
}
