import Platform
import Runner
package import Scheduling

/// Runs the handlers of bundles: commands, and processes of apps.
///
/// Unchecked because it is used on the loop only.
package final class BundleHost: HandlerHost, @unchecked Sendable {
    package let commands: CommandHost
    package let plugins: PluginHost

    /// What ran out when a process was to be started last, and when; nil when one was started since, whose ever.
    private var shortage: (what: Shortage, at: Int64)?

    package init(commands: CommandHost, plugins: PluginHost) {
        self.commands = commands
        self.plugins = plugins
        let note = { [weak self] (shortage: Shortage?) -> Void in
            self?.shortage = shortage.map { ($0, SystemClock.milliseconds(.boot)) }
        }
        commands.onStart = note
        plugins.onStart = note
    }

    /// What `doctor` says of the last start.
    var finding: Finding? {
        shortage.map { shortage in
            shortage.what.finding(after: .milliseconds(SystemClock.milliseconds(.boot) - shortage.at))
        }
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
