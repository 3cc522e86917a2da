/// Writes the elements of an SVG. Whatever text comes in is escaped here, and nowhere else.
struct SVGCanvas {
    enum Anchor: String {
        case start
        case middle
        case end
    }

    private(set) var markup = ""
    private(set) var texts: [TextBox] = []
    private var open: [String] = []

    mutating func begin(_ classes: String, label: String? = nil, role: String? = nil) {
        markup += "<g class=\"\(classes)\""
        if let role { markup += " role=\"\(role)\"" }
        if let label { markup += " aria-label=\"\(PictureText.escaped(label))\"" }
        markup += ">"
        open.append("g")
    }

    /// An element of its own, which says these lines when it is looked at.
    mutating func element(_ lines: [String]) {
        markup += "\n<g class=\"e\" role=\"img\"><title>\(PictureText.escaped(lines: lines))</title>"
        open.append("g")
    }

    /// The ground of the whole picture, however high that becomes.
    mutating func backdrop() {
        markup += "<rect class=\"paper\" width=\"100%\" height=\"100%\"/>"
    }

    mutating func end() {
        guard let name = open.popLast() else { return }
        markup += "</\(name)>"
    }

    mutating func rect(_ classes: String, _ x: Double, _ y: Double, _ width: Double, _ height: Double, round: Int = 0) {
        markup += "<rect class=\"\(classes)\" x=\"\(Self.number(x))\" y=\"\(Self.number(y))\""
        markup += " width=\"\(Self.number(max(0, width)))\" height=\"\(Self.number(max(0, height)))\""
        markup += round > 0 ? " rx=\"\(round)\"/>" : "/>"
    }

    mutating func line(_ classes: String, _ x1: Double, _ y1: Double, _ x2: Double, _ y2: Double) {
        path(classes, "M\(Self.number(x1)) \(Self.number(y1))L\(Self.number(x2)) \(Self.number(y2))")
    }

    mutating func circle(_ classes: String, _ x: Double, _ y: Double, _ radius: Double) {
        markup += "<circle class=\"\(classes)\" cx=\"\(Self.number(x))\" cy=\"\(Self.number(y))\""
        markup += " r=\"\(Self.number(radius))\"/>"
    }

    /// Bars of one pattern beside each other.
    mutating func bars(_ hatch: Hatch, _ stretches: [(from: Double, until: Double)], _ top: Double, _ height: Double) {
        var ground = ""
        var lines = ""
        for (from, until) in stretches {
            let width = Self.number(max(0.1, until - from))
            ground += "M\(Self.number(from)) \(Self.number(top))h\(width)v\(Self.number(height))h-\(width)z"
            lines += hatch.lines(from, until, top, height)
        }
        path("edge g-\(hatch.name)", ground)
        if !lines.isEmpty { path("s-\(hatch.name)", lines) }
    }

    /// - Parameter data: made of numbers of this canvas only.
    mutating func path(_ classes: String, _ data: String) {
        markup += "<path class=\"\(classes)\" d=\"\(data)\"/>"
    }

    /// One of the signs that `SVGSigns` defines, around a point.
    mutating func sign(_ name: String, _ x: Double, _ y: Double) {
        markup += "<use href=\"#\(name)\" x=\"\(Self.number(x))\" y=\"\(Self.number(y))\"/>"
    }

    /// - Parameters:
    ///   - y: of the line that the letters stand on.
    ///   - room: shortens the text in its middle; a title then holds the whole.
    mutating func text(
        _ classes: String, _ x: Double, _ y: Double, _ text: String, size: Double, anchor: Anchor = .start,
        bold: Bool = false, room: Double = .infinity
    ) {
        let whole = PictureText.clean(text)
        guard !whole.isEmpty else { return }
        let shown = ShortText.middle(whole) { TextWidth.of($0, size: size, bold: bold) <= room }
        let width = TextWidth.of(shown, size: size, bold: bold)
        let left =
            switch anchor {
            case .start: x
            case .middle: x - width / 2
            case .end: x - width
            }
        texts.append(
            TextBox(text: shown, left: left, right: left + width, top: y - size * 0.8, bottom: y + size * 0.22))
        markup += "<text class=\"\(classes)\(bold ? " b" : "")\" x=\"\(Self.number(x))\" y=\"\(Self.number(y))\""
        markup += " font-size=\"\(Self.number(size))\""
        if anchor != .start { markup += " text-anchor=\"\(anchor.rawValue)\"" }
        markup += ">"
        if shown != whole { markup += "<title>\(PictureText.escaped(whole))</title>" }
        markup += "\(PictureText.escaped(shown))</text>"
    }

    /// In tenths; a picture needs no finer ones, and a reader's file gets smaller.
    static func number(_ value: Double) -> String {
        let scaled = min(max(value, -1e9), 1e9) * 10
        let tenths = Int(scaled < 0 ? scaled - 0.5 : scaled + 0.5)
        let sign = tenths < 0 ? "-" : ""
        let (whole, part) = abs(tenths).quotientAndRemainder(dividingBy: 10)
        return part == 0 ? "\(sign)\(whole)" : "\(sign)\(whole).\(part)"
    }
}
