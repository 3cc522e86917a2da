public import Scheduling

/// What a submission did.
public struct Submission: Sendable, Hashable {
    /// What happened to the request.
    public enum Outcome: String, Sendable {
        /// It is pending now, and nothing was before.
        case submitted
        /// It replaced the pending request.
        case replaced
        /// The pending request was kept (B12).
        case kept
    }

    /// What happened.
    public let outcome: Outcome
    /// The floor of the request that is pending now.
    public let floor: WallTime?
    /// How many times in a row the floor was moved later; `nil` when it was not.
    public let postponed: Int?

    package init(_ result: SubmissionResult) {
        switch result.outcome {
        case .submitted: outcome = .submitted
        case .replaced: outcome = .replaced
        case .kept: outcome = .kept
        }
        floor = result.request.floor
        postponed = result.postponed
    }

    package init(_ result: SubmitResult) {
        outcome =
            switch result.outcome {
            case .submitted: .submitted
            case .replaced: .replaced
            case .kept: .kept
            }
        floor = result.request.floor
        postponed = result.postponed
    }
}
