import Dispatch
import Glibc
import Plugins

/// Waits until as many runs as its argument says were entered, completes them in one breath, and exits in the same one.
struct Breathless: TaskPlugin {
    private let tasks = WaitingTasks()

    func register(in registry: TaskRegistry) throws {
        let count = CommandLine.arguments.dropFirst().first.flatMap { Int($0) } ?? 1
        try registry.register("com.example.breathless.run") { [tasks] (task: LaunchedTask) in
            guard tasks.add(task) == count else { return }
            for task in tasks.all { task.setTaskCompleted(success: true) }
            exit(0)
        }
    }
}

/// Unchecked because the tasks are touched only on the queue.
final class WaitingTasks: @unchecked Sendable {
    private let queue = DispatchQueue(label: "tasks")
    private var tasks: [LaunchedTask] = []

    func add(_ task: LaunchedTask) -> Int {
        queue.sync {
            tasks.append(task)
            return tasks.count
        }
    }

    var all: [LaunchedTask] { queue.sync { tasks } }
}

Breathless.main()
