package import Scheduling

/// An entry of `RunnerTasks`.
package struct ManifestTask: Hashable, Sendable {
    package var settings: TaskSettings
    /// `nil` when the app's own program handles the task.
    package var command: CommandTask?
}
