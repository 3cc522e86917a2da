/// Writes words so that a shell reads them as they are.
enum ShellWord {
    static func quoted(_ word: String) -> String {
        let isPlain = word.utf8.allSatisfy { byte in
            (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
                || (UInt8(ascii: "-")...UInt8(ascii: "9")).contains(byte)
                || byte == UInt8(ascii: "_")
        }
        return isPlain ? word : "'" + word.replacing("'", with: "'\\''") + "'"
    }
}
