import Plugins
import Scheduling

/// How handlers of this program talk to the engine, from whatever thread they are on.
final class EmbeddedChannel: RunChannel {
    let inbox: EngineInbox
    private let app: AppIdentifier
    private let engine: @Sendable () -> Engine?

    init(inbox: EngineInbox, app: AppIdentifier, engine: @escaping @Sendable () -> Engine?) {
        self.inbox = inbox
        self.app = app
        self.engine = engine
    }

    func complete(_ run: RunIdentifier, _ result: RunResult, message: String?) async -> Bool {
        guard let engine = engine() else { return false }
        return await engine.complete(run, result, message: message)
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
        guard let engine = engine() else {
            throw Refusal(.unavailable, "The runner has ended; submit again after its next start.")
        }
        return try await engine.submit(request, SubmissionOptions(ifPending: ifPending, by: app))
    }
}

/// Calls of this program, answered when they are durable (B15).
extension Engine {
    func complete(_ run: RunIdentifier, _ result: RunResult, message: String?) async -> Bool {
        let answer = await answer { .runCompleted(run, result, message: message, call: $0) }
        if case .reply(.accepted(let accepted)) = answer { return accepted }
        return false
    }

    func submit(_ request: TaskRequest, _ options: SubmissionOptions) async throws(Refusal) -> Submission {
        switch await answer({ .requestSubmitted(request, options, call: $0) }) {
        case .reply(.submitted(let result)): return Submission(result)
        case .reply(.refused(let refusal)): throw refusal
        case .void(let failure): throw Refusal(.storeUnavailable, failure.message)
        case .reply: throw Refusal(.unavailable, "The runner gave no answer to the submission.")
        }
    }

    func cancel(_ identifier: TaskIdentifier, by app: AppIdentifier) async throws(Refusal) -> Bool {
        switch await answer({ .requestCancelled(identifier, by: app, call: $0) }) {
        case .reply(.cancelled(let request)): return request != nil
        case .reply(.refused(let refusal)): throw refusal
        case .void(let failure): throw Refusal(.storeUnavailable, failure.message)
        case .reply: return false
        }
    }

    /// The answer of a call, for callers on other threads.
    func answer(_ event: @escaping (CallIdentifier) -> Event) async -> Answer {
        await withCheckedContinuation { continuation in
            call({ continuation.resume(returning: $0) }, event)
        }
    }
}
