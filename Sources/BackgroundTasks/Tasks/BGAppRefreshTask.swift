/// The run of a `BGAppRefreshTaskRequest`: 30 seconds by default (B23).
open class BGAppRefreshTask: BGTask, @unchecked Sendable {}
