import Scheduling

/// What the scenes of a program have that works without windows.
@MainActor
struct SceneContents {
    struct BackgroundWork {
        let identifier: String
        let kind: TaskKind
        let action: @Sendable () async -> Void
    }

    struct Change {
        let value: any Equatable
        /// Gets the value as it was.
        let tell: (any Equatable) -> Void
    }

    var tasks: [BackgroundWork] = []
    var changes: [Change] = []

    init(of scene: some Scene) {
        add(scene)
    }

    mutating func add(_ scene: some Scene) {
        if let primitive = scene as? any PrimitiveScene {
            primitive.collect(into: &self)
        } else {
            add(scene.body)
        }
    }

    /// Calls what observes a value that is another one now. The same scenes are in the same order.
    func tellChanges(since earlier: SceneContents) {
        for (old, new) in zip(earlier.changes, changes) where !Self.areEqual(old.value, new.value) {
            new.tell(old.value)
        }
    }

    private static func areEqual<Value: Equatable>(_ left: Value, _ right: any Equatable) -> Bool {
        (right as? Value) == left
    }
}
