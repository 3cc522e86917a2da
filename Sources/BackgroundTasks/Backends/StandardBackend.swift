import Platform
import Plugins

/// Finds out who decides behind `BGTaskScheduler.shared`.
enum StandardBackend {
    /// `runnerd` when it has started this program, else a runner inside of it. Nothing is opened yet.
    static func make() -> any SchedulerBackend {
        switch PluginDescriptor.take() {
        case nil: return EmbeddedBackend(manifest: ProgramManifest.read)
        case .success(let descriptor): return HostedBackend(descriptor: descriptor)
        case .failure(let problem):
            ProcessEnvironment.complain(problem.description)
            ProcessEnvironment.exit(PluginSession.Ending.badPeer.rawValue)
        }
    }
}
