import Plugins
import Scheduling

/// Lets an engine launch handlers of its own program, never on the loop.
final class EmbeddedHost: HandlerHost {
    let runs: HandlerRuns
    private let inbox: EngineInbox

    init(_ runs: HandlerRuns, inbox: EngineInbox) {
        self.runs = runs
        self.inbox = inbox
    }

    func launch(_ order: LaunchOrder) {
        guard !runs.launch(order) else { return }
        inbox.post(.startFailed(order.run, reason: "no handler is registered in this process"))
    }

    func expire(_ run: RunIdentifier, reason: ExpirationReason, grace: Duration) {
        runs.expire(run, reason: reason, grace: grace)
    }

    /// Code in this process cannot be ended; the diagnostic `overran` says that it goes on (B24).
    ///
    /// A handler that still waits for its queue is not called any more.
    func terminate(_ run: RunIdentifier) {
        guard runs.revoke(run) else { return }
        inbox.post(.startFailed(run, reason: "its queue was busy until the runner ended"))
    }
}
