import Scheduling

/// A kind of background work that a scene can handle.
public struct BackgroundTask<Request, Response>: Sendable {
    let identifier: String
    let kind: TaskKind
}

extension BackgroundTask where Request == Void, Response == Void {
    /// The task of an app refresh request with this identifier.
    public static func appRefresh(_ identifier: String) -> BackgroundTask<Void, Void> {
        BackgroundTask(identifier: identifier, kind: .appRefresh)
    }

    /// The task of a processing request with this identifier.
    public static func processingTask(_ identifier: String) -> BackgroundTask<Void, Void> {
        BackgroundTask(identifier: identifier, kind: .processing)
    }
}

extension Scene {
    /// Runs the action for each run of the task; returning completes it, and expiration cancels it (B28).
    public func backgroundTask<Response>(
        _ task: BackgroundTask<Void, Response>, action: @escaping @Sendable () async -> Response
    ) -> some Scene {
        ChangedScene(content: self) { contents in
            contents.tasks.append(
                SceneContents.BackgroundWork(identifier: task.identifier, kind: task.kind) { _ = await action() })
        }
    }
}

/// A scene, and what one of its modifiers adds.
struct ChangedScene<Content: Scene>: Scene, PrimitiveScene {
    let content: Content
    let change: @MainActor (inout SceneContents) -> Void

    var body: Never { noBody }

    func collect(into contents: inout SceneContents) {
        contents.add(content)
        change(&contents)
    }
}
