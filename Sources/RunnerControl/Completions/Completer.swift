import Arguments

/// Says which words can stand where the cursor is, from the description of the program.
struct Completer {
    struct Word: Equatable {
        var text: String
        /// For shells that show one.
        var summary = ""
    }

    enum Answer: Equatable {
        case words([Word])
        /// The shell knows the files.
        case files
    }

    let program: ProgramDescription
    /// The names of a list, asked for with the options that choose a socket.
    let names: (String, _ socketOptions: [String]) -> [String]

    /// What can stand for the last word, which may be begun or empty.
    func complete(_ words: [String]) -> Answer {
        var reading = Reading(program: program)
        for word in words.dropLast() { reading.take(word) }
        let current = words.last ?? ""
        if let option = reading.option { return answer(option.values, begun: current, reading) }
        if !reading.optionsEnded, current.hasPrefix("--"), let equals = current.firstIndex(of: "=") {
            let name = String(current[..<equals])
            guard let option = reading.options.first(where: { $0.names.contains(name) }) else { return .words([]) }
            return answer(option.values, begun: String(current[current.index(after: equals)...]), reading)
                .prefixed(by: name + "=")
        }
        if !reading.optionsEnded, current.hasPrefix("-") {
            let all = reading.options.flatMap { option in option.names.map { Word(text: $0, summary: option.help) } }
            return .words(fitting(all, current))
        }
        return position(reading, current)
    }

    // MARK: Private

    private func position(_ reading: Reading, _ current: String) -> Answer {
        var found: [Word] = []
        if reading.positions == 0 {
            for command in program.commands where command.words.starts(with: reading.words) {
                guard command.words.count > reading.words.count else { continue }
                let word = command.words[reading.words.count]
                guard !found.contains(where: { $0.text == word }) else { continue }
                let isWhole = command.words.count == reading.words.count + 1
                found.append(Word(text: word, summary: isWhole ? command.summary : ""))
            }
        }
        let commands = fitting(found, current)
        guard let positional = reading.positional else { return .words(commands) }
        switch answer(positional.values, begun: current, reading) {
        case .files: return commands.isEmpty ? .files : .words(commands)
        case .words(let values): return .words(commands + values)
        }
    }

    private func answer(_ values: ValueSource, begun current: String, _ reading: Reading) -> Answer {
        switch values {
        case .anything: return .words([])
        case .files: return .files
        case .words(let words): return .words(fitting(words.map { Word(text: $0) }, current))
        case .commaSeparated(let words):
            let done = current.lastIndex(of: ",").map { String(current[...$0]) } ?? ""
            return .words(fitting(words.map { Word(text: done + $0) }, current))
        case .byPrevious(let words):
            let previous = CommandWords.kebab(reading.values.last ?? "")
            return .words(fitting(words[previous, default: []].map { Word(text: $0) }, current))
        case .commands:
            let begun = reading.values
            let next = program.commands.filter { $0.words.starts(with: begun) && $0.words.count > begun.count }
                .map { Word(text: $0.words[begun.count]) }
            return .words(fitting(next, current))
        case .list(let name):
            return .words(fitting(names(name, reading.socketOptions).map { Word(text: $0) }, current))
        }
    }

    private func fitting(_ words: [Word], _ current: String) -> [Word] {
        var seen: Set<String> = []
        return words.filter { $0.text.hasPrefix(current) && !$0.text.isEmpty && seen.insert($0.text).inserted }
    }

    /// What the words before the cursor mean.
    private struct Reading {
        let program: ProgramDescription
        /// The words of the command.
        private(set) var words: [String] = []
        /// The positions that are taken.
        private(set) var values: [String] = []
        private(set) var optionsEnded = false
        /// The option whose value is next.
        private(set) var option: OptionDescription?
        private(set) var socketOptions: [String] = []

        init(program: ProgramDescription) {
            self.program = program
        }

        var positions: Int { values.count }

        private var command: CommandDescription? { program.command(words) }

        var options: [OptionDescription] { (command?.options ?? []) + program.allOptions }

        var positional: PositionalDescription? {
            guard let all = command?.positionals else { return nil }
            if positions < all.count { return all[positions] }
            return all.last.flatMap { $0.isRepeatable ? $0 : nil }
        }

        mutating func take(_ word: String) {
            if let option {
                note(option, word)
                self.option = nil
            } else if !optionsEnded, word == "--" {
                optionsEnded = true
            } else if !optionsEnded, word.hasPrefix("-"), word != "-" {
                let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
                guard let found = options.first(where: { $0.names.contains(String(parts[0])) }) else { return }
                if found.valueName == nil || parts.count == 2 {
                    note(found, parts.count == 2 ? String(parts[1]) : nil)
                } else {
                    option = found
                }
            } else if values.isEmpty, program.commands.contains(where: { $0.words.starts(with: words + [word]) }) {
                words.append(word)
            } else {
                values.append(word)
            }
        }

        private mutating func note(_ option: OptionDescription, _ value: String?) {
            let choices = [
                ControlDescription.socket, ControlDescription.user, ControlDescription.system, ControlDescription.app,
            ]
            guard choices.contains(option.name) else { return }
            socketOptions += [option.name] + (value.map { [$0] } ?? [])
        }
    }
}

extension Completer.Answer {
    fileprivate func prefixed(by prefix: String) -> Completer.Answer {
        switch self {
        case .files: self
        case .words(let words): .words(words.map { Completer.Word(text: prefix + $0.text, summary: $0.summary) })
        }
    }
}
