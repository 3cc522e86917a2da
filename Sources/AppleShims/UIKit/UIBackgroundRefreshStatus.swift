/// Whether an application may refresh in the background.
public enum UIBackgroundRefreshStatus: Int, Sendable {
    /// It may not, and nobody can change that.
    case restricted = 0
    /// A person has switched it off.
    case denied = 1
    /// It may.
    case available = 2
}
