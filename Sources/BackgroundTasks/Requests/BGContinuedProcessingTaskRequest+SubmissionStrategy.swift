extension BGContinuedProcessingTaskRequest {
    /// What happens when the task cannot start at once (B29).
    public enum SubmissionStrategy: Int, Sendable {
        /// The submission is refused with `immediateRunIneligible`.
        case fail = 0
        /// The request waits for a slot.
        case queue = 1
    }
}
