import Scheduling

/// Reads one dictionary of a file that a person wrote, by member, for manifests and configuration alike.
/// A read that fails notes a problem with the whole key path and returns `nil`, so that one pass finds everything;
/// `dictionary` gives the reader of a nested one, and `refuseUnknown` notes members that nothing reads.
package struct KeyedReader {
    /// The key path of this dictionary; empty at the top.
    package let path: String
    package let problems: ProblemList
    private let members: [String: ManifestValue]

    package init(_ members: [String: ManifestValue], path: String = "", problems: ProblemList) {
        self.members = members
        self.path = path
        self.problems = problems
    }

    /// The names that are there, sorted.
    package var names: [String] { members.keys.sorted() }

    package func has(_ name: String) -> Bool { members[name] != nil }

    /// The key path of a member.
    package func key(_ name: String) -> String {
        path.isEmpty ? name : "\(path).\(name)"
    }

    // MARK: Reading

    package func value(_ name: String) -> ManifestValue? { members[name] }

    /// A string without NUL, which no path, word or name can hold.
    package func string(_ name: String, example: String) -> String? {
        guard let value = members[name] else { return nil }
        return Self.string(value, key: key(name), example: example, problems)
    }

    package func boolean(_ name: String) -> Bool? {
        guard let value = members[name] else { return nil }
        guard case .boolean(let boolean) = value else {
            return illTyped(value, name, expected: "a boolean", fix: "Write true or false, without quotation marks.")
        }
        return boolean
    }

    package func integer(_ name: String, in range: ClosedRange<Int64>) -> Int64? {
        guard let value = members[name] else { return nil }
        let fix = "Write a whole number from \(range.lowerBound) to \(range.upperBound)."
        guard let integer = Self.integer(value) else {
            return illTyped(value, name, expected: "a whole number", fix: fix)
        }
        guard range.contains(integer) else {
            return invalid(name, "\(integer) is out of range.", fix: fix)
        }
        return integer
    }

    package func number(_ name: String, in range: ClosedRange<Double>) -> Double? {
        guard let value = members[name] else { return nil }
        let fix = "Write a number from \(Self.plain(range.lowerBound)) to \(Self.plain(range.upperBound))."
        let number: Double
        switch value {
        case .integer(let integer): number = Double(integer)
        case .real(let real): number = real
        case .string, .boolean, .array, .dictionary, .other:
            return illTyped(value, name, expected: "a number", fix: fix)
        }
        guard range.contains(number) else {
            return invalid(name, "\(Self.plain(number)) is out of range.", fix: fix)
        }
        return number
    }

    /// A duration with its unit, such as `15m`.
    package func duration(_ name: String, in range: ClosedRange<Duration>, example: String = "30s") -> Duration? {
        guard let value = members[name] else { return nil }
        let fix = "Write a number and its unit (ms, s, m, h or d), such as \"\(example)\"."
        guard case .string(let text) = value else {
            return illTyped(value, name, expected: "a duration", fix: fix)
        }
        guard let duration = DurationText.parse(text) else {
            guard !DurationText.isTooLong(text) else { return tooLong(name, text, range) }
            return invalid(name, "\(Self.quoted(text)) is not a duration.", fix: fix)
        }
        guard range.contains(duration) else {
            let shortest = DurationText.format(range.lowerBound)
            return duration < range.lowerBound
                ? invalid(name, "\(Self.quoted(text)) is too short.", fix: "Write at least \"\(shortest)\".")
                : tooLong(name, text, range)
        }
        return duration
    }

    /// An amount of memory: a number of bytes, or a string such as `256M`.
    package func byteCount(_ name: String, in range: ClosedRange<Int64>) -> Int64? {
        guard let value = members[name] else { return nil }
        let fix = "Write a number of bytes, or a number with K, M or G, such as \"256M\"."
        let count: Int64
        if case .string(let text) = value {
            guard let parsed = ByteCountText.parse(text) else {
                return invalid(name, "\(Self.quoted(text)) is not an amount of memory.", fix: fix)
            }
            count = parsed
        } else if let integer = Self.integer(value) {
            count = integer
        } else {
            return illTyped(value, name, expected: "an amount of memory", fix: fix)
        }
        guard range.contains(count) else {
            let limits = "from \(range.lowerBound) to \(range.upperBound) bytes"
            return invalid(name, "\(count) bytes is out of range.", fix: "Write \(limits), such as \"256M\".")
        }
        return count
    }

    /// One of the words of an enumeration.
    package func word<Word: RawRepresentable<String> & CaseIterable>(
        _ name: String, as type: Word.Type = Word.self
    ) -> Word? {
        let words = Word.allCases.map(\.rawValue)
        guard let text = string(name, example: "\"\(words.first ?? "")\"") else { return nil }
        if let word = Word(rawValue: text) { return word }
        let fix: String
        if let nearest = NearestName.nearest(to: text, among: words) {
            fix = "Did you mean \"\(nearest)\"?"
        } else {
            fix = "Write " + words.map { "\"\($0)\"" }.joined(separator: ", ") + "."
        }
        return invalid(name, "\(Self.quoted(text)) is not known here.", fix: fix)
    }

    /// The reader of a nested dictionary.
    package func dictionary(_ name: String, example: String) -> KeyedReader? {
        guard let value = members[name] else { return nil }
        guard case .dictionary(let nested) = value else {
            return illTyped(value, name, expected: "a dictionary", fix: "Write a dictionary, such as \(example).")
        }
        return KeyedReader(nested, path: key(name), problems: problems)
    }

    // MARK: Noting problems

    /// Notes a value of the wrong type; returns `nil` for the caller to pass on.
    package func illTyped<Value>(_ value: ManifestValue, _ name: String, expected: String, fix: String) -> Value? {
        problems.error(
            .wrongType, key(name), "This must be \(expected) and is \(value.typeName).", fix: fix)
        return nil
    }

    /// Notes a value that has the right type and cannot be used; returns `nil` for the caller to pass on.
    package func invalid<Value>(_ name: String, _ message: String, fix: String) -> Value? {
        problems.error(.invalidValue, key(name), message, fix: fix)
        return nil
    }

    /// Notes a member that is missing, with the one that is there under nearly the same name.
    package func missing(_ name: String, fix: String) {
        var fix = fix
        if let nearest = NearestName.nearest(to: name, among: names) {
            fix = "Is \(nearest) meant to be \(name)? " + fix
        }
        problems.error(.missingKey, key(name), "This key is missing.", fix: fix)
    }

    /// Notes every member that is not among the known names and begins with the prefix.
    package func refuseUnknown(besides known: [String], beginning prefix: String = "") {
        for name in names where name.hasPrefix(prefix) && !known.contains(name) {
            let fix: String
            if let nearest = NearestName.nearest(to: name, among: known) {
                fix = "Did you mean \(nearest)?"
            } else {
                fix = "Remove it; the keys here are \(known.joined(separator: ", "))."
            }
            problems.error(.unknownKey, key(name), "There is no such key.", fix: fix)
        }
    }

    /// A text from the file in quotation marks, cut and cleaned for a message.
    package static func quoted(_ text: String) -> String {
        "“\(IdentifierSyntax.printable(text))”"
    }

    // MARK: Private

    private func tooLong<Value>(_ name: String, _ text: String, _ range: ClosedRange<Duration>) -> Value? {
        let longest = DurationText.format(range.upperBound)
        return invalid(name, "\(Self.quoted(text)) is too long.", fix: "Write at most \"\(longest)\".")
    }

    /// A number as people write it: `1`, `0.5`.
    private static func plain(_ number: Double) -> String {
        Int64(exactly: number).map { "\($0)" } ?? "\(number)"
    }

    static func string(
        _ value: ManifestValue, key: String, example: String, _ problems: ProblemList
    ) -> String? {
        guard case .string(let text) = value else {
            problems.error(
                .wrongType, key, "This must be a string and is \(value.typeName).",
                fix: "Write a string, such as \(example).")
            return nil
        }
        guard !text.utf8.contains(0) else {
            problems.error(.invalidValue, key, "There is a NUL character in it.", fix: "Remove the NUL character.")
            return nil
        }
        guard text.utf8.count <= longestString else {
            problems.error(
                .invalidValue, key, "This has \(text.utf8.count) bytes, and may have \(longestString).",
                fix: "Make it shorter; what is long belongs into a file.")
            return nil
        }
        return text
    }

    /// The system starts no program with an argument or a variable of twice this.
    private static let longestString = 65_536

    /// An integer, however it is written.
    private static func integer(_ value: ManifestValue) -> Int64? {
        switch value {
        case .integer(let integer): integer
        case .real(let real): Int64(exactly: real)
        case .string, .boolean, .array, .dictionary, .other: nil
        }
    }
}
