/// A part of a program; here it is what has background tasks.
@MainActor
public protocol Scene {
    /// What the body is.
    associatedtype Body: Scene
    /// What it is made of.
    @SceneBuilder var body: Body { get }
}

extension Never: Scene {
    /// Is never asked for.
    public var body: Never { preconditionFailure("a scene of its own has no body") }
}

/// A scene of this module: it says itself what it has.
@MainActor
protocol PrimitiveScene {
    func collect(into contents: inout SceneContents)
}

extension PrimitiveScene {
    var noBody: Never { preconditionFailure("a scene of its own has no body") }
}
