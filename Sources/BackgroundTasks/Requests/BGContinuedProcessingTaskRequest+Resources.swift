extension BGContinuedProcessingTaskRequest {
    /// What a run needs beyond a processor.
    public struct Resources: OptionSet, Hashable, Sendable {
        /// The bits.
        public let rawValue: Int

        /// Makes a set of its bits.
        public init(rawValue: Int) {
            self.rawValue = rawValue
        }

        /// The graphics processor.
        public static var gpu: Resources { Resources(rawValue: 1) }
    }
}
