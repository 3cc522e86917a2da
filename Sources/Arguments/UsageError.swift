/// Arguments that cannot be understood: what is wrong, and what was probably meant.
package struct UsageError: Error, Hashable, Sendable {
    /// One plain sentence.
    package var message: String
    /// What to write instead, ready to be typed; `nil` when nothing is near.
    package var suggestion: String?
    /// The command line that shows the help which applies.
    package var help: String

    package init(_ message: String, suggestion: String? = nil, help: String = "") {
        self.message = message
        self.suggestion = suggestion
        self.help = help
    }
}

extension UsageError: CustomStringConvertible {
    package var description: String {
        var text = message
        if let suggestion { text += " Did you mean “\(suggestion)”?" }
        if !help.isEmpty { text += " See “\(help)”." }
        return text
    }
}
