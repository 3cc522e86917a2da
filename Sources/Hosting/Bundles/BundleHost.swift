import Runner
package import Scheduling

/// Runs the handlers of bundles: commands, and processes of apps.
///
/// Unchecked because it is used on the loop only.
package final class BundleHost: HandlerHost, @unchecked Sendable {
    package let commands: CommandHost
    package let plugins: PluginHost

    /// What ran out when a process was to be started last; nil when that has worked.
    var shortage: Shortage? { commands.shortage ?? plugins.shortage }

    package init(commands: CommandHost, plugins: PluginHost) {
        self.commands = commands
        self.plugins = plugins
    }

    package func launch(_ order: LaunchOrder) {
        switch order.host {
        case .process: plugins.launch(order)
        case .commands, .embedded: commands.launch(order)
        }
    }

    package func expire(_ run: RunIdentifier, reason: ExpirationReason, grace: Duration) {
        host(of: run).expire(run, reason: reason, grace: grace)
    }

    package func terminate(_ run: RunIdentifier) {
        host(of: run).terminate(run)
    }

    package func settle() {
        commands.settle()
        plugins.settle()
    }

    private func host(of run: RunIdentifier) -> any HandlerHost {
        commands.has(run) ? commands : plugins
    }
}
