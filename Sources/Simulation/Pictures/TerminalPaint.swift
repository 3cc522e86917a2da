/// Colours of a terminal, where they are wanted. Nothing is said by a colour alone.
struct TerminalPaint {
    enum Color: String {
        case bold = "1"
        case dim = "2"
        case red = "31"
        case green = "32"
        case yellow = "33"
        case blue = "34"
        case magenta = "35"
        case cyan = "36"

        init?(_ family: GateFamily) {
            switch family {
            case .floor, .runner: self = .dim
            case .power, .energy: self = .yellow
            case .network: self = .cyan
            case .idle: self = .magenta
            case .person: self = .red
            case .allowance: self = .green
            case .other: return nil
            }
        }

        init?(_ kind: ChartBand.Kind) {
            switch kind {
            case .externalPower, .lowPowerMode, .thermal: self = .yellow
            case .idle: self = .magenta
            case .noNetwork, .meteredNetwork: self = .cyan
            case .window: self = .blue
            case .locked, .backgroundRefreshOff: self = .red
            case .off: return nil
            }
        }

        init?(_ look: RunLook) {
            switch look {
            case .succeeded: self = .green
            case .failed, .expired, .crashed, .abandoned, .interrupted: self = .red
            case .cancelled, .ongoing: return nil
            }
        }
    }

    let isColored: Bool

    func paint(_ text: String, _ color: Color?) -> String {
        guard isColored, let color, !text.isEmpty else { return text }
        return "\u{1B}[\(color.rawValue)m\(text)\u{1B}[0m"
    }
}
