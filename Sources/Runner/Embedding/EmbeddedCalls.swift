import Dispatch
import Platform
import Plugins
import Scheduling

/// Calls into the engine from other threads of this program, answered when they are durable (B15).
///
/// Each of them is answered, also when the runner ends meanwhile: nobody waits for a loop that no longer turns.
final class EmbeddedCalls: Sendable {
    private typealias Caller = CheckedContinuation<Engine.Answer, Never>

    private enum State {
        /// Can transition to `ended`.
        case open(callers: [UInt64: Caller], next: UInt64)
        case ended
    }

    private let inbox: EngineInbox
    private let state = Locked(State.open(callers: [:], next: 1))

    init(inbox: EngineInbox) {
        self.inbox = inbox
    }

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

    func cancelAll(of app: AppIdentifier) async throws(Refusal) -> Int {
        switch await answer({ .allRequestsCancelled(app: app, call: $0) }) {
        case .reply(.cancelledAll(let count)): return count
        case .reply(.refused(let refusal)): throw refusal
        case .void(let failure): throw Refusal(.storeUnavailable, failure.message)
        case .reply: return 0
        }
    }

    /// What is pending, when all that it shows is durable.
    func pendingRequests(of app: AppIdentifier) async throws(Refusal) -> [TaskRequest] {
        let found = Locked<[TaskRequest]>([])
        let answer = await withCheckedContinuation { caller in
            guard let number = add(caller) else {
                caller.resume(returning: Engine.Answer.reply(.refused(Self.hasEnded)))
                return
            }
            inbox.post(
                .body { engine in
                    let requests = engine.scheduler.pending(app: app, after: 0, limit: .max).requests.map(\.asked)
                    engine.afterCommit { failure in
                        found.withLock { $0 = requests }
                        self.answered(number, failure.map { .void($0) } ?? .reply(.done))
                    }
                })
        }
        switch answer {
        case .reply(.refused(let refusal)): throw refusal
        case .void(let failure): throw Refusal(.storeUnavailable, failure.message)
        case .reply: return found.withLock { $0 }
        }
    }

    /// Registers on demand; the host knows the handler before anything can launch it.
    func register(
        _ pending: PendingRegistration, of app: AppIdentifier, queue: DispatchQueue?
    ) async throws(Refusal) {
        let registration = HandlerRegistration(
            identifier: pending.identifier, app: app, kind: pending.kind, origin: pending.origin)
        let answer = await withCheckedContinuation { caller in
            guard let number = add(caller) else {
                caller.resume(returning: Engine.Answer.reply(.refused(Self.hasEnded)))
                return
            }
            inbox.post(
                .body { engine in
                    engine.call({ answer in
                        if case .reply(.done) = answer {
                            let identifier = TaskIdentifier(checked: registration.identifier)
                            engine.assumeIsolated { engine in
                                let host = engine.hosts[app] as? EmbeddedHost
                                host?.runs.add(.init(pending.handler, queue: queue), for: identifier)
                            }
                        }
                        self.answered(number, answer)
                    }) { .handlerRegistered(registration, call: $0) }
                })
        }
        switch answer {
        case .reply(.refused(let refusal)): throw refusal
        case .void(let failure): throw Refusal(.storeUnavailable, failure.message)
        case .reply: break
        }
    }

    /// The runner has ended: whoever waits is told, and so is everyone who comes later.
    func end() {
        let callers: [UInt64: Caller] = state.withLock { state in
            guard case .open(let callers, _) = state else { return [:] }
            state = .ended
            return callers
        }
        for caller in callers.values { caller.resume(returning: .reply(.refused(Self.hasEnded))) }
    }

    // MARK: - Private

    private static let hasEnded = Refusal(.unavailable, "The runner has ended; call again after its next start.")

    private func answer(_ event: @escaping @Sendable (CallIdentifier) -> Event) async -> Engine.Answer {
        await withCheckedContinuation { caller in
            guard let number = add(caller) else {
                caller.resume(returning: .reply(.refused(Self.hasEnded)))
                return
            }
            inbox.post(.body { engine in engine.call({ self.answered(number, $0) }, event) })
        }
    }

    private func add(_ caller: Caller) -> UInt64? {
        state.withLock { state in
            guard case .open(var callers, let number) = state else { return nil }
            // Changed in place: a second reference would copy the table for each call.
            state = .ended
            callers[number] = caller
            state = .open(callers: callers, next: number + 1)
            return number
        }
    }

    private func answered(_ number: UInt64, _ answer: Engine.Answer) {
        let caller: Caller? = state.withLock { state in
            guard case .open(var callers, let next) = state else { return nil }
            state = .ended
            let caller = callers.removeValue(forKey: number)
            state = .open(callers: callers, next: next)
            return caller
        }
        caller?.resume(returning: answer)
    }
}
