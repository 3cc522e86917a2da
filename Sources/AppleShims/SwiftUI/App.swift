import BackgroundTasks
import Foundation

/// A program; `@main` on a type that conforms starts it.
///
/// Nothing is drawn: its scenes are asked for their background tasks only.
@MainActor
public protocol App {
    /// What the body is.
    associatedtype Body: Scene
    /// The scenes.
    @SceneBuilder var body: Body { get }
    /// Makes the program's one value.
    init()
}

extension App {
    /// Registers the background tasks of all scenes, and runs for ever.
    public static func main() {
        LaunchPhase.ofProcess.delegateBegan()
        let app = Self()
        let active = SceneContents(of: app.body)
        for task in active.tasks {
            BGTaskScheduler.shared.register(
                task.identifier, kind: task.kind, origin: "backgroundTask(_:action:) of \(Self.self)",
                work: task.action)
        }
        LaunchPhase.ofProcess.delegateReturned()
        // Without a window it is in the background from now on.
        DispatchQueue.main.async {
            EnvironmentValues.current.scenePhase = .background
            SceneContents(of: app.body).tellChanges(since: active)
        }
        while true { RunLoop.main.run() }
    }
}
