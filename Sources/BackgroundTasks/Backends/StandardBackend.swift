import Platform

/// Finds out who decides behind `BGTaskScheduler.shared`.
enum StandardBackend {
    /// `runnerd` when it has started this program, else a runner inside of it. Nothing is opened yet.
    static func make() -> any SchedulerBackend {
        if let text = ProcessEnvironment.variable(HostedBackend.variable) {
            return HostedBackend(descriptor: text)
        }
        return EmbeddedBackend(manifest: ProgramManifest.read)
    }
}
