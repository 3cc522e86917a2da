/// What the signs of a chart mean: only those that occur in it.
struct SVGLegend {
    private enum Key {
        case sign(String)
        case pattern(GateFamily)
        case count
        case column
        case thread
    }

    private static let rowHeight = 20.0
    private static let keyWidth = 24.0
    private var entries: [(key: Key, text: String)] = []

    init(_ chart: DayChart, _ codes: GateCodes, hasMerged: Bool) {
        let requests = chart.devices.flatMap(\.tasks).flatMap(\.requests)
        guard !requests.isEmpty else { return }
        entries.append((.sign("n-asked"), "asked"))
        if requests.contains(where: { $0.floor != nil }) { entries.append((.sign("n-floor"), "not before")) }
        let counts = LaneCounts(requests)
        for look in RunLook.allCases where requests.contains(where: { $0.run.map { RunLook(state: $0.state) } == look })
        {
            entries.append((.sign("n-\(look.rawValue)"), "granted: \(look.words)"))
        }
        if requests.contains(where: { $0.run?.isSimulatedLaunch ?? false }) {
            entries.append((.sign("n-simulated"), "started by command"))
        }
        if counts.withdrawn > 0 { entries.append((.sign("n-withdrawn"), "withdrawn")) }
        if counts.pending > 0 { entries.append((.sign("n-pending"), "still pending")) }
        if counts.refused > 0 { entries.append((.sign("n-refused"), "refused")) }
        if hasMerged { entries.append((.count, "so many, drawn as one; with a corner: not all went well")) }
        let bands = chart.devices.flatMap(\.bands)
        if bands.contains(where: { $0.kind == .window }) { entries.append((.column, "window for work")) }
        if chart.devices.flatMap(\.marks).contains(where: { $0.kind == .opened }) {
            entries.append((.thread, "app opened"))
        }
        for gate in codes.gates {
            let family = GateFamily(gate: gate)
            entries.append((.pattern(family), "\(codes.code(gate)) held by \(PictureWords.name(gate))"))
        }
        if requests.contains(where: { $0.holds.contains { $0.start == nil } }) {
            entries.append((.pattern(.other), "held, but when is not known"))
        }
    }

    /// - Returns: where it ends.
    func draw(_ canvas: inout SVGCanvas, top: Double) -> Double {
        guard !entries.isEmpty else { return top }
        canvas.begin("legend", label: "Legend", role: "group")
        var x = SVGSheet.margin
        var y = top
        for (key, text) in entries {
            let room = SVGSheet.width - 2 * SVGSheet.margin - Self.keyWidth
            let width = min(TextWidth.of(PictureText.clean(text), size: 11), room)
            if x + Self.keyWidth + width > SVGSheet.width - SVGSheet.margin, x > SVGSheet.margin {
                x = SVGSheet.margin
                y += Self.rowHeight
            }
            draw(key, &canvas, x, y)
            canvas.text("ink", x + Self.keyWidth, y + 14, text, size: 11, room: room + 0.1)
            x += Self.keyWidth + width + 18
        }
        canvas.end()
        return y + Self.rowHeight
    }

    private func draw(_ key: Key, _ canvas: inout SVGCanvas, _ x: Double, _ y: Double) {
        switch key {
        case .sign(let name): canvas.sign(name, x + 10, y + 10)
        case .pattern(let family): canvas.bars(Hatch(family), [(x, x + 19)], y + 4, 12)
        case .count:
            canvas.rect("good", x, y + 3, 20, 14, round: 4)
            canvas.text("inverse num", x + 10, y + 13.4, "12", size: 9.5, anchor: .middle, bold: true)
        case .column: canvas.rect("column", x + 6, y + 1, 8, 18)
        case .thread: canvas.line("thread", x + 10, y + 1, x + 10, y + 19)
        }
    }
}
