/// The protocol's names as words of the command line: `simulateLaunch` is `simulate-launch`.
enum CommandWords {
    static func kebab(_ name: String) -> String {
        var words: [UInt8] = []
        for byte in name.utf8 {
            if (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte) {
                words += [UInt8(ascii: "-"), byte + 0x20]
            } else {
                words.append(byte)
            }
        }
        return String(decoding: words, as: UTF8.self)
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
