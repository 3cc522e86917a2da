/// How much room text takes on a terminal: most letters one column, those of East Asian scripts and pictures two.
enum Columns {
    static func width(of text: String) -> Int {
        text.reduce(0) { $0 + width(of: $1) }
    }

    /// As much of the beginning as fits; a sign at its end says that there was more.
    static func prefix(of text: String, columns: Int) -> String {
        guard width(of: text) > columns else { return text }
        var (kept, taken) = ("", 0)
        for letter in text {
            taken += width(of: letter)
            guard taken < columns else { break }
            kept.append(letter)
        }
        return columns > 0 ? kept + "…" : ""
    }

    private static func width(of letter: Character) -> Int {
        letter.unicodeScalars.contains(where: isWide) ? 2 : 1
    }

    /// The blocks that Unicode calls wide, and what is shown as a picture.
    private static func isWide(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0..<0x1100: false
        case 0x1100...0x115F, 0x2E80...0x303E, 0x3041...0xA4CF, 0xA960...0xA97F, 0xAC00...0xD7A3, 0xF900...0xFAFF,
            0xFE0F, 0xFE30...0xFE6F, 0xFF00...0xFF60, 0xFFE0...0xFFE6, 0x20000...0x3FFFD:
            true
        default: scalar.properties.isEmojiPresentation
        }
    }
}
