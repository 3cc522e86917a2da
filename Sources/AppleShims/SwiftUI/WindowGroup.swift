/// Windows, of which there are none here: its content is never asked for.
public struct WindowGroup<Content: View>: Scene, PrimitiveScene {
    /// Windows with a content.
    public init(@ViewBuilder content: @escaping () -> Content) {}

    /// Windows with a name and a content.
    public init(id: String, @ViewBuilder content: @escaping () -> Content) {}

    /// Windows with a title and a content.
    public init(_ title: String, @ViewBuilder content: @escaping () -> Content) {}

    /// Is never asked for.
    public var body: Never { noBody }

    func collect(into contents: inout SceneContents) {}
}
