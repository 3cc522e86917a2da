import Platform

extension TaskPlugin {
    /// Runs the plugin as a program that `runnerd` has started; `@main` on the type calls it.
    ///
    /// Started by hand it says what it is, and exits with the status 2.
    public static func main() {
        switch PluginDescriptor.take() {
        case nil: ProcessEnvironment.complain(introduction)
        case .success(let descriptor): ProcessEnvironment.exit(run(on: descriptor))
        case .failure(let problem): ProcessEnvironment.complain(problem.description)
        }
        ProcessEnvironment.exit(PluginSession.Ending.badPeer.rawValue)
    }

    /// Runs the plugin on a descriptor, until the runner ends it; returns the status to exit with.
    ///
    /// For a shared library, which exports `int runner_plugin_main(int fd)` and calls this there:
    /// 0 at the runner's wish, 1 when the plugin could not begin, 2 when the other end is no runner.
    public static func run(on descriptor: Int32) -> Int32 {
        do throws(SystemError) {
            return try PluginSession.ofProcess(on: descriptor).run(Self()).rawValue
        } catch {
            ProcessEnvironment.complain("This plugin cannot speak with its runner: \(error).")
            return PluginSession.Ending.badPeer.rawValue
        }
    }

    private static var introduction: String {
        """
        This is a plugin of Runner, and speaks with runnerd only. Put it into a folder NAME.plugin whose Info.json has
        "RunnerPlugin": {"executable": "…"} with its path in that folder, and load it with: runnerctl reload
        """
    }
}
