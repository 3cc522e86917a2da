/// Writes a table of texts. All of them are escaped here.
struct HTMLTable {
    private let columns: [(name: String, isNumeric: Bool)]
    private var body = ""
    private(set) var isEmpty = true

    init(_ columns: [(name: String, isNumeric: Bool)]) {
        self.columns = columns
    }

    /// A line over the rows that follow.
    mutating func group(_ title: String) {
        body += "<tr><th colspan=\"\(columns.count)\" scope=\"rowgroup\">\(PictureText.escaped(title))</th></tr>\n"
    }

    /// - Parameter cells: as many as there are columns; the lines of each are shown under each other.
    mutating func row(_ cells: [[String]]) {
        isEmpty = false
        body += "<tr>"
        for (column, lines) in zip(columns, cells) {
            let text = lines.map(Self.breakable).joined(separator: "<br>")
            // Only such a word may be broken anywhere: others would be as well where a column is narrow.
            let isLong = lines.contains { $0.split { $0 == " " || $0 == "." }.contains { $0.count > 24 } }
            let classes = column.isNumeric ? " class=\"n\"" : isLong ? " class=\"long\"" : ""
            body += "<td\(classes)>\(text)</td>"
        }
        body += "</tr>\n"
    }

    func markup(_ caption: String, note: String = "") -> String {
        guard !isEmpty else { return "" }
        // What is wider than the page moves in a frame of its own, which keys can reach.
        var text =
            "<div class=\"frame\" role=\"region\" tabindex=\"0\" aria-label=\"\(PictureText.escaped(caption))\">\n"
        text += "<table>\n<caption>\(PictureText.escaped(caption))"
        if !note.isEmpty { text += " <small>\(PictureText.escaped(note))</small>" }
        text += "</caption>\n<thead><tr>"
        for column in columns {
            text +=
                "<th scope=\"col\"\(column.isNumeric ? " class=\"n\"" : "")>\(PictureText.escaped(column.name))</th>"
        }
        return text + "</tr></thead>\n<tbody>\n\(body)</tbody>\n</table>\n</div>\n"
    }

    /// An identifier may be broken behind its dots.
    private static func breakable(_ text: String) -> String {
        PictureText.escaped(text).split(separator: ".", omittingEmptySubsequences: false).joined(separator: ".<wbr>")
    }
}
