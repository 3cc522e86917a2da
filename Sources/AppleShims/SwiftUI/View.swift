/// Something to look at; nothing is drawn here.
@MainActor
public protocol View {
    /// What the body is.
    associatedtype Body: View
    /// What it is made of.
    @ViewBuilder var body: Body { get }
}

extension Never: View {}

/// Nothing to look at.
public struct EmptyView: View {
    /// Nothing.
    public nonisolated init() {}

    /// Is never asked for.
    public var body: Never { preconditionFailure("a view of its own has no body") }
}

/// Takes views that are left out on Linux, and those that are empty.
@MainActor
@resultBuilder
public enum ViewBuilder {
    /// No view.
    public static func buildBlock() -> EmptyView { EmptyView() }

    /// One view.
    public static func buildBlock<Content: View>(_ content: Content) -> Content { content }
}
