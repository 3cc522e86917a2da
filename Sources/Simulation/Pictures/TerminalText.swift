/// Makes names fit for a terminal: no more columns than there are, and only ASCII where there is nothing else.
struct TerminalText {
    let isUnicode: Bool

    /// Without anything that a terminal would obey.
    func clean(_ text: String) -> String {
        let clean = PictureText.clean(text)
        guard !isUnicode else { return clean }
        return String(clean.map { $0.isASCII ? $0 : $0 == "…" ? "~" : "?" })
    }

    /// Shortened in its middle to a number of columns.
    func fitting(_ text: String, _ columns: Int) -> String {
        let clean = clean(text)
        let short = ShortText.middle(clean) { Self.columns($0) <= columns }
        return isUnicode ? short : String(short.map { $0 == "…" ? "~" : $0 })
    }

    /// Fitted, and filled up with blanks.
    func padded(_ text: String, _ columns: Int) -> String {
        let short = fitting(text, columns)
        return short + String(repeating: " ", count: max(0, columns - Self.columns(short)))
    }

    /// Lines of at most so many columns, broken between the parts.
    func wrapped(_ parts: [String], _ columns: Int) -> [String] {
        var lines: [String] = []
        var line = ""
        for part in parts.map({ fitting($0, columns) }) {
            let joined = line.isEmpty ? part : line + "   " + part
            if Self.columns(joined) > columns, !line.isEmpty {
                lines.append(line)
                line = part
            } else {
                line = joined
            }
        }
        return line.isEmpty ? lines : lines + [line]
    }

    static func columns(_ text: String) -> Int {
        text.unicodeScalars.reduce(0) { $0 + columns($1) }
    }

    private static func columns(_ scalar: Unicode.Scalar) -> Int {
        if scalar.isASCII { return 1 }
        switch scalar.value {
        case 0x200C, 0x200D, 0xFE00...0xFE0F: return 0
        case 0x1100...0x115F, 0x2E80...0xA4CF, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE30...0xFE6F, 0xFF00...0xFF60,
            0xFFE0...0xFFE6, 0x1F000...0x1FAFF, 0x20000...0x3FFFD:
            return 2
        default:
            if PictureText.isMark(scalar) { return 0 }
            return scalar.properties.isEmojiPresentation ? 2 : 1
        }
    }
}
