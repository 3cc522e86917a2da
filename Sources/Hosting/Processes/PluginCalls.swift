import Platform
import Plugins
import RPC
import Runner
import Scheduling

/// What a plugin asks of the runner over its channel, limited to its own app (B3).
///
/// Unchecked because it is used on the loop only.
final class PluginCalls: @unchecked Sendable {
    private unowned let engine: Engine
    private let output: OutputStore

    init(engine: Engine, output: OutputStore) {
        self.engine = engine
        self.output = output
    }

    // MARK: - Requests

    func serve(_ request: Request, _ token: RequestToken, from process: PluginProcess) {
        do throws(RPCError) {
            let method = try method(of: request, isNotification: false)
            guard process.hasSaidHello || method == .hello else {
                process.terminate(because: "its first message was not hello")
                throw .invalidRequest("The first message must be 'hello'.")
            }
            switch method {
            case .hello: try hello(request, token, process)
            case .register: try register(request, token, process)
            case .finishLaunching: try finishLaunching(request, token, process)
            case .submit: try submit(request, token, process)
            case .cancel: try cancel(request, token, process)
            case .cancelAll: try cancelAll(request, token, process)
            case .pending: try pending(request, token, process)
            case .complete: try complete(request, token, process)
            case .progress, .log, .launch, .expire, .shutdown:
                throw .methodNotFound(request.method, nearest: nil)
            }
        } catch {
            process.state.complete(token, error: error)
            process.flush()
        }
    }

    private func hello(_ request: Request, _ token: RequestToken, _ process: PluginProcess) throws(RPCError) {
        guard !process.hasSaidHello else { throw .invalidRequest("'hello' was said before; say it once.") }
        do throws(RPCError) {
            _ = try HelloMessage(fromPlugin: request.params)
        } catch {
            process.terminate(because: "its hello was refused: \(error.message)")
            throw error
        }
        process.hasSaidHello = true
        let (description, recovered) = engine.assumeIsolated { engine in
            return (engine.scheduler.description(of: process.app), engine.scheduler.processRecovery(of: process.app))
        }
        let result = HelloResult(
            app: process.app, permitted: description?.permitted.map(\.text) ?? [], recovered: recovered,
            limits: PluginLimits(process.state.limits))
        answer(token, process) { result.write(into: &$0) }
        feed(.appConnected(process.app, process.number))
    }

    private func register(_ request: Request, _ token: RequestToken, _ process: PluginProcess) throws(RPCError) {
        let message = try RegisterMessage(fromPlugin: request.params)
        let registration = HandlerRegistration(
            identifier: message.identifier, app: process.app, kind: message.kind,
            origin: "the plugin of \(process.app)", infersKind: message.infersKind ? true : nil)
        call(token, process, { .handlerRegistered(registration, call: $0) }) { _, writer in
            RegisterResult().write(into: &writer)
        }
    }

    private func finishLaunching(_ request: Request, _ token: RequestToken, _ process: PluginProcess) throws(RPCError) {
        _ = try EmptyMessage(fromPlugin: request.params)
        // Before what follows from it is sent.
        answer(token, process) { EmptyMessage().write(into: &$0) }
        feed(.launchFinished(process.app))
    }

    private func submit(_ request: Request, _ token: RequestToken, _ process: PluginProcess) throws(RPCError) {
        var message = try SubmitMessage(fromPlugin: request.params)
        message.options.by = process.app
        guard engine.assumeIsolated({ $0.scheduler.phase }) != .draining else {
            throw RPCError(Refusal(.draining, "The runner is shutting down; submit again after its next start."))
        }
        call(token, process, { [message] in .requestSubmitted(message.request, message.options, call: $0) }) {
            reply, writer in
            if case .submitted(let result) = reply { SubmitResult.write(result, into: &writer) }
        }
    }

    private func cancel(_ request: Request, _ token: RequestToken, _ process: PluginProcess) throws(RPCError) {
        let message = try CancelMessage(fromPlugin: request.params)
        call(token, process, { .requestCancelled(message.identifier, by: process.app, call: $0) }) { reply, writer in
            if case .cancelled(let request) = reply { CancelResult.write(request, into: &writer) }
        }
    }

    private func cancelAll(_ request: Request, _ token: RequestToken, _ process: PluginProcess) throws(RPCError) {
        let message = try CancelAllMessage(fromPlugin: request.params)
        try requireOwn(message.app, process)
        call(token, process, { .allRequestsCancelled(app: process.app, call: $0) }) { reply, writer in
            if case .cancelledAll(let count) = reply { CancelAllResult(cancelled: count).write(into: &writer) }
        }
    }

