/// What `apps.state` says of an app: what holds it back comes before how far it is.
package enum AppState: String, Sendable, Codable, CaseIterable {
    case starting
    case registering
    case launched
    case stopping
    /// Stopped, and started when it is needed.
    case idle
    case quarantined
    case paused
    case missing
}

extension AppEntry {
    var state: AppState { AppState(phase, facts, description?.host == .process ? process.state : nil) }
}

extension AppState {
    init(_ phase: AppPhase, _ facts: AppFacts, _ process: AppProcess.State?) {
        if phase != .missing, facts.quarantinedAt != nil {
            self = .quarantined
        } else if phase != .missing, facts.pausedAt != nil {
            self = .paused
        } else if phase != .missing, let process {
            self.init(process, phase)
        } else {
            switch phase {
            case .starting: self = .starting
            case .registering: self = .registering
            case .launched: self = .launched
            case .missing: self = .missing
            }
        }
    }

    private init(_ process: AppProcess.State, _ phase: AppPhase) {
        switch process {
        case .down where phase == .launched: self = .idle
        case .down, .starting: self = .starting
        case .registering: self = .registering
        case .launched: self = .launched
        case .condemned, .ending: self = .stopping
        }
    }
}
