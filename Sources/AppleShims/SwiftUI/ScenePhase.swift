/// Where a scene is. A program without windows is in the background once it is launched.
public enum ScenePhase: Comparable, Hashable, Sendable {
    /// Not to be seen.
    case background
    /// To be seen, and left alone.
    case inactive
    /// In use.
    case active
}
