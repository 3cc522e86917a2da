/// Renders the help of a program or a command with the sections of a manual page, 80 columns wide.
package struct HelpText {
    /// What a synopsis shows one by one; of more it says only that there are some.
    private static let synopsisOptions = 6
    private static let indent = 4
    /// The widest name that still shares a line with its summary.
    private static let nameColumn = 22

    private let program: ProgramDescription
    private var lines: [String] = []

    package init(_ program: ProgramDescription) {
        self.program = program
    }

    /// The help of a command, or of the whole program; it ends with a line feed.
    package func text(for command: CommandDescription? = nil) -> String {
        var help = self
        if let command {
            help.render(command)
        } else {
            help.renderProgram()
        }
        return help.lines.joined(separator: "\n") + "\n"
    }

    // MARK: Pages

    private mutating func renderProgram() {
        name(program.name, program.summary)
        section("SYNOPSIS")
        if program.commands.isEmpty {
            synopsis([program.name], program.options, program.positionals)
        } else {
            wrapped("\(program.name) [OPTION]... COMMAND [ARGUMENT]...")
            wrapped("\(program.name) COMMAND --help")
        }
        description(program.description)
        entries("ARGUMENTS", program.positionals.map { ($0.name, $0.help) })
        commands()
        options("OPTIONS", program.allOptions)
        entries("ENVIRONMENT", program.environment.map { ($0.name, $0.help) })
        entries("FILES", program.files.map { ($0.name, $0.help) })
        exitStatuses()
        examples(program.examples)
    }

    private mutating func render(_ command: CommandDescription) {
        let words = [program.name] + command.words
        name(words.joined(separator: " "), command.summary)
        section("SYNOPSIS")
        synopsis(words, command.options, command.positionals)
        description(command.description)
        entries("ARGUMENTS", command.positionals.map { ($0.name, $0.help) })
        options("OPTIONS", command.options)
        options("COMMON OPTIONS", program.allOptions)
        exitStatuses()
        examples(command.examples)
    }

    // MARK: Sections

    private mutating func section(_ title: String) {
        if !lines.isEmpty { lines.append("") }
        lines.append(title)
    }

    private mutating func wrapped(_ text: String) {
        lines += TextWrapping.wrap(text, indent: Self.indent, hanging: Self.indent * 2)
    }

    private mutating func name(_ name: String, _ summary: String) {
        section("NAME")
        wrapped("\(name) - \(summary)")
    }

    private mutating func synopsis(
        _ words: [String], _ options: [OptionDescription], _ positionals: [PositionalDescription]
    ) {
        var parts = [words.joined(separator: " ")]
        if options.count > Self.synopsisOptions {
            parts.append("[OPTION]...")
        } else {
            // A part must not be torn apart between lines.
            parts += options.map { option in
                let value = option.valueName.map { " \($0)" } ?? ""
                return "[\(option.name)\(value)]\(option.isRepeatable ? "..." : "")"
            }
        }
        parts += positionals.map(\.synopsis)
        var line = String(repeating: " ", count: Self.indent) + parts[0]
        for part in parts.dropFirst() {
            if line.count + 1 + part.count > TextWrapping.width {
                lines.append(line)
                line = String(repeating: " ", count: Self.indent * 2) + part
            } else {
                line += " " + part
            }
        }
        lines.append(line)
    }

    private mutating func description(_ text: String) {
        guard !text.isEmpty else { return }
        section("DESCRIPTION")
        lines += TextWrapping.paragraphs(text, indent: Self.indent)
    }

    /// A table of names and summaries.
    private mutating func commands() {
        guard !program.commands.isEmpty else { return }
        section("COMMANDS")
        table(program.commands.map { ($0.name, $0.summary) })
    }

    private mutating func exitStatuses() {
        guard !program.exitStatuses.isEmpty else { return }
        section("EXIT STATUS")
        table(program.exitStatuses.map { ($0.name, $0.help) })
    }

    private mutating func table(_ rows: [(name: String, text: String)]) {
        let widest = min(rows.map(\.name.count).max() ?? 0, Self.nameColumn)
        let column = Self.indent + widest + 2
        for row in rows {
            let name = String(repeating: " ", count: Self.indent) + row.name
            var text = TextWrapping.wrap(row.text, indent: column)
            if row.name.count > widest || text.isEmpty {
                lines.append(name)
            } else {
                let first = text.removeFirst()
                lines.append(name + first.dropFirst(name.count))
            }
            lines += text
        }
    }

    private mutating func options(_ title: String, _ options: [OptionDescription]) {
        entries(
            title,
            options.map { option in
                (option.synopsis, option.help + (option.isRepeatable ? " May be given more than once." : ""))
            })
    }

    /// Names on lines of their own, with their text below.
    private mutating func entries(_ title: String, _ entries: [(name: String, text: String)]) {
        guard !entries.isEmpty else { return }
        section(title)
        for (index, entry) in entries.enumerated() {
            if index > 0 { lines.append("") }
            lines.append(String(repeating: " ", count: Self.indent) + entry.name)
            lines += TextWrapping.wrap(entry.text, indent: Self.indent * 2)
        }
    }

    private mutating func examples(_ examples: [ExampleDescription]) {
        guard !examples.isEmpty else { return }
        section("EXAMPLES")
        for (index, example) in examples.enumerated() {
            if index > 0 { lines.append("") }
            lines += TextWrapping.wrap(example.explanation, indent: Self.indent)
            lines.append(String(repeating: " ", count: Self.indent * 2) + example.command)
        }
    }
}