    private func pending(_ request: Request, _ token: RequestToken, _ process: PluginProcess) throws(RPCError) {
        let message = try PendingMessage(fromPlugin: request.params)
        try requireOwn(message.app, process)
        let after = message.after.flatMap { Cursor.position($0) } ?? 0
        var writer = JSONWriter()
        engine.assumeIsolated { engine in
            if let identifier = message.identifier {
                let own = engine.scheduler.pending(identifier).flatMap { $0.app == process.app ? $0 : nil }
                PendingResult.write(own.map { [$0] } ?? [], next: nil, into: &writer)
                return
            }
            let page = engine.scheduler.pending(
                app: process.app, after: Int(clamping: after), limit: min(max(message.limit ?? 100, 1), 1_000))
            PendingResult.write(page.requests, next: page.next.map { Cursor.text($0) }, into: &writer)
        }
        let bytes = writer.bytes
        process.hold(bytes.count)
        engine.assumeIsolated { engine in
            engine.afterCommit { failure in
                defer { process.release(bytes.count) }
                self.answer(token, process) { (writer) throws(RPCError) in
                    if let failure { throw .storeUnavailable(failure) }
                    writer.raw(bytes)
                }
            }
        }
    }

    private func complete(_ request: Request, _ token: RequestToken, _ process: PluginProcess) throws(RPCError) {
        let message = try CompleteMessage(fromPlugin: request.params)
        guard try owns(message.run, process) else {
            // It ended long ago, or never was.
            answer(token, process) { CompleteResult(accepted: false).write(into: &$0) }
            return
        }
        call(token, process, { .runCompleted(message.run, message.result, message: message.message, call: $0) }) {
            reply, writer in
            if case .accepted(let accepted) = reply { CompleteResult(accepted: accepted).write(into: &writer) }
        }
    }

    // MARK: - Notifications

    func note(_ request: Request, from process: PluginProcess) {
        // Nobody is told what is wrong with a notification.
        guard process.hasSaidHello, let method = try? method(of: request, isNotification: true) else { return }
        switch method {
        case .progress:
            guard let message = try? ProgressMessage(fromPlugin: request.params),
                (try? owns(message.run, process)) == true
            else { return }
            feed(.progressed(message.run, message.progress))
        case .log:
            guard let message = try? LogMessage(fromPlugin: request.params) else { return }
            keep(message, process)
        case .hello, .register, .finishLaunching, .submit, .cancel, .cancelAll, .pending, .complete, .launch, .expire,
            .shutdown:
            break
        }
    }

    private func keep(_ message: LogMessage, _ process: PluginProcess) {
        let now = WallTime(milliseconds: SystemClock.milliseconds(.wall))
        let lines = message.message.split(separator: "\n", omittingEmptySubsequences: false)
        // Each is kept for itself, whatever few bytes it had.
        process.count(lines.count * FloodGate.bytesPerMessage)
        for line in lines {
            if let run = message.run, process.runs.contains(run) {
                output.keep(line.utf8, stream: message.level.rawValue, run: run, app: process.app, at: now)
            } else {
                output.keep(line.utf8, stream: message.level.rawValue, app: process.app, at: now)
            }
        }
    }

    // MARK: - Private

    private func method(of request: Request, isNotification: Bool) throws(RPCError) -> PluginMethod {
        let known = PluginMethod.allCases.filter(\.isFromPlugin)
        guard let method = PluginMethod(rawValue: request.method), method.isFromPlugin else {
            throw .methodNotFound(
                request.method, nearest: NearestName.nearest(to: request.method, among: known.map(\.rawValue)))
        }
        guard method.isNotification || !isNotification else {
            throw .invalidRequest("'\(method.rawValue)' is a request and needs an id.")
        }
        return method
    }

    private func requireOwn(_ app: AppIdentifier?, _ process: PluginProcess) throws(RPCError) {
        guard let app, app != process.app else { return }
        throw RPCError(
            Refusal(
                .notPermitted, "A plugin reaches only the requests of its own app, \(process.app); leave 'app' out."))
    }

    /// Whether the process has the run, or had it a short time ago; another's is refused, and noted (B3).
    private func owns(_ run: RunIdentifier, _ process: PluginProcess) throws(RPCError) -> Bool {
        guard let owner = engine.assumeIsolated({ $0.scheduler.owner(of: run) }) else { return false }
        guard owner.app == process.app, owner.process == process.number else {
            feed(.foreignRunNamed(process.app, run))
            throw RPCError(
                Refusal(
                    .notPermitted,
                    "Run \(run.number) is not a run of this process; a plugin can speak of its own runs only."))
        }
        return true
    }

    private func feed(_ event: Event) {
        engine.assumeIsolated { $0.feed(event) }
    }

    /// Feeds an event, and answers with what the scheduler replies.
    private func call(
        _ token: RequestToken, _ process: PluginProcess, _ event: @Sendable (CallIdentifier) -> Event,
        _ body: @escaping @Sendable (Reply, inout JSONWriter) -> Void
    ) {
        engine.assumeIsolated { engine in
            engine.call(
                { result in
                    self.answer(token, process) { (writer) throws(RPCError) in
                        switch result {
                        case .void(let failure): throw .storeUnavailable(failure)
                        case .reply(.refused(let refusal)): throw RPCError(refusal, remaining: nil)
                        case .reply(let reply): body(reply, &writer)
                        }
                    }
                }, event)
        }
    }

    private func answer(
        _ token: RequestToken, _ process: PluginProcess, _ body: (inout JSONWriter) throws(RPCError) -> Void
    ) {
        process.state.complete(token, body)
        process.flush()
    }
}
