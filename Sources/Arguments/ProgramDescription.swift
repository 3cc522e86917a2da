/// A program as its user sees it: what it takes, and everything that its help says.
package struct ProgramDescription: Sendable {
    /// A name and what it means: a variable, a file, an exit status.
    package struct Entry: Hashable, Sendable {
        package var name: String
        package var help: String

        package init(_ name: String, _ help: String) {
            self.name = name
            self.help = help
        }
    }

    package var name: String
    package var version: String
    /// One line without a full stop.
    package var summary: String
    package var description: String
    /// Accepted before and after a command's words.
    package var options: [OptionDescription]
    package var commands: [CommandDescription]
    /// What a program without commands takes by position.
    package var positionals: [PositionalDescription]
    package var environment: [Entry]
    package var files: [Entry]
    package var exitStatuses: [Entry]
    package var examples: [ExampleDescription]

    package init(
        name: String, version: String, summary: String, description: String = "", options: [OptionDescription] = [],
        commands: [CommandDescription] = [], positionals: [PositionalDescription] = [], environment: [Entry] = [],
        files: [Entry] = [], exitStatuses: [Entry] = [], examples: [ExampleDescription] = []
    ) {
        self.name = name
        self.version = version
        self.summary = summary
        self.description = description
        self.options = options
        self.commands = commands
        self.positionals = positionals
        self.environment = environment
        self.files = files
        self.exitStatuses = exitStatuses
        self.examples = examples
    }

    /// Every program understands these.
    static let standardOptions = [
        OptionDescription("--help", "-h", help: "Shows this help and ends."),
        OptionDescription("--version", help: "Shows the version and ends."),
    ]

    package var allOptions: [OptionDescription] { options + Self.standardOptions }

    package func command(_ words: [String]) -> CommandDescription? {
        commands.first { $0.words == words }
    }
}
