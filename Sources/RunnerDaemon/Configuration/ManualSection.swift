/// A section of a manual page, 80 columns wide.
struct ManualSection {
    struct Entry {
        var name: String
        /// Each begins a line.
        var text: [String]
    }

    private static let width = 80

    private let title: String
    private let introduction: String
    private let entries: [Entry]

    init(_ title: String, text introduction: String = "", entries: [Entry] = []) {
        self.title = title
        self.introduction = introduction
        self.entries = entries
    }

    /// It ends with a line feed.
    var text: String {
        var lines = [title] + Self.wrapped(introduction, indent: 4)
        for entry in entries {
            if lines.count > 1 { lines.append("") }
            lines.append("    " + entry.name)
            for text in entry.text { lines += Self.wrapped(text, indent: 8) }
        }
        return lines.joined(separator: "\n") + "\n"
    }

    private static func wrapped(_ text: String, indent: Int) -> [String] {
        let margin = String(repeating: " ", count: indent)
        var lines: [String] = []
        for word in text.split(separator: " ") {
            if let last = lines.last, last.count + 1 + word.count <= width {
                lines[lines.count - 1] = "\(last) \(word)"
            } else {
                lines.append(margin + word)
            }
        }
        return lines
    }
}
