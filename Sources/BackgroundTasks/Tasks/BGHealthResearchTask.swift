/// The run of a `BGHealthResearchTaskRequest`.
open class BGHealthResearchTask: BGProcessingTask, @unchecked Sendable {}
