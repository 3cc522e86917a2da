internal import Scheduling

/// Draws a chart with letters, for a terminal.
package struct TerminalPicture {
    /// Narrower than this nothing could be read.
    private static let narrowest = 60
    private static let widest = 400

    /// - Parameters:
    ///   - width: the columns of the terminal; at least 60 are used.
    ///   - colour: whether colours help; nothing is lost without them.
    ///   - unicode: whether the terminal shows more than ASCII.
    /// - Returns: lines, each ended by LF.
    package static func draw(_ chart: DayChart, width: Int, colour: Bool, unicode: Bool) -> String {
        let picture = TerminalPicture(chart, min(max(width, narrowest), widest), colour, unicode)
        var lines = picture.head()
        for device in chart.devices { lines += [""] + picture.device(device) }
        if chart.devices.isEmpty { lines += ["", "No devices."] }
        let legend = picture.legend()
        if !legend.isEmpty { lines += [""] + legend }
        return lines.map { line in
            // A name may end with blanks; what follows colours ends with none.
            line.last == " " ? String(line.reversed().drop { $0 == " " }.reversed()) + "\n" : line + "\n"
        }.joined()
    }

    let chart: DayChart
    let width: Int
    let nameWidth: Int
    let plotWidth: Int
    let scale: ChartScale
    let clock: PictureClock
    let codes: GateCodes
    let paint: TerminalPaint
    let text: TerminalText
    let isUnicode: Bool

    private init(_ chart: DayChart, _ width: Int, _ isColored: Bool, _ isUnicode: Bool) {
        self.chart = chart
        self.width = width
        self.isUnicode = isUnicode
        clock = PictureClock(chart)
        codes = GateCodes(chart)
        paint = TerminalPaint(isColored: isColored)
        text = TerminalText(isUnicode: isUnicode)
        let names = chart.devices.flatMap(\.tasks).map { TerminalText.columns(PictureText.clean($0.identifier)) }
        nameWidth = min(max(names.max() ?? 0, 25), max(25, width / 3))
        plotWidth = width - nameWidth - 1
        scale = ChartScale(chart, left: 0, width: Double(plotWidth))
    }

    /// The cell of a moment.
    func cell(_ time: WallTime) -> Int {
        min(Int(scale.place(time)), plotWidth - 1)
    }

    /// The cell behind those of what ends at a moment: what ends where a cell begins does not reach into it.
    func cellEnd(_ time: WallTime) -> Int {
        let place = scale.place(time)
        return Double(Int(place)) < place ? Int(place) + 1 : Int(place)
    }

    /// A name and what is drawn beside it.
    func line(_ name: String, _ row: TerminalRow, _ color: TerminalPaint.Color? = nil) -> String {
        let drawn = row.text(paint)
        let fitted = drawn.isEmpty ? text.fitting(name, nameWidth) : text.padded(name, nameWidth)
        return paint.paint(fitted, color) + (drawn.isEmpty ? "" : " " + drawn)
    }

    // MARK: Private

    private func head() -> [String] {
        var lines = [paint.paint(text.fitting(chart.title, width), .bold)]
        if !chart.subtitle.isEmpty { lines.append(text.fitting(chart.subtitle, width)) }
        return lines + [text.fitting(SVGPicture.period(chart, clock), width)]
    }
}
