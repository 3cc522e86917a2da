/// What kind of background work a task is.
public enum TaskKind: String, Sendable, Codable, CaseIterable {
    /// A short refresh of an app's content: 30 seconds by default.
    case appRefresh
    /// Longer maintenance work: 10 minutes by default.
    case processing
    /// Work that a person started and that goes on in the background, with progress.
    case continuedProcessing
    /// Processing for a health research study; treated as processing.
    case healthResearch
}

/// A background mode of a manifest's `UIBackgroundModes`.
package enum BackgroundMode: String, Sendable, Codable, CaseIterable {
    case fetch
    case processing
}

extension TaskKind {
    /// The mode that a manifest must declare for this kind (B10); continued processing needs none.
    package var requiredMode: BackgroundMode? {
        switch self {
        case .appRefresh: .fetch
        case .processing, .healthResearch: .processing
        case .continuedProcessing: nil
        }
    }
}
