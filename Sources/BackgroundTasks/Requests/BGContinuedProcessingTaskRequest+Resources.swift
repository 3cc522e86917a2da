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

extension BGContinuedProcessingTaskRequest.Resources {
    /// What of it is not supported here, for the scheduler, which refuses it in its turn (B10); `nil` when all is.
    var unsupportedNames: [String]? {
        let unsupported = subtracting(BGTaskScheduler.supportedResources)
        guard !unsupported.isEmpty else { return nil }
        return [unsupported == .gpu ? "gpu" : "number \(unsupported.rawValue)"]
    }
}
