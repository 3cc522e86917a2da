/// Writes how far runs are, a line for each.
struct ProgressLayout {
    /// The columns of the terminal; `nil` where a line may be as long as it is.
    let width: Int?
    /// Whether the identifier is shown; several runs have to be told apart.
    var isNamed = true

    private static let barWidths = 8...24
    /// The brackets of a bar and the percentage behind it.
    private static let aroundBar = 7

    /// - Parameter isNamed: whether the identifier is shown.
    init(_ console: any Console, isNamed: Bool = true) {
        // A terminal that does not say how wide it is has at least as many columns as the first ones.
        width = console.isTerminal ? console.width ?? 80 : nil
        self.isNamed = isNamed
    }

    /// The lines of runs that stand below each other.
    func aligned(_ lines: [ProgressLine]) -> [String] {
        let heads = lines.map { head(of: $0).count }.max() ?? 0
        let texts = lines.map { line in Columns.width(of: text(of: line)) }.max() ?? 0
        var bar = Self.barWidths.upperBound
        if let width { bar = min(max(width - heads - texts - Self.aroundBar - 3, Self.barWidths.lowerBound), bar) }
        let middles = lines.map { middle(of: $0, bar: bar).count }.max() ?? 0
        return lines.map { line in
            let start = padded(head(of: line), heads) + " " + padded(middle(of: line, bar: bar), middles)
            guard let width else { return trimmed(start + " " + text(of: line)) }
            let room = width - 2 - start.count
            return trimmed(Columns.prefix(of: start + " " + text(of: line, in: room), columns: width - 1))
        }
    }

    /// The line of a run that stands alone, or among what changes later.
    func single(_ line: ProgressLine) -> String {
        aligned([line])[0]
    }

    // MARK: - Private

    private func head(of line: ProgressLine) -> String {
        "run \(line.run) \(line.state)"
    }

    private func middle(of line: ProgressLine, bar width: Int) -> String {
        guard let fraction = line.fraction else { return line.time }
        let filled = Int((fraction * Double(width)).rounded(.down))
        let percent = String(Int((fraction * 100).rounded(.down)))
        let bar = String(repeating: "#", count: filled) + String(repeating: "-", count: width - filled)
        return "[\(bar)] \(String(repeating: " ", count: 3 - percent.count))\(percent)%"
    }

    private func text(of line: ProgressLine) -> String {
        guard isNamed else { return line.words }
        return [line.identifier, line.words].filter { !$0.isEmpty }.joined(separator: " ")
    }

    /// What is most alike in the identifiers of an app is their beginning; it goes first.
    private func text(of line: ProgressLine, in room: Int) -> String {
        let whole = text(of: line)
        guard isNamed, !line.words.isEmpty, Columns.width(of: whole) > room else { return whole }
        let columns = max(room / 2, room - 1 - Columns.width(of: line.words))
        guard columns > 1, line.identifier.count > columns else { return whole }
        return "…\(line.identifier.suffix(columns - 1)) \(line.words)"
    }

    private func padded(_ text: String, _ width: Int) -> String {
        text + String(repeating: " ", count: max(0, width - text.count))
    }

    private func trimmed(_ line: String) -> String {
        guard let last = line.lastIndex(where: { $0 != " " }) else { return "" }
        return String(line[...last])
    }
}
