import Platform

/// A task that the handler owns: when the handler drops it, it is gone.
final class WeakTask: Sendable {
    private struct Reference {
        weak var task: LaunchedTask?
    }

    private let reference = Locked(Reference())

    var task: LaunchedTask? { reference.withLock { $0.task } }

    func set(_ task: LaunchedTask) {
        reference.withLock { $0.task = task }
    }
}
