/// Puts values in the place of `$(NAME)`, as Xcode does when it builds an app.
///
/// `$(NAME:rfc1034identifier)` replaces what an identifier cannot hold by `-`. `$$(NAME)` stands for the text `$(NAME)`.
/// Values are taken as they are: a `$(NAME)` in a value stays.
package struct NameExpansion {
    package let definitions: [String: String]

    package init(_ definitions: [String: String]) {
        self.definitions = definitions
    }

    /// Expands the strings of a value and the names of its members, and notes names without a value.
    package func expand(_ value: ManifestValue, key: String, _ problems: ProblemList) -> ManifestValue {
        // Most manifests name nothing; then no key paths are made that nobody will read.
        guard Self.holdsDollar(value) else { return value }
        switch value {
        case .string(let text):
            return .string(expand(text, key: key, problems))
        case .array(let elements):
            return .array(
                elements.enumerated().map { index, element in expand(element, key: "\(key)[\(index)]", problems) })
        case .dictionary(let members):
            var expanded: [String: ManifestValue] = [:]
            for (name, value) in members.sorted(by: { $0.key < $1.key }) {
                let newName = expand(name, key: "\(key).\(name)", problems)
                if expanded[newName] != nil {
                    problems.error(
                        .invalidValue, "\(key).\(name)", "After expansion “\(newName)” is there twice.",
                        fix: "Remove one of them.")
                }
                expanded[newName] = expand(value, key: "\(key).\(newName)", problems)
            }
            return .dictionary(expanded)
        case .integer, .real, .boolean, .other:
            return value
        }
    }

    private static func holdsDollar(_ value: ManifestValue) -> Bool {
        switch value {
        case .string(let text): holdsDollar(text)
        case .array(let elements): elements.contains { holdsDollar($0) }
        case .dictionary(let members): members.contains { holdsDollar($0.key) || holdsDollar($0.value) }
        case .integer, .real, .boolean, .other: false
        }
    }

    private static func holdsDollar(_ text: String) -> Bool {
        text.utf8.contains(UInt8(ascii: "$"))
    }

    private func expand(_ text: String, key: String, _ problems: ProblemList) -> String {
        guard Self.holdsDollar(text) else { return text }
        var result = ""
        var rest = Substring(text)
        while let dollar = rest.firstIndex(of: "$") {
            result += rest[..<dollar]
            rest = rest[dollar...]
            if rest.hasPrefix("$$("), let literal = Reference(rest.dropFirst()) {
                result += literal.text
                rest = rest.dropFirst().dropFirst(literal.text.count)
            } else if let reference = Reference(rest) {
                result += value(of: reference, key: key, problems)
                rest = rest.dropFirst(reference.text.count)
            } else {
                result += "$"
                rest = rest.dropFirst()
            }
        }
        return result + rest
    }

    private func value(of reference: Reference, key: String, _ problems: ProblemList) -> String {
        guard let value = definitions[reference.name] else {
            problems.error(
                .undefinedName, key, "\(reference.text) has no value.",
                fix: "Define \(reference.name) in \(ManifestFile.settingsName) or with --define "
                    + "\(reference.name)=VALUE, or write $\(reference.text) for the text itself.")
            return reference.text
        }
        switch reference.modifier {
        case nil:
            return value
        case "rfc1034identifier":
            return String(value.map { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == ".") ? $0 : "-" })
        case let modifier?:
            problems.error(
                .undefinedName, key, "The modifier “\(modifier)” in \(reference.text) is not known.",
                fix: "Leave the modifier out, or write the value in its final form.")
            return reference.text
        }
    }

    /// A `$(NAME)` or `$(NAME:modifier)` at the start of a text.
    private struct Reference {
        let text: String
        let name: String
        let modifier: String?

        init?(_ start: Substring) {
            // Longer names are none of ours; without a bound a text full of "$(" would take quadratic time.
            guard start.hasPrefix("$("), let end = start.prefix(128).firstIndex(of: ")") else { return nil }
            text = String(start[...end])
            let parts = start[..<end].dropFirst(2).split(separator: ":", omittingEmptySubsequences: false)
            guard (1...2).contains(parts.count), parts.allSatisfy(Self.isName) else { return nil }
            name = String(parts[0])
            modifier = parts.count == 2 ? String(parts[1]) : nil
        }

        private static func isName(_ text: Substring) -> Bool {
            guard let first = text.first, !first.isNumber else { return false }
            return text.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "_") }
        }
    }
}
