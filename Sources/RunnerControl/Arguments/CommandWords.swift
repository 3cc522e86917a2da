/// The protocol's names as words of the command line: `simulateLaunch` is `simulate-launch`.
enum CommandWords {
    static func kebab(_ name: String) -> String {
        var words = ""
        for character in name {
            if character.isUppercase {
                words += "-" + character.lowercased()
            } else {
                words.append(character)
            }
        }
        return words
    }

    /// A method's command: `app.forceQuit` is `app force-quit`.
    static func command(of method: String) -> [String] {
        method.split(separator: ".").map { kebab(String($0)) }
    }

    /// Whether a word means a name of the protocol, however it is written.
    static func means(_ word: String, _ name: String) -> Bool {
        word == name || word == kebab(name)
    }
}
