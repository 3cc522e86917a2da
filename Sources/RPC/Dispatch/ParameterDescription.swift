/// What a parameter may be.
package enum ParameterType: Hashable, Sendable {
    case string
    case boolean
    case integer
    /// Finite; durations are numbers of seconds.
    case number
    /// RFC 3339.
    case date
    /// One of these words.
    case enumeration([String])
    case object
    case any
    case stringArray

    /// Completes "must be …".
    package var expectation: String {
        switch self {
        case .string: "a string"
        case .boolean: "true or false"
        case .integer: "an integer"
        case .number: "a number"
        case .date: "an RFC 3339 date such as 2026-11-30T08:45:00.000Z"
        case .enumeration(let words): "one of " + words.map { "'\($0)'" }.joined(separator: ", ")
        case .object: "an object"
        case .any: "a value"
        case .stringArray: "an array of strings"
        }
    }

    fileprivate func accepts(_ value: JSONValue) -> Bool {
        switch self {
        case .string: value.kind == .string
        case .boolean: value.kind == .boolean
        case .integer: value.integer != nil
        case .number: value.number != nil
        case .date: value.withUTF8 { RFC3339.parse($0) != nil } ?? false
        case .enumeration(let words): value.string.map { words.contains($0) } ?? false
        case .object: value.kind == .object
        case .any: true
        case .stringArray: value.array?.allSatisfy { $0.kind == .string } ?? false
        }
    }
}

/// One parameter of a method; its place in the method's list is its position.
package struct ParameterDescription: Hashable, Sendable {
    package let name: String
    package let type: ParameterType
    package let isRequired: Bool
    /// One sentence.
    package let summary: String
    /// Holds for integers and numbers, both ends included.
    package let bounds: ClosedRange<Double>?
    /// What is told of the value beyond its type.
    private let shape: JSONSchema?

    /// - Parameter shape: what the value looks like, where the type alone says too little.
    package init(
        _ name: String, _ type: ParameterType, required: Bool = false, bounds: ClosedRange<Double>? = nil,
        shape: JSONSchema? = nil, summary: String = ""
    ) {
        self.name = name
        self.type = type
        self.isRequired = required
        self.bounds = bounds
        self.shape = shape
        self.summary = summary
    }

    package var schema: JSONSchema {
        if let shape { return shape }
        return switch type {
        case .string: .string
        case .boolean: .boolean
        case .integer: .integer(bounds)
        case .number: .number(bounds)
        case .date: .date
        case .enumeration(let words): .enumeration(words)
        case .object: .object([])
        case .any: .any
        case .stringArray: .array(.string)
        }
    }

    /// Completes "must be …".
    package var expectation: String {
        guard let bounds else { return type.expectation }
        if bounds.upperBound == .infinity { return "\(type.expectation) of at least \(Self.text(bounds.lowerBound))" }
        return "\(type.expectation) from \(Self.text(bounds.lowerBound)) to \(Self.text(bounds.upperBound))"
    }

    func accepts(_ value: JSONValue) -> Bool {
        guard type.accepts(value) else { return false }
        guard let bounds, let number = value.number else { return true }
        return bounds.contains(number)
    }

    private static func text(_ bound: Double) -> String {
        Int64(exactly: bound).map { String($0) } ?? String(bound)
    }
}
