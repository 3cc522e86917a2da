package import Scheduling

/// What an event tells of (03, *Events*).
package enum EventType: String, CaseIterable, Sendable {
    case submitted
    case replaced
    case kept
    case refused
    case cancelled
    case gateChanged
    case launched
    case progress
    case logged
    case expiring
    case ended
    case diagnostic
    case appStateChanged
    case deviceChanged
    case phaseChanged
    case overflow

    package init(_ notice: Notice) {
        switch notice {
        case .submitted(let result):
            switch result.outcome {
            case .submitted: self = .submitted
            case .replaced: self = .replaced
            case .kept: self = .kept
            }
        case .refiled: self = .submitted
        case .refused: self = .refused
        case .withdrawn: self = .cancelled
        case .claimed, .launched: self = .launched
        case .progressed: self = .progress
        case .expiring: self = .expiring
        case .ended: self = .ended
        case .diagnostic: self = .diagnostic
        case .gateChanged: self = .gateChanged
        case .appStateChanged: self = .appStateChanged
        case .deviceChanged: self = .deviceChanged
        case .phaseChanged: self = .phaseChanged
        }
    }
}

extension Notice {
    /// The task that it is about.
    package var identifier: TaskIdentifier? {
        switch self {
        case .submitted(let result): result.request.identifier
        case .refused(_, let identifier): identifier
        case .refiled(let request, _), .withdrawn(let request, _): request.identifier
        case .claimed(let run), .launched(let run), .progressed(let run), .expiring(let run), .ended(let run):
            run.identifier
        case .diagnostic(let diagnostic): diagnostic.identifier
        case .gateChanged(let change): change.identifier
        case .appStateChanged, .deviceChanged, .phaseChanged: nil
        }
    }

    /// The app that it is about.
    package var app: AppIdentifier? {
        switch self {
        case .submitted(let result): result.request.app
        case .refiled(let request, _), .withdrawn(let request, _): request.app
        case .claimed(let run), .launched(let run), .progressed(let run), .expiring(let run), .ended(let run): run.app
        case .gateChanged(let change): change.app
        case .appStateChanged(let app, _): app
        case .diagnostic(let diagnostic): diagnostic.app
        case .refused, .deviceChanged, .phaseChanged: nil
        }
    }
}
