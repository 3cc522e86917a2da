/// How a run's state looks: a shape and a colour each, so that neither has to be seen.
enum RunLook: String, CaseIterable {
    case succeeded
    case failed
    case expired
    case crashed
    case abandoned
    case cancelled
    case interrupted
    /// Starting, running or expiring when the chart ends; or in a state that this version does not know.
    case ongoing

    init(state: String) {
        self = RunLook(rawValue: state) ?? .ongoing
    }

    /// Whether a reader should look at it.
    var isTrouble: Bool {
        switch self {
        case .succeeded, .ongoing, .cancelled: false
        case .failed, .expired, .crashed, .abandoned, .interrupted: true
        }
    }

    /// Its sign in a terminal.
    var letter: Character {
        switch self {
        case .succeeded: "*"
        case .failed: "F"
        case .expired: "E"
        case .crashed: "C"
        case .abandoned: "A"
        case .cancelled: "K"
        case .interrupted: "I"
        case .ongoing: ">"
        }
    }

    var words: String {
        self == .ongoing ? "still running" : rawValue
    }
}
