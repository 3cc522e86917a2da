import Scheduling

/// Reads the arguments of a program after its description.
///
/// Options may stand anywhere after the program's name, those of a command after its words. `--name=value`,
/// `--name value`, `-n value`, `-nvalue` and `-abc` for `-a -b -c` are all understood; `--` ends the options.
package struct ArgumentParser: Sendable {
    package enum Outcome: Sendable {
        case run(ParsedArguments)
        /// `--help`: this is to be printed, and nothing else done.
        case help(String)
        /// `--version`: likewise.
        case version(String)
    }

    package let program: ProgramDescription

    package init(_ program: ProgramDescription) {
        self.program = program
    }

    /// Reads the arguments that follow the program's name.
    package func parse(_ arguments: [String]) throws(UsageError) -> Outcome {
        var reading = ArgumentReading(program: program, arguments: arguments)
        return try reading.run()
    }
}

/// One pass over the arguments.
struct ArgumentReading {
    let program: ProgramDescription
    private let arguments: [String]
    private var rest: ArraySlice<String>
    private var command: CommandDescription?
    private var optionValues: [String: [String]] = [:]
    private var words: [String] = []
    private var optionsEnded = false

    init(program: ProgramDescription, arguments: [String]) {
        self.program = program
        self.arguments = arguments
        rest = arguments[...]
    }

    mutating func run() throws(UsageError) -> ArgumentParser.Outcome {
        while let argument = rest.popFirst() {
            if optionsEnded || !isOption(argument) {
                try readWord(argument)
            } else if argument == "--" {
                optionsEnded = true
            } else if argument.hasPrefix("--") {
                try readLongOption(argument)
            } else {
                try readShortOptions(argument)
            }
        }
        // Before anything is missed: who asks for help does not know yet what must be there.
        if optionValues["--help"] != nil { return .help(HelpText(program).text(for: command)) }
        if optionValues["--version"] != nil { return .version("\(program.name) \(program.version)") }
        return .run(try parsedArguments())
    }

    // MARK: Words

    private mutating func readWord(_ word: String) throws(UsageError) {
        guard command == nil, !program.commands.isEmpty else {
            words.append(word)
            return
        }
        let longest = program.commands.map(\.words.count).max() ?? 1
        for count in stride(from: min(longest, rest.count + 1), through: 1, by: -1) {
            let candidate = [word] + rest.prefix(count - 1)
            if let found = program.command(candidate) {
                rest = rest.dropFirst(count - 1)
                command = found
                return
            }
        }
        if rest.contains("--help") || rest.contains("-h") {
            optionValues["--help"] = [""]
            rest = []
            return
        }
        throw unknownCommand(word)
    }

    private func unknownCommand(_ word: String) -> UsageError {
        let group = program.commands.filter { $0.words.count > 1 && $0.words.first == word }
        if !group.isEmpty {
            let nexts = group.map { $0.words.dropFirst().joined(separator: " ") }
            guard let next = rest.first, !isOption(next) else {
                return UsageError(
                    "“\(word)” must be followed by one of: \(nexts.joined(separator: ", ")).", help: helpCommand)
            }
            let nearest = NearestName.nearest(to: next, among: nexts)
            return UsageError(
                "There is no command “\(word) \(next)”; “\(word)” is followed by one of: "
                    + "\(nexts.joined(separator: ", ")).",
                suggestion: nearest.map { "\(program.name) \(word) \($0)" }, help: helpCommand)
        }
        let names = program.commands.map(\.name)
        let nearest =
            rest.first.flatMap { NearestName.nearest(to: "\(word) \($0)", among: names) }
            ?? NearestName.nearest(to: word, among: names)
        return UsageError(
            "There is no command “\(word)”.", suggestion: nearest.map { "\(program.name) \($0)" }, help: helpCommand)
    }

    // MARK: Options

    /// A lone dash is a word, and so is a negative number.
    private func isOption(_ argument: String) -> Bool {
        guard argument.utf8.count > 1, argument.hasPrefix("-") else { return false }
        return Double(argument) == nil || option(named: String(argument.prefix(2))) != nil
    }

    private mutating func readLongOption(_ argument: String) throws(UsageError) {
        let parts = argument.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        let name = String(parts[0])
        guard let option = option(named: name) else { throw unknownOption(name, written: argument) }
        if option.valueName != nil {
            try add(parts.count == 2 ? String(parts[1]) : try nextValue(of: option, written: name), to: option, name)
        } else if parts.count == 2 {
            throw UsageError("\(name) takes no value.", suggestion: name, help: helpCommand)
        } else {
            try add("", to: option, name)
        }
    }

