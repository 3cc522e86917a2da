/// `RunnerLimits`: what the processes of an app may use, and how many of its requests may be pending.
package struct ManifestLimits: Hashable, Sendable {
    package var memoryBytes: Int64?
    package var cpuSeconds: Int?
    package var openFiles: Int?
    package var processes: Int?
    package var pendingRefresh: Int?
    package var pendingProcessing: Int?

    package init() {}
}

/// `RunnerIsolation`: what separates an app from others.
package enum ManifestIsolation: String, Hashable, Sendable, CaseIterable {
    /// A process of its own.
    case process
}
