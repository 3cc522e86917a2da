import Scheduling

/// The params of a request, checked as a whole against their descriptions before anything is done.
///
/// What can be read afterwards has the right type; `null` for an optional parameter reads as absent. Reading a name or
/// as a type that the descriptions do not give is a broken invariant of ours.
package struct ParameterReader: Sendable {
    private let descriptions: [ParameterDescription]
    /// As many as descriptions, or none at all when there are no params.
    private var values: [JSONValue?] = []
    /// Names the object that this reads, with a point at its end, when it is within another.
    private let path: String

    /// - Parameter ignoresUnknown: names that are not described are left out instead of refused.
    package init(
        _ params: JSONValue?, _ descriptions: [ParameterDescription], path: String? = nil, ignoresUnknown: Bool = false
    ) throws(InvalidParameters) {
        self.descriptions = descriptions
        self.path = path.map { $0 + "." } ?? ""
        if let params, params.count > 0 {
            values = Array(repeating: nil, count: descriptions.count)
            if let array = params.array {
                try readPositions(array)
            } else if let members = params.members {
                try readNames(members, ignoresUnknown: ignoresUnknown)
            }
        }
        for (index, description) in descriptions.enumerated()
        where description.isRequired && (values.isEmpty || values[index] == nil) {
            throw InvalidParameters(
                member: self.path + description.name, expected: description.expectation,
                message: "'\(self.path)\(description.name)' is missing; it must be \(description.expectation).")
        }
    }

    // MARK: Reading

    package func has(_ name: String) -> Bool { value(name) != nil }

    /// The parameter as it came.
    package func value(_ name: String) -> JSONValue? {
        guard let index = index(of: name) else {
            preconditionFailure("the parameter '\(name)' is not described")
        }
        return values.isEmpty ? nil : values[index]
    }

    /// A string, or the word of an enumeration.
    package func string(_ name: String) -> String? { read(name) { $0.string } }

    package func bool(_ name: String) -> Bool? { read(name) { $0.bool } }

    package func integer(_ name: String) -> Int64? { read(name) { $0.integer } }

    package func number(_ name: String) -> Double? { read(name) { $0.number } }

    /// Milliseconds since 1970.
    package func date(_ name: String) -> Int64? {
        read(name) { $0.withUTF8 { RFC3339.parse($0) } ?? nil }
    }

    /// A number of seconds in milliseconds, rounded to the nearest; what 64 bits cannot hold becomes the longest.
    package func milliseconds(_ name: String) -> Int64? {
        guard let seconds = number(name) else { return nil }
        let milliseconds = (seconds * 1_000).rounded()
        return Int64(exactly: milliseconds) ?? (seconds < 0 ? Int64.min : Int64.max)
    }

    /// The case whose raw value the word is.
    package func word<Word: RawRepresentable<String>>(_ name: String, as type: Word.Type = Word.self) -> Word? {
        read(name) { $0.string.flatMap { Word(rawValue: $0) } }
    }

    package func strings(_ name: String) -> [String]? {
        read(name) { $0.array?.compactMap { $0.string } }
    }

    /// The members of an object parameter; nil when it is absent.
    package func object(
        _ name: String, _ descriptions: [ParameterDescription]
    ) throws(InvalidParameters) -> ParameterReader? {
        guard let value = value(name) else { return nil }
        return try ParameterReader(value, descriptions, path: path + name)
    }

    /// For a rule that no description can state.
    package func invalid(_ name: String, expected: String) -> InvalidParameters {
        InvalidParameters(
            member: path + name, expected: expected, message: "'\(path)\(name)' must be \(expected).")
    }

    // MARK: Private

    private func read<T>(_ name: String, _ conversion: (JSONValue) -> T?) -> T? {
        guard let value = value(name) else { return nil }
        guard let result = conversion(value) else {
            preconditionFailure("the parameter '\(name)' is read as a type that its description does not give")
        }
        return result
    }

    private mutating func readPositions(_ array: JSONArray) throws(InvalidParameters) {
        guard array.count <= descriptions.count else {
            let most = descriptions.isEmpty ? "none" : "\(descriptions.count) at most"
            throw InvalidParameters(
                member: path + String(descriptions.count), expected: nil,
                message: "There are \(array.count) params by position; this method takes \(most).")
        }
        for (index, value) in array.enumerated() { try store(value, at: index) }
    }

    private mutating func readNames(_ members: JSONMembers, ignoresUnknown: Bool) throws(InvalidParameters) {
        for (name, value) in members {
            guard let index = index(of: name) else {
                if ignoresUnknown { continue }
                throw unknown(name)
            }
            try store(value, at: index)
        }
    }

    private func index(of name: String) -> Int? {
        // Most names differ in their lengths, which costs nothing to see.
        descriptions.indices.first { index in
            descriptions[index].name.utf8.count == name.utf8.count && descriptions[index].name == name
        }
    }

    private mutating func store(_ value: JSONValue, at index: Int) throws(InvalidParameters) {
        let description = descriptions[index]
        if value.isNull, !description.isRequired { return }
        guard description.accepts(value), !(value.isNull && description.type != .any) else {
            throw illTyped(value, description)
        }
        values[index] = value
    }

    private func illTyped(_ value: JSONValue, _ description: ParameterDescription) -> InvalidParameters {
        let expected = description.expectation
        var message = "'\(path)\(description.name)' must be \(expected)"
        if case .enumeration(let words) = description.type, let word = value.string,
            let nearest = NearestName.nearest(to: word, among: words)
        {
            message += "; did you mean '\(nearest)'?"
        } else {
            message += "."
        }
        return InvalidParameters(member: path + description.name, expected: expected, message: message)
    }

    private func unknown(_ name: String) -> InvalidParameters {
        let names = descriptions.map { $0.name }
        let hint: String
        if let nearest = NearestName.nearest(to: name, among: names) {
            hint = "did you mean '\(nearest)'?"
        } else if names.isEmpty {
            hint = "there are none here."
        } else {
            hint = "known are " + names.map { "'\($0)'" }.joined(separator: ", ") + "."
        }
        return InvalidParameters(
            member: path + name, expected: nil, message: "There is no parameter \(QuotedName(path + name)); \(hint)")
    }
}