    private mutating func readShortOptions(_ argument: String) throws(UsageError) {
        let long = "-" + argument.prefix { $0 != "=" }
        if argument.utf8.count > 2, option(named: long) != nil {
            throw UsageError("\(argument) has one dash too few.", suggestion: "-" + argument, help: helpCommand)
        }
        var letters = argument.dropFirst()
        while let letter = letters.popFirst() {
            let name = "-\(letter)"
            guard let option = option(named: name) else {
                // `-config` is one mistake, not six.
                let unknown = argument.count > 2 && letters.count == argument.count - 2 ? argument : name
                throw unknownOption(unknown, written: unknown)
            }
            guard option.valueName != nil else {
                try add("", to: option, name)
                continue
            }
            let value = letters.hasPrefix("=") ? letters.dropFirst() : letters
            try add(letters.isEmpty ? try nextValue(of: option, written: name) : String(value), to: option, name)
            return
        }
    }

    private mutating func nextValue(of option: OptionDescription, written name: String) throws(UsageError) -> String {
        let valueName = option.valueName ?? "VALUE"
        let following = rest.first.flatMap { self.option(named: String($0.prefix { $0 != "=" })) }
        guard let value = rest.first, value != "--", following == nil else {
            throw UsageError("\(name) needs a value: \(name) \(valueName).", help: helpCommand)
        }
        rest.removeFirst()
        return value
    }

    private mutating func add(_ value: String, to option: OptionDescription, _ name: String) throws(UsageError) {
        guard option.isRepeatable || optionValues[option.name] == nil || option.valueName == nil else {
            throw UsageError("\(name) is given more than once, and only one value can hold.", help: helpCommand)
        }
        optionValues[option.name, default: []].append(value)
    }

    private var knownOptions: [OptionDescription] { (command?.options ?? []) + program.allOptions }

    private func option(named name: String) -> OptionDescription? {
        knownOptions.first { $0.names.contains(name) }
    }

    private func unknownOption(_ name: String, written argument: String) -> UsageError {
        let owners = program.commands.filter { command in command.options.contains { $0.names.contains(name) } }
        if command == nil, !owners.isEmpty {
            let names = owners.map(\.name).joined(separator: ", ")
            return UsageError(
                "\(name) belongs to a command (\(names)) and must be written after it.",
                suggestion: reordered(argument, owners), help: helpCommand)
        }
        let candidates = knownOptions.flatMap(\.names).filter { $0.hasPrefix("--") }
        let subject = command.map { " for \(program.name) \($0.name)" } ?? ""
        return UsageError(
            "There is no option \(name)\(subject).",
            suggestion: name.count > 2 ? NearestName.nearest(to: name, among: candidates) : nil, help: helpCommand)
    }

    /// The command line with an option behind the command that has it; nil when it is not clear which one is meant.
    private func reordered(_ argument: String, _ owners: [CommandDescription]) -> String? {
        // What follows the option may be its value, so a longer command is the likelier one, and then the later.
        var found: (owner: CommandDescription, place: Int)?
        let following = Array(rest)
        for owner in owners {
            for place in following.indices where following[place...].starts(with: owner.words) {
                let isLonger = owner.words.count > found?.owner.words.count ?? 0
                if isLonger || owner.words.count == found?.owner.words.count, place >= found?.place ?? 0 {
                    found = (owner, place)
                }
            }
        }
        if let found {
            let others = following[..<found.place] + following[(found.place + found.owner.words.count)...]
            let before = arguments.prefix(arguments.count - following.count - 1)
            return ([program.name] + found.owner.words + (before + [argument] + others).map { ShellWord.quoted($0) })
                .joined(separator: " ")
        }
        return owners.count == 1 ? "\(program.name) \(owners[0].name) \(argument)" : nil
    }

    // MARK: Result

    private var helpCommand: String {
        ([program.name] + (command?.words ?? []) + ["--help"]).joined(separator: " ")
    }

    private func parsedArguments() throws(UsageError) -> ParsedArguments {
        if command == nil, !program.commands.isEmpty {
            throw UsageError("A command is missing.", help: helpCommand)
        }
        let positionals = command?.positionals ?? program.positionals
        var parsed = ParsedArguments(
            command: command, options: knownOptions, positionals: positionals, optionValues: optionValues,
            help: helpCommand)
        var words = words[...]
        for positional in positionals {
            if positional.isRepeatable {
                parsed.positionalValues[positional.name] = Array(words)
                words = []
            } else if let word = words.popFirst() {
                parsed.positionalValues[positional.name] = [word]
            }
            if !positional.isOptional, parsed.positionals(positional.name).isEmpty {
                throw UsageError("\(positional.name) is missing: \(positional.help)", help: helpCommand)
            }
        }
        if let surplus = words.first {
            let most = positionals.isEmpty ? "nothing" : positionals.map(\.synopsis).joined(separator: " ")
            throw UsageError("“\(surplus)” is one argument too many; expected is \(most).", help: helpCommand)
        }
        return parsed
    }
}
