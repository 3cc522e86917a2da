internal import Scheduling

extension ChartRequest {
    var run: ChartRun? {
        guard case .granted(let run) = outcome else { return nil }
        return run
    }

    /// When it stopped waiting; nil while it still does.
    var endedWaitingAt: WallTime? {
        switch outcome {
        case .granted(let run): max(run.startedAt, submittedAt)
        case .withdrawn(let at, _): max(at, submittedAt)
        case .pending: nil
        case .refused: submittedAt
        }
    }

    /// How long it waited: from its submission, or from its floor if that was later; `nil` where that is not known.
    package var waitedMilliseconds: Int64? {
        if case .refused = outcome { return nil }
        if let waited { return waited }
        let begin = max(submittedAt, floor ?? submittedAt)
        return endedWaitingAt.map { max(0, begin.duration(to: $0).wholeMilliseconds) }
    }
}
