/// A command of a program, or the whole of a program that has no commands.
package struct CommandDescription: Hashable, Sendable {
    /// The words that choose it: `["app", "opened"]`; none for a program without commands.
    package var words: [String]
    /// One line without a full stop.
    package var summary: String
    /// Paragraphs with a blank line between them; lines that begin with four spaces are kept as they are.
    package var description: String
    package var positionals: [PositionalDescription]
    package var options: [OptionDescription]
    package var examples: [ExampleDescription]

    package init(
        _ words: [String] = [], summary: String, description: String = "", positionals: [PositionalDescription] = [],
        options: [OptionDescription] = [], examples: [ExampleDescription] = []
    ) {
        self.words = words
        self.summary = summary
        self.description = description
        self.positionals = positionals
        self.options = options
        self.examples = examples
    }

    package var name: String { words.joined(separator: " ") }
}

/// A command line to start from.
package struct ExampleDescription: Hashable, Sendable {
    package var command: String
    /// What it does, as a sentence.
    package var explanation: String

    package init(_ command: String, _ explanation: String) {
        self.command = command
        self.explanation = explanation
    }
}
