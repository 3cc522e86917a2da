/// Where the values of an argument come from, so that a shell can complete them.
package enum ValueSource: Hashable, Sendable {
    /// Nothing is known of them.
    case anything
    case words([String])
    /// Some of these words, with commas between them.
    case commaSeparated([String])
    /// Words that depend on the argument in the position before.
    case byPrevious([String: [String]])
    /// Files and folders.
    case files
    /// The words that choose a command of the program itself.
    case commands
    /// A list of this name, which the program knows how to get.
    case list(String)
}
