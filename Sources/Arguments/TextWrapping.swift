/// Fits text into the columns of a terminal.
package enum TextWrapping {
    package static let width = 80

    /// The words in lines of at most `width` columns; a longer word gets a line of its own.
    package static func wrap(_ text: String, indent: Int, hanging: Int? = nil, width: Int = width) -> [String] {
        var lines: [String] = []
        var line = ""
        var isEmpty = true
        for word in text.split(whereSeparator: \.isWhitespace) {
            if !isEmpty, line.count + 1 + word.count > width {
                lines.append(line)
                isEmpty = true
            }
            if isEmpty {
                line = String(repeating: " ", count: lines.isEmpty ? indent : hanging ?? indent) + word
                isEmpty = false
            } else {
                line += " " + word
            }
        }
        return isEmpty ? lines : lines + [line]
    }

    /// Paragraphs with a blank line between them; a line that begins with four spaces is kept as it is.
    static func paragraphs(_ text: String, indent: Int) -> [String] {
        var lines: [String] = []
        var paragraph: [Substring] = []
        func flush() {
            lines += wrap(paragraph.joined(separator: " "), indent: indent)
            paragraph = []
        }
        for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
            if line.allSatisfy(\.isWhitespace) {
                flush()
                if lines.last != "" { lines.append("") }
            } else if line.hasPrefix("    ") {
                flush()
                lines.append(String(repeating: " ", count: indent) + line)
            } else {
                paragraph.append(line)
            }
        }
        flush()
        while lines.last == "" { lines.removeLast() }
        return lines
    }
}
