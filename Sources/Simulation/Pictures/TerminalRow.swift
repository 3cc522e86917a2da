/// One line of cells, one character each.
struct TerminalRow {
    private struct Cell: Equatable {
        var character: Character
        var color: TerminalPaint.Color?
        /// How many things lie in it that are counted.
        var count = 0
    }

    private var cells: [Cell]

    init(_ width: Int) {
        cells = Array(repeating: Cell(character: " "), count: width)
    }

    mutating func put(_ character: Character, at place: Int, _ color: TerminalPaint.Color? = nil) {
        guard cells.indices.contains(place) else { return }
        cells[place] = Cell(character: character, color: color, count: cells[place].count)
    }

    mutating func fill(_ character: Character, _ from: Int, _ until: Int, _ color: TerminalPaint.Color? = nil) {
        for place in max(0, from)..<max(0, from, min(until, cells.count)) { put(character, at: place, color) }
    }

    /// Puts a sign, or how many there are: `2` to `9`, and `+` for more.
    mutating func count(_ character: Character, at place: Int, _ color: TerminalPaint.Color? = nil) {
        guard cells.indices.contains(place) else { return }
        let count = cells[place].count + 1
        let shown: Character = count == 1 ? character : count < 10 ? Character("\(count)") : "+"
        // Red stays: one of them went wrong.
        cells[place] = Cell(
            character: shown, color: cells[place].color == .red ? .red : color, count: count)
    }

    func isBlank(at place: Int) -> Bool {
        cells.indices.contains(place) && cells[place].character == " "
    }

    /// How many things were counted into a cell.
    func count(at place: Int) -> Int {
        cells.indices.contains(place) ? cells[place].count : 0
    }

    /// Puts a text where nothing is, with a blank at each side.
    mutating func write(_ text: String, at place: Int, _ color: TerminalPaint.Color? = nil) -> Bool {
        let end = place + text.count
        guard place >= 0, end <= cells.count else { return false }
        let around = max(0, place - 1)..<min(cells.count, end + 1)
        guard cells[around].allSatisfy({ $0.character == " " }) else { return false }
        for (offset, character) in text.enumerated() { put(character, at: place + offset, color) }
        return true
    }

    /// Without blanks at its end.
    func text(_ paint: TerminalPaint) -> String {
        var text = ""
        var run = ""
        var color: TerminalPaint.Color?
        let end = cells.lastIndex { $0.character != " " }.map { $0 + 1 } ?? 0
        for cell in cells[..<end] {
            if cell.color != color {
                text += paint.paint(run, color)
                run = ""
                color = cell.color
            }
            run.append(cell.character)
        }
        return text + paint.paint(run, color)
    }
}
