/// A table whose columns are aligned. A column without any text is left out.
struct TextTable {
    struct Column {
        let title: String
        var isNumeric = false

        init(_ title: String, numeric: Bool = false) {
            self.title = title
            isNumeric = numeric
        }
    }

    struct Cell: ExpressibleByStringLiteral {
        let text: String
        var color: Style.Color?

        init(_ text: String, _ color: Style.Color? = nil) {
            self.text = text
            self.color = color
        }

        init(stringLiteral text: String) {
            self.init(text)
        }
    }

    private let columns: [Column]
    private var rows: [[Cell]] = []

    init(_ columns: [Column]) {
        self.columns = columns
    }

    var isEmpty: Bool { rows.isEmpty }

    mutating func add(_ cells: [Cell]) {
        precondition(cells.count == columns.count, "a row has as many cells as there are columns")
        rows.append(cells)
    }

    /// The columns that the longest line takes.
    var width: Int {
        text(Style(isColored: false)).split(separator: "\n").reduce(0) { max($0, $1.count) }
    }

    /// One line for the titles and one for each row, each ended by LF.
    func text(_ style: Style) -> String {
        let shown = columns.indices.filter { column in rows.contains { !$0[column].text.isEmpty } }
        let widths = shown.map { column in
            rows.reduce(columns[column].title.count) { max($0, $1[column].text.count) }
        }
        var text = ""
        func line(_ cells: [Cell]) {
            var blanks = 0
            for (place, column) in shown.enumerated() {
                let cell = cells[column]
                let room = widths[place] - cell.text.count
                if columns[column].isNumeric { blanks += room }
                if !cell.text.isEmpty {
                    text += String(repeating: " ", count: blanks) + style.paint(cell.text, cell.color)
                    blanks = 0
                }
                // Blanks are written only in front of something, so that no line ends with any.
                blanks += (columns[column].isNumeric ? 0 : room) + 2
            }
            text += "\n"
        }
        line(columns.map { Cell($0.title, .bold) })
        for row in rows { line(row) }
        return text
    }
}
