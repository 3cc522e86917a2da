/// The run of a `BGProcessingTaskRequest`: 10 minutes by default (B23).
open class BGProcessingTask: BGTask, @unchecked Sendable {}
