import Scheduling

/// The values of a command line that was understood. Asking for a name that was never described is our own mistake.
package struct ParsedArguments: Sendable {
    /// The command; `nil` for a program without commands.
    package let command: CommandDescription?
    let options: [OptionDescription]
    let positionals: [PositionalDescription]
    /// By the option's first name; a switch has one empty value each time it was given.
    var optionValues: [String: [String]] = [:]
    var positionalValues: [String: [String]] = [:]
    /// The command line that shows the help which applies.
    let help: String

    // MARK: Options

    /// Whether an option was given at all.
    package func isSet(_ option: String) -> Bool {
        !values(of: option).isEmpty
    }

    /// The value of an option that is given at most once.
    package func value(of option: String) -> String? {
        values(of: option).last
    }

    /// All values of an option in the order of the command line.
    package func values(of option: String) -> [String] {
        guard let description = options.first(where: { $0.names.contains(option) }) else {
            preconditionFailure("the option \(option) is not described")
        }
        return optionValues[description.name] ?? []
    }

    /// The value as a whole number.
    package func integer(of option: String, in range: ClosedRange<Int>) throws(UsageError) -> Int? {
        guard let text = value(of: option) else { return nil }
        guard let integer = Int(text), range.contains(integer) else {
            throw UsageError(
                "\(option) must be a whole number from \(range.lowerBound) to \(range.upperBound), not “\(text)”.",
                help: help)
        }
        return integer
    }

    /// The value as one of some words.
    package func word(of option: String, among words: [String]) throws(UsageError) -> String? {
        guard let text = value(of: option) else { return nil }
        guard words.contains(text) else {
            throw UsageError(
                "\(option) must be one of \(words.joined(separator: ", ")), not “\(text)”.",
                suggestion: NearestName.nearest(to: text, among: words), help: help)
        }
        return text
    }

    // MARK: Positions

    /// The value of a positional that is given at most once.
    package func positional(_ name: String) -> String? {
        positionals(name).first
    }

    /// All values of a positional.
    package func positionals(_ name: String) -> [String] {
        guard positionals.contains(where: { $0.name == name }) else {
            preconditionFailure("the positional \(name) is not described")
        }
        return positionalValues[name] ?? []
    }
}
