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
    var state: AppState { AppState(phase, facts) }
}

extension AppState {
    init(_ phase: AppPhase, _ facts: AppFacts) {
        if phase != .missing, facts.quarantinedAt != nil {
            self = .quarantined
        } else if phase != .missing, facts.pausedAt != nil {
            self = .paused
        } else {
            switch phase {
            case .starting: self = .starting
            case .registering: self = .registering
            case .launched: self = .launched
            case .missing: self = .missing
            }
        }
    }
}

extension Scheduler.App {
    package var state: AppState { AppState(phase, facts) }
}
