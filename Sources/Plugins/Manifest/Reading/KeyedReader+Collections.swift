/// Reads what holds more than one value.
extension KeyedReader {
    /// An array of strings; `nil` also when one element is something else.
    package func strings(_ name: String, example: String) -> [String]? {
        guard let value = value(name) else { return nil }
        guard case .array(let elements) = value else {
            return illTyped(
                value, name, expected: "an array of strings", fix: "Write an array of strings, such as \(example).")
        }
        let strings = elements.enumerated().map { index, element in
            Self.string(element, key: "\(key(name))[\(index)]", example: example, problems)
        }
        return strings.contains(nil) ? nil : strings.compactMap(\.self)
    }

    /// A dictionary whose values are strings.
    package func stringDictionary(_ name: String, example: String) -> [String: String]? {
        guard let reader = dictionary(name, example: example) else { return nil }
        var strings: [String: String] = [:]
        for member in reader.names { strings[member] = reader.string(member, example: example) }
        return strings.count == reader.names.count ? strings : nil
    }

    /// The readers of an array of dictionaries; an element that is none is noted and left out.
    package func dictionaries(_ name: String, example: String) -> [KeyedReader]? {
        guard let value = value(name) else { return nil }
        guard case .array(let elements) = value else {
            return illTyped(
                value, name, expected: "an array of dictionaries",
                fix: "Write an array of dictionaries, such as \(example).")
        }
        return elements.enumerated().compactMap { index, element in
            Self.dictionary(element, key: "\(key(name))[\(index)]", example: example, problems)
        }
    }

    // MARK: Private

    private static func dictionary(
        _ value: ManifestValue, key: String, example: String, _ problems: ProblemList
    ) -> KeyedReader? {
        guard case .dictionary(let nested) = value else {
            problems.error(
                .wrongType, key, "This must be a dictionary and is \(value.typeName).",
                fix: "Write dictionaries, such as \(example).")
            return nil
        }
        return KeyedReader(nested, path: key, problems: problems)
    }
}
