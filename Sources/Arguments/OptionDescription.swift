/// An option of a program or of one of its commands.
package struct OptionDescription: Hashable, Sendable {
    /// With their dashes, the long one first: `--config`, `-c`.
    package var names: [String]
    /// What stands for the value in help, such as `FILE`; `nil` when the option takes none.
    package var valueName: String?
    package var help: String
    /// Whether it may be given more than once.
    package var isRepeatable: Bool
    /// What its value may be.
    package var values: ValueSource

    package init(
        _ names: String..., value valueName: String? = nil, values: ValueSource = .anything, help: String,
        isRepeatable: Bool = false
    ) {
        self.names = names
        self.valueName = valueName
        self.values = values
        self.help = help
        self.isRepeatable = isRepeatable
    }

    /// The name by which values are asked for and messages speak of it.
    package var name: String { names.first ?? "" }

    /// The option as help shows it: `-c, --config FILE`.
    var synopsis: String {
        let sorted = names.filter { !$0.hasPrefix("--") } + names.filter { $0.hasPrefix("--") }
        return sorted.joined(separator: ", ") + (valueName.map { " \($0)" } ?? "")
    }
}
