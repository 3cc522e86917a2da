import FoundationEssentials
import Glibc
public import Plugins
import Synchronization

/// The background work of a mail program.
public struct Mail: TaskPlugin {
    struct NoServer: Error, CustomStringConvertible {
        let description = "the server is down"
    }

    private static let refresh = "com.example.mail.refresh"
    private static let folders = 40

    /// Makes the plugin.
    public init() {}

    /// Three handlers: two in the async form, one in the explicit form.
    public func register(in registry: TaskRegistry) throws {
        try registry.register(Self.refresh) { task in
            // The next one is asked for first, so that it comes whatever becomes of this one.
            try await task.submit(TaskRequest(Self.refresh, earliestBeginDate: Date() + 15 * 60))
            task.log("looked for mail in run \(task.runNumber), \(task.origin.rawValue)")
        }
        try registry.register("com.example.mail.send") { _ in
            // What a handler throws is the message of its run.
            throw NoServer()
        }
        try registry.register("com.example.mail.cleanup", kind: .processing) { (task: LaunchedTask) in
            let stops = Atomic(false)
            // The task not strongly: it holds its handler.
            task.expirationHandler = { [weak task] in
                task?.context.log("stops after this folder", level: .notice)
                stops.store(true, ordering: .releasing)
            }
            for folder in 1...Self.folders {
                guard !stops.load(ordering: .acquiring) else { return task.setTaskCompleted(success: false) }
                // The work.
                usleep(100_000)
                task.context.reportProgress(
                    Double(folder) / Double(Self.folders), title: "folder \(folder) of \(Self.folders)")
            }
            task.setTaskCompleted(success: true)
        }
    }

    /// Asks for the first refresh; later starts of the process find it pending.
    public func launched(_ app: AppContext) async throws {
        try await app.submit(TaskRequest(Self.refresh, earliestBeginDate: Date() + 60), ifPending: .keep)
    }
}
