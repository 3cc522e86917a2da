/// Makes text from elsewhere fit for a picture: names come from scenario files, bundles and peers.
enum PictureText {
    /// The longest text that a picture shows, in characters.
    static let longest = 300
    private static let replacement: Unicode.Scalar = "\u{FFFD}"

    /// The text without what draws over its neighbours or turns the line around, and of a bounded length.
    static func clean(_ text: String, limit: Int = longest) -> String {
        // Nearly all names are short and plain.
        if text.utf8.count <= limit, text.utf8.allSatisfy({ (0x20...0x7E).contains($0) }) { return text }
        var kept = String.UnicodeScalarView()
        var marks = 0
        // A character can hold any number of scalars, so those are bounded as well.
        for scalar in text.unicodeScalars.prefix(limit * 16) {
            if isMark(scalar) {
                marks += 1
                if marks > 2 { continue }
            } else {
                marks = 0
            }
            kept.append(isUnfit(scalar) ? replacement : scalar)
        }
        return ShortText.middle(String(kept), limit: limit)
    }

    /// The cleaned text for the inside of an element or of a quoted attribute, in XML and in HTML.
    static func escaped(_ text: String, limit: Int = longest) -> String {
        var safe = ""
        for scalar in clean(text, limit: limit).unicodeScalars {
            switch scalar {
            case "&": safe += "&amp;"
            case "<": safe += "&lt;"
            case ">": safe += "&gt;"
            case "\"": safe += "&quot;"
            case "'": safe += "&#39;"
            default: safe.unicodeScalars.append(scalar)
            }
        }
        return safe
    }

    /// Lines of a detail. Each is cleaned by itself, since the end of a line is a control character.
    static func escaped(lines: [String]) -> String {
        lines.map { escaped($0) }.joined(separator: "\n")
    }

    /// Marks that are drawn over the character before them; a heap of them leaves its line.
    static func isMark(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .nonspacingMark, .enclosingMark: true
        default: false
        }
    }

    /// What XML forbids, what a terminal obeys, and what turns the direction of the line.
    private static func isUnfit(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0..<0x20, 0x7F..<0xA0, 0x61C, 0x200B, 0x200E, 0x200F, 0x2028...0x202E, 0x2060...0x206F, 0xFEFF: true
        case 0xFDD0...0xFDEF, 0xFFF9...0xFFFB, 0xE0000...0xE007F: true
        default: scalar.value & 0xFFFE == 0xFFFE
        }
    }
}
