/// Puts scenes together.
@MainActor
@resultBuilder
public enum SceneBuilder {
    /// One scene.
    public static func buildBlock<Content: Scene>(_ content: Content) -> Content { content }

    /// The first of several scenes.
    public static func buildPartialBlock<Content: Scene>(first: Content) -> Content { first }

    /// One scene more.
    public static func buildPartialBlock(accumulated: some Scene, next: some Scene) -> some Scene {
        ScenePair(first: accumulated, second: next)
    }
}

/// Two scenes.
struct ScenePair<First: Scene, Second: Scene>: Scene, PrimitiveScene {
    let first: First
    let second: Second

    var body: Never { noBody }

    func collect(into contents: inout SceneContents) {
        contents.add(first)
        contents.add(second)
    }
}
