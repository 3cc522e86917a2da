import Plugins
import Scheduling

/// How handlers of this program talk to the engine, from whatever thread they are on.
final class EmbeddedChannel: RunChannel {
    let inbox: EngineInbox
    let calls: EmbeddedCalls
    private let app: AppIdentifier

    init(inbox: EngineInbox, calls: EmbeddedCalls, app: AppIdentifier) {
        self.inbox = inbox
        self.calls = calls
        self.app = app
    }

    func complete(_ run: RunIdentifier, _ result: RunResult, message: String?) async -> Bool {
        await calls.complete(run, result, message: message)
    }

    func completeLater(_ run: RunIdentifier, _ result: RunResult, message: String?) {
        inbox.post(.runCompleted(run, result, message: message, call: nil))
    }

    func returned(_ run: RunIdentifier) {
        let app = app
        inbox.post(
            .body { engine in
                (engine.hosts[app] as? EmbeddedHost)?.forget(run)
                engine.feed(.handlerReturned(run))
            })
    }

    func progress(_ run: RunIdentifier, _ progress: RunProgress) {
        inbox.post(.progressed(run, progress))
    }

    func submit(_ request: TaskRequest, ifPending: PendingChoice) async throws(Refusal) -> Submission {
        try await calls.submit(request, SubmissionOptions(ifPending: ifPending, by: app))
    }
}
