/// Colours, where they are wanted.
struct Style {
    enum Color: String {
        case bold = "1"
        case dim = "2"
        case red = "31"
        case green = "32"
        case yellow = "33"
    }

    let isColored: Bool

    func paint(_ text: String, _ color: Color?) -> String {
        guard isColored, let color, !text.isEmpty else { return text }
        return "\u{1B}[\(color.rawValue)m\(text)\u{1B}[0m"
    }
}
