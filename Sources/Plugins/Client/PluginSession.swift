package import Platform
import RPC
import Scheduling

/// One life of a plugin's process: it introduces itself, registers its handlers, and serves the runner until its end.
package final class PluginSession: Sendable {
    /// How a process ends; its exit status.
    package enum Ending: Int32, Sendable {
        /// The runner wanted it.
        case ended = 0
        /// The plugin could not begin.
        case pluginFailed = 1
        /// The runner, or whoever it is, does not speak the protocol or does not want this plugin.
        case badPeer = 2
    }

    private enum Phase {
        /// Can transition to `serving`, `stopping`.
        case beginning
        /// Can transition to `stopping`.
        case serving(Task<Void, Never>)
        /// The runner has asked for the end; handlers may go on until then, in milliseconds of the awake clock.
        case stopping(until: Int64)
    }

    private struct State {
        var phase = Phase.beginning
        var app: HelloResult?
        var ending: Ending?
    }

    private let connection: PluginConnection
    let channel: PluginChannel
    private let runs: HandlerRuns
    private let state = Locked(State())
    private let complain: @Sendable (String) -> Void

    /// - Parameters:
    ///   - socket: connected, and never waiting.
    ///   - longestLine: the bytes of the longest line that the runner may send.
    ///   - complain: gets a sentence when something is wrong.
    package init(
        _ socket: OwnedDescriptor, longestLine: Int = 16 << 20, complain: @escaping @Sendable (String) -> Void
    ) throws(SystemError) {
        self.complain = complain
        connection = try PluginConnection(socket, longestLine: longestLine)
        channel = PluginChannel(connection)
        runs = HandlerRuns(channel: channel) { AwakeTime(milliseconds: SystemClock.milliseconds(.awake)) }
        channel.use(runs)
    }

    /// Serves until the runner ends it; returns when nothing more is read.
    package func run(_ plugin: some TaskPlugin) -> Ending {
        let reader: NamedThread
        do throws(SystemError) {
            reader = try NamedThread(name: "runner plugin") { self.read() }
        } catch {
            return end(.pluginFailed, "This plugin cannot start: \(error).")
        }
        begin(plugin)
        reader.join()
        return end(.ended)
    }

    /// Writes what waits, for a limited time: the process is about to end.
    package func flushBeforeExit() {
        connection.flushBeforeExit(until: SystemClock.milliseconds(.awake) + 5_000)
    }

    /// Introduces the process and returns; from then on a thread of its own serves the runner. It calls `ended`, once.
    ///
    /// Then the handlers are registered, and `finishLaunching` is called. Throws when the runner does not take it.
    package func open(ended: @escaping @Sendable (Ending) -> Void) throws(Refusal) {
        do throws(SystemError) {
            _ = try NamedThread(name: "runner plugin") {
                self.read()
                ended(self.end(.ended))
            }
        } catch {
            throw Refusal(.unavailable, "This program cannot speak with its runner: \(error).")
        }
        do throws(Refusal) {
            _ = try introduce()
        } catch {
            stop(.badPeer, "The runner does not take this program: \(error.message)")
            throw error
        }
    }

    // MARK: - Beginning

    private func begin(_ plugin: some TaskPlugin) {
        do throws(Refusal) {
            let app = try introduce()
            guard register(plugin) else { return }
            _ = try channel.blocked(PluginQuestion.finishLaunching)
            announce(app, to: plugin)
        } catch {
            // When the runner has ended, the reading thread knows why.
            stop(.badPeer, "The runner does not take this plugin: \(error.message)")
        }
    }

    private func register(_ plugin: some TaskPlugin) -> Bool {
        do {
            let registry = TaskRegistry { [channel] (pending) throws(Refusal) in try channel.register(pending) }
            try plugin.register(in: registry)
            return true
        } catch {
            stop(.pluginFailed, "This plugin could not register its handlers: \(error)")
            return false
        }
    }

    private func announce(_ app: HelloResult, to plugin: some TaskPlugin) {
        let context = AppContext(identifier: app.app, recovered: app.recovered, channel: channel)
        let task = context.announceLaunch(to: plugin)
        state.withLock { state in
            switch state.phase {
            case .beginning: state.phase = .serving(task)
            case .serving, .stopping: task.cancel()
            }
        }
    }

    /// Says hello, and keeps what the runner says.
    private func introduce() throws(Refusal) -> HelloResult {
        let app = try channel.blocked(PluginQuestion.hello)
        connection.setLimit(unansweredRequests: app.limits.unansweredRequests)
        state.withLock { $0.app = app }
        return app
    }

    // MARK: - Reading

    private func read() {
        while state.withLock({ $0.ending }) == nil {
            switch connection.turn(until: deadline, { receive($0) }) {
            case .goesOn: break
            case .timeUp: end(.ended)
            case .violated(let what): end(.badPeer, "This is no runner, or a broken one: \(what).")
            case .ended: linger()
            }
        }
        connection.endAnswers()
    }

    /// The runner has gone: handlers may go on if it gave them time.
    private func linger() {
        channel.beginEnding()
        connection.endAnswers()
        while let deadline, !runs.isIdle, connection.linger(until: deadline) {}
        end(.ended)
    }

    /// Until when the process may live, once it was asked to end.
    private var deadline: Int64? {
        state.withLock { if case .stopping(let deadline) = $0.phase { deadline } else { nil } }
    }

    private func receive(_ inbound: ConnectionState.Inbound) {
        do throws(RPCError) {
            switch inbound {
            case .request(let token, let request): try receive(request, token)
            case .notification(let request): try receive(request)
            case .response, .closing: break
            }
        } catch {
            end(.badPeer, "The runner said something that this plugin cannot understand: \(error.message)")
        }
    }

    private func receive(_ request: Request, _ token: RequestToken) throws(RPCError) {
        guard PluginMethod(rawValue: request.method) == .launch else {
            connection.reply(to: token, error: .methodNotFound(request.method, nearest: nil))
            return
        }
        let message = try LaunchMessage(fromRunner: request.params)
        guard let app = state.withLock({ $0.app?.app }) else {
            throw .invalidRequest("a launch came before the answer to hello.")
        }
        channel.launch(message.order(for: app), token)
    }

    /// What a newer runner may say beyond this protocol is left out.
    private func receive(_ request: Request) throws(RPCError) {
        switch PluginMethod(rawValue: request.method) {
        case .expire:
            let message = try ExpireMessage(fromRunner: request.params)
            runs.expire(message.run, reason: message.reason, grace: message.grace)
        case .shutdown:
            shutDown(try ShutdownMessage(fromRunner: request.params))
        case .hello, .register, .finishLaunching, .submit, .cancel, .cancelAll, .pending, .complete, .progress, .log,
            .launch, nil:
            break
        }
    }

    private func shutDown(_ message: ShutdownMessage) {
        let deadline = SystemClock.milliseconds(.awake) + message.grace.wholeMilliseconds
        let launched: Task<Void, Never>? = state.withLock { state in
            defer { state.phase = .stopping(until: deadline) }
            if case .serving(let task) = state.phase { return task }
            return nil
        }
        // Cancelling runs the plugin's own cancellation handlers, which may take their time.
        if let launched { HandlerQueue(label: "shutdown").perform { launched.cancel() } }
        runs.expireAll(reason: message.reason == .draining ? .draining : .appStopping, grace: message.grace)
    }

    // MARK: - Ending

    /// The first reason counts, and only that is told.
    @discardableResult
    private func end(_ ending: Ending, _ sentence: String? = nil) -> Ending {
        let (first, isFirst) = state.withLock { state in
            if let first = state.ending { return (first, false) }
            state.ending = ending
            return (ending, true)
        }
        if isFirst, let sentence { complain(sentence) }
        return first
    }

    /// Ends from another thread than the reading one.
    private func stop(_ ending: Ending, _ sentence: String) {
        // A runner that ended while it was asked: the reading thread says how.
        guard !connection.isEnded else { return }
        end(ending, sentence)
        connection.wake()
    }
}
