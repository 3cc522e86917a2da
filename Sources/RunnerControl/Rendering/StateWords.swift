/// The words of a run's states.
enum StateWords {
    /// A state that this version does not know is taken for an end: waiting for it to change could be in vain.
    static func isEnded(_ state: String) -> Bool {
        !["starting", "running", "expiring"].contains(state)
    }

    /// Whether a run ended badly. One that was cancelled did not, and one that goes on has not yet.
    static func isFailure(_ state: String) -> Bool {
        isEnded(state) && state != "succeeded" && state != "cancelled"
    }

    /// Completes “run 12 of … ”.
    static func verb(_ state: String) -> String {
        switch state {
        case "succeeded", "failed", "expired", "crashed": state
        default: "was \(state)"
        }
    }

    static func color(_ state: String) -> Style.Color? {
        switch state {
        case "succeeded": .green
        case "starting", "running": nil
        case "expiring", "cancelled", "interrupted": .yellow
        default: .red
        }
    }
}
