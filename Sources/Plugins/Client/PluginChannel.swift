import Dispatch
import Platform
import RPC
import Scheduling

/// How the handlers of a plugin reach the runner.
final class PluginChannel: RunChannel {
    private let connection: PluginConnection
    private let state = Locked(State())

    private struct State {
        /// Launches that are answered when their handlers are entered.
        var launches: [RunIdentifier: RequestToken] = [:]
        /// Where handlers were registered, to name the first one of a second.
        var origins: [String: String] = [:]
        /// They know this channel, so not strongly.
        weak var runs: HandlerRuns?
        /// Whether the reading thread waits for the last run.
        var isEnding = false
    }

    init(_ connection: PluginConnection) {
        self.connection = connection
    }

    /// Whose handlers these are; said once, before the first of them is registered.
    func use(_ runs: HandlerRuns) {
        state.withLock { $0.runs = runs }
    }

    // MARK: - Launching

    func launch(_ order: LaunchOrder, _ token: RequestToken) {
        let runs: HandlerRuns? = state.withLock { state in
            state.launches[order.run] = token
            return state.runs
        }
        guard runs?.launch(order) != true else { return }
        _ = state.withLock { $0.launches.removeValue(forKey: order.run) }
        let refusal = Refusal(.notRegistered, "This process has no handler for \(order.identifier).")
        connection.reply(to: token, error: RPCError(refusal))
    }

    /// From now on the reading thread is woken when a run ends.
    func beginEnding() {
        state.withLock { $0.isEnding = true }
    }

    func entered(_ run: RunIdentifier) {
        guard let token = state.withLock({ $0.launches.removeValue(forKey: run) }) else { return }
        connection.reply(to: token, EmptyMessage())
    }

    func returned(_ run: RunIdentifier) {
        if state.withLock({ $0.isEnding }) { connection.wake() }
    }

    // MARK: - Registering

    /// Waits for the runner's answer; not for the reading thread.
    func register(_ registration: PendingRegistration, queue: DispatchQueue? = nil) throws(Refusal) {
        let answer = Awaited<Result<Void, Refusal>>()
        register(registration, queue) { answer.fulfil($0) }
        try answer.wait().get()
    }

    func registerContinued(_ registration: PendingRegistration) async throws(Refusal) {
        try await withCheckedContinuation { continuation in
            register(registration, nil) { continuation.resume(returning: $0) }
        }.get()
    }

    private func register(
        _ registration: PendingRegistration, _ queue: DispatchQueue?,
        answer: @escaping @Sendable (Result<Void, Refusal>) -> Void
    ) {
        let message = RegisterMessage(
            identifier: registration.identifier, kind: registration.kind, infersKind: registration.infersKind)
        connection.call(.register, message) { result in
            // On the reading thread, so that the handler is there before it can be launched.
            answer(
                result.flatMap { self.registered(registration, queue, $0) }
                    .mapError { self.namingFirst(registration, $0) })
        }
    }

    private func registered(
        _ registration: PendingRegistration, _ queue: DispatchQueue?, _ json: JSONValue
    ) -> Result<Void, Refusal> {
        guard let result = try? RegisterResult(fromRunner: json), result.registered,
            let identifier = try? TaskIdentifier(registration.identifier)
        else {
            return .failure(Refusal(.notPermitted, "The runner did not register \(registration.identifier)."))
        }
        let runs: HandlerRuns? = state.withLock { state in
            state.origins[registration.identifier] = registration.origin
            return state.runs
        }
        runs?.add(HandlerRuns.Handler(registration, queue: queue), for: identifier)
        return .success(())
    }

    /// Only this process knows in which line the first handler was registered (B6).
    private func namingFirst(_ registration: PendingRegistration, _ refusal: Refusal) -> Refusal {
        guard refusal.kind == .alreadyRegistered,
            let first = state.withLock({ $0.origins[registration.identifier] })
        else { return refusal }
        var refusal = refusal
        refusal.message += " The first one is registered at \(first)."
        refusal.related = [first]
        return refusal
    }

    // MARK: - Runs

    func complete(_ run: RunIdentifier, _ result: RunResult, message: String?) async -> Bool {
        await withCheckedContinuation { continuation in
            connection.complete(CompleteMessage(run: run, result: result, message: message)) { answer in
                let result = (try? answer.get()).flatMap { try? CompleteResult(fromRunner: $0) }
                continuation.resume(returning: result?.accepted ?? false)
            }
        }
    }

    func completeLater(_ run: RunIdentifier, _ result: RunResult, message: String?) {
        connection.complete(CompleteMessage(run: run, result: result, message: message)) { _ in }
    }

    func progress(_ run: RunIdentifier, _ progress: RunProgress) {
        connection.report(ProgressMessage(run: run, progress: progress))
    }

    func log(_ message: String, level: TaskLogLevel, run: RunIdentifier?) {
        connection.log(LogMessage(level: level, message: message, run: run))
    }

    // MARK: - Requests

    func submit(_ request: TaskRequest, ifPending: PendingChoice) async throws(Refusal) -> Submission {
        Submission(try await suspended(PluginQuestion.submit(request, ifPending)))
    }

    func cancel(_ identifier: TaskIdentifier) async throws(Refusal) -> Bool {
        try await suspended(PluginQuestion.cancel(identifier)).cancelled
    }

    func cancelAll() async throws(Refusal) -> Int {
        try await suspended(PluginQuestion.cancelAll).cancelled
    }

    func pendingRequests() async throws(Refusal) -> [TaskRequest] {
        var requests: [TaskRequest] = []
        var next: String?
        repeat {
            let page = try await suspended(PluginQuestion.pending(after: next))
            requests += page.requests
            next = page.next
        } while next != nil
        return requests
    }

    /// The same, for a thread that waits; not for the reading one.
    func pendingRequestsBlocking() throws(Refusal) -> [TaskRequest] {
        var requests: [TaskRequest] = []
        var next: String?
        repeat {
            let page = try blocked(PluginQuestion.pending(after: next))
            requests += page.requests
            next = page.next
        } while next != nil
        return requests
    }

    /// Asks, and waits for the answer; not for the reading thread.
    func blocked<Answer>(_ question: PluginQuestion<Answer>) throws(Refusal) -> Answer {
        let answer = Awaited<Result<Answer, Refusal>>()
        ask(question) { answer.fulfil($0) }
        return try answer.wait().get()
    }

    private func suspended<Answer>(_ question: PluginQuestion<Answer>) async throws(Refusal) -> Answer {
        try await withCheckedContinuation { continuation in
            ask(question) { continuation.resume(returning: $0) }
        }.get()
    }

    private func ask<Answer>(
        _ question: PluginQuestion<Answer>, answer: @escaping @Sendable (Result<Answer, Refusal>) -> Void
    ) {
        connection.call(question.method, question.params) { result in
            answer(result.flatMap(question.answer))
        }
    }
}
