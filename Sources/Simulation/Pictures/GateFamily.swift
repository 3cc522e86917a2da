import Scheduling

/// What gates have in common; a colour and a pattern each.
enum GateFamily: String, CaseIterable {
    case floor
    case power
    case network
    case idle
    case energy
    /// What a person decided, or has yet to do.
    case person
    /// What the policy allows an app.
    case allowance
    /// The runner and the app themselves.
    case runner
    /// A gate that this page does not know, or a time that is not known.
    case other

    init(gate: String) {
        switch GateName(rawValue: gate) {
        case .earliestBeginDate: self = .floor
        case .externalPower, .batteryLevel: self = .power
        case .network: self = .network
        case .deviceIdle, .window: self = .idle
        case .lowPowerMode, .thermal: self = .energy
        case .backgroundRefreshDisabled, .forceQuit, .beforeFirstUnlock, .paused: self = .person
        case .budget, .rateLimit, .usage, .misbehaviour: self = .allowance
        case .notPermitted, .appMissing, .quarantined, .handlerMissing, .launching, .alreadyRunning, .concurrency,
            .backoff, .draining, .storeUnavailable:
            self = .runner
        case nil: self = gate == ChartHold.deviceOff ? .runner : .other
        }
    }
}
