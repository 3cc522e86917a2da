/// What the kinds of a chart are called in pictures.
enum PictureWords {
    static func band(_ kind: ChartBand.Kind) -> String {
        switch kind {
        case .externalPower: "external power"
        case .lowPowerMode: "Low Power Mode"
        case .idle: "device idle"
        case .noNetwork: "no network"
        case .meteredNetwork: "metered network"
        case .window: "window for work"
        case .locked: "not yet unlocked"
        case .backgroundRefreshOff: "refresh switched off"
        case .thermal: "too warm"
        case .off: "device off"
        }
    }

    static func mark(_ kind: ChartMark.Kind) -> String {
        switch kind {
        case .opened: "app opened"
        case .forceQuit: "force quit"
        case .pushSent: "push sent"
        case .pushDelivered: "push delivered"
        case .pushDiscarded: "push discarded"
        case .pushSuperseded: "push superseded"
        case .fetch: "fetch"
        case .transfer: "transfer"
        case .reboot: "reboot"
        case .unlocked: "unlocked"
        case .osUpgrade: "OS upgrade"
        case .clockSet: "clock set"
        case .crash: "crash"
        }
    }

    /// The letter in a mark's sign.
    static func letter(_ kind: ChartMark.Kind) -> String {
        switch kind {
        case .opened: "O"
        case .forceQuit: "Q"
        case .pushSent: "S"
        case .pushDelivered: "D"
        case .pushDiscarded: "X"
        case .pushSuperseded: "N"
        case .fetch: "F"
        case .transfer: "T"
        case .reboot: "R"
        case .unlocked: "U"
        case .osUpgrade: "V"
        case .clockSet: "C"
        case .crash: "!"
        }
    }

    static func name(_ text: String) -> String {
        text.isEmpty ? "(no name)" : text
    }

    static func count(_ number: Int, _ one: String, _ many: String) -> String {
        number == 1 ? "1 \(one)" : "\(number) \(many)"
    }
}
