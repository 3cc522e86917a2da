import Dispatch
import Platform
import Plugins
import Scheduling

/// Calls into the engine from other threads of this program, answered when they are durable (B15).
///
/// Each of them is answered, also when the runner ends meanwhile: nobody waits for a loop that no longer turns. Each comes
/// in two forms: one suspends its caller; the other blocks its thread, which must not be the loop's.
final class EmbeddedCalls: Sendable {
    /// Gets the answer, on the loop or on the thread that ends the runner.
    typealias Caller = @Sendable (Engine.Answer) -> Void

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
        let answer = await suspended { self.post({ .runCompleted(run, result, message: message, call: $0) }, $0) }
        if case .reply(.accepted(let accepted)) = answer { return accepted }
        return false
    }

    // MARK: - Requests

    func submit(_ request: TaskRequest, _ options: SubmissionOptions) async throws(Refusal) -> Submission {
        try Self.submission(await suspended { self.post({ .requestSubmitted(request, options, call: $0) }, $0) })
    }

    func submitBlocking(_ request: TaskRequest, _ options: SubmissionOptions) throws(Refusal) -> Submission {
        try Self.submission(blocked { self.post({ .requestSubmitted(request, options, call: $0) }, $0) })
    }

    func cancel(_ identifier: TaskIdentifier, by app: AppIdentifier) async throws(Refusal) -> Bool {
        try Self.wasCancelled(await suspended { self.post({ .requestCancelled(identifier, by: app, call: $0) }, $0) })
    }

    func cancelBlocking(_ identifier: TaskIdentifier, by app: AppIdentifier) throws(Refusal) -> Bool {
        try Self.wasCancelled(blocked { self.post({ .requestCancelled(identifier, by: app, call: $0) }, $0) })
    }

    func cancelAll(of app: AppIdentifier) async throws(Refusal) -> Int {
        try Self.cancelledCount(await suspended { self.post({ .allRequestsCancelled(app: app, call: $0) }, $0) })
    }

    func cancelAllBlocking(of app: AppIdentifier) throws(Refusal) -> Int {
        try Self.cancelledCount(blocked { self.post({ .allRequestsCancelled(app: app, call: $0) }, $0) })
    }

    /// What is pending, when all that it shows is durable.
    func pendingRequests(of app: AppIdentifier) async throws(Refusal) -> [TaskRequest] {
        let found = Locked<[TaskRequest]>([])
        try Self.done(await suspended { self.findPending(of: app, into: found, $0) })
        return found.withLock { $0 }
    }

    func pendingRequestsBlocking(of app: AppIdentifier) throws(Refusal) -> [TaskRequest] {
        let found = Locked<[TaskRequest]>([])
        try Self.done(blocked { self.findPending(of: app, into: found, $0) })
        return found.withLock { $0 }
    }

    // MARK: - Handlers

    /// Registers a handler, before the launch is finished or on demand.
    func register(
        _ pending: PendingRegistration, of app: AppIdentifier, queue: DispatchQueue?
    ) async throws(Refusal) {
        try Self.done(await suspended { self.register(pending, of: app, queue: queue, $0) })
    }

    func registerBlocking(
        _ pending: PendingRegistration, of app: AppIdentifier, queue: DispatchQueue?
    ) throws(Refusal) {
        try Self.done(blocked { self.register(pending, of: app, queue: queue, $0) })
    }

    // MARK: - Ending

    /// The runner has ended: whoever waits is told, and so is everyone who comes later.
    func end() {
        let callers: [UInt64: Caller] = state.withLock { state in
            guard case .open(let callers, _) = state else { return [:] }
            state = .ended
            return callers
        }
        for caller in callers.values { caller(.reply(.refused(Self.hasEnded))) }
    }

    // MARK: - Private

    private static func submission(_ answer: Engine.Answer) throws(Refusal) -> Submission {
        if case .submitted(let result) = try reply(answer) { return Submission(result) }
        throw Refusal(.unavailable, "The runner gave no answer to the submission.")
    }

    private static func wasCancelled(_ answer: Engine.Answer) throws(Refusal) -> Bool {
        if case .cancelled(let request) = try reply(answer) { return request != nil }
        return false
    }

    private static func cancelledCount(_ answer: Engine.Answer) throws(Refusal) -> Int {
        if case .cancelledAll(let count) = try reply(answer) { return count }
        return 0
    }

    private static func done(_ answer: Engine.Answer) throws(Refusal) {
        _ = try reply(answer)
    }

    private static func reply(_ answer: Engine.Answer) throws(Refusal) -> Reply {
        switch answer {
        case .reply(.refused(let refusal)): throw refusal
        case .reply(let reply): return reply
        case .void(let failure): throw Refusal(.storeUnavailable, failure.message)
        }
    }

    private static let hasEnded = Refusal(.unavailable, "The runner has ended; call again after its next start.")

    private func suspended(_ body: (@escaping Caller) -> Void) async -> Engine.Answer {
        await withCheckedContinuation { continuation in body { continuation.resume(returning: $0) } }
    }

    private func blocked(_ body: (@escaping Caller) -> Void) -> Engine.Answer {
        let answer = Awaited<Engine.Answer>()
        body { answer.fulfil($0) }
        return answer.wait()
    }

    private func post(_ event: @escaping @Sendable (CallIdentifier) -> Event, _ caller: @escaping Caller) {
        guard let number = add(caller) else { return caller(.reply(.refused(Self.hasEnded))) }
        inbox.post(.body { engine in engine.call({ self.answered(number, $0) }, event) })
    }

    private func findPending(
        of app: AppIdentifier, into found: Locked<[TaskRequest]>, _ caller: @escaping Caller
    ) {
        guard let number = add(caller) else { return caller(.reply(.refused(Self.hasEnded))) }
        inbox.post(
            .body { engine in
                let requests = engine.scheduler.pending(app: app, after: 0, limit: .max).requests.map(\.asked)
                engine.afterCommit { failure in
                    found.withLock { $0 = requests }
                    self.answered(number, failure.map { .void($0) } ?? .reply(.done))
                }
            })
    }

    /// The host knows the handler before anything can launch it.
    private func register(
        _ pending: PendingRegistration, of app: AppIdentifier, queue: DispatchQueue?, _ caller: @escaping Caller
    ) {
        guard let number = add(caller) else { return caller(.reply(.refused(Self.hasEnded))) }
        let registration = HandlerRegistration(
            identifier: pending.identifier, app: app, kind: pending.kind, origin: pending.origin,
            infersKind: pending.infersKind ? true : nil)
        inbox.post(
            .body { engine in
                engine.call({ answer in
                    if case .reply(.done) = answer {
                        let identifier = TaskIdentifier(checked: registration.identifier)
                        engine.assumeIsolated { engine in
                            let host = engine.hosts[app] as? EmbeddedHost
                            host?.runs.add(HandlerRuns.Handler(pending, queue: queue), for: identifier)
                        }
                    }
                    self.answered(number, answer)
                }) { .handlerRegistered(registration, call: $0) }
            })
    }

    private func add(_ caller: @escaping Caller) -> UInt64? {
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
        caller?(answer)
    }
}
