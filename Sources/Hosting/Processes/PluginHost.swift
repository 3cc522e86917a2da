import Platform
import Plugins
import RPC
package import Runner
package import Scheduling
package import SystemPlatform

/// Runs the handlers of bundles in a process of each app's own, which speaks the plugin protocol (04).
///
/// Unchecked because it is used on the loop only.
package final class PluginHost: HandlerHost, ProcessHost, @unchecked Sendable {
    private let loop: EventLoop
    private let output: OutputStore
    private let environment: CommandEnvironment
    private let boot: BootIdentifier
    private let library: String?
    private unowned let engine: Engine
    /// The bundles as they are now, and as they were for the processes that run.
    private var bundles: [AppIdentifier: PluginBundle] = [:]
    private var processes: [AppIdentifier: PluginProcess] = [:]
    private lazy var calls = PluginCalls(engine: engine, output: output)
    /// Called with what ran out when a process was to be started, and with nil when one was started.
    var onStart: (Shortage?) -> Void = { _ in }
    /// Runs that were told to end: what they say before their grace period ends counts.
    private var expiring: Set<RunIdentifier> = []

    /// - Parameter pluginHost: the program that loads libraries; `nil` when it was not found.
    package init(
        on loop: EventLoop, output: OutputStore, environment: CommandEnvironment, boot: BootIdentifier,
        pluginHost: String?, engine: Engine
    ) {
        self.loop = loop
        self.output = output
        self.environment = environment
        self.boot = boot
        library = pluginHost
        self.engine = engine
        engine.assumeIsolated { engine in
            engine.observe { [weak self] notice, _ in
                if case .ended(let record) = notice { self?.ended(record.run, of: record.request.app) }
            }
        }
    }

    /// A bundle as it is now; a process that runs keeps the one that it was started from.
    func setBundle(_ bundle: PluginBundle) {
        bundles[bundle.app] = bundle
    }

    // MARK: - Processes

    package func start(_ order: ProcessOrder) {
        do {
            let process = try spawn(order)
            processes[order.app] = process
            onStart(nil)
            report(.processStarted(order.app, order.process, process.mark))
        } catch {
            let shortage = Shortage(error)
            if shortage != nil { onStart(shortage) }
            report(
                .processStartFailed(order.app, order.process, reason: "\(error)", remedy: shortage?.fix))
        }
    }

    package func end(_ app: AppIdentifier, _ number: ProcessNumber, _ cause: StopCause) {
        guard let process = process(app, number) else { return }
        guard cause.isOrderly else {
            process.terminate()
            return
        }
        let message = ShutdownMessage(
            reason: cause.shutdownReason, grace: .milliseconds(PluginProcess.graceMilliseconds))
        process.shutdown { message.write(into: &$0) }
    }

    // MARK: - Runs

    package func launch(_ order: LaunchOrder) {
        guard let number = order.process, let process = process(order.app, number) else {
            report(.startFailed(order.run, reason: "its app's process ended before"))
            return
        }
        let message = LaunchMessage(order)
        let request = process.state.request(PluginMethod.launch.rawValue) { message.write(into: &$0) }
        process.launches[request] = order.run
        process.runs.insert(order.run)
        process.flush()
    }

    package func expire(_ run: RunIdentifier, reason: ExpirationReason, grace: Duration) {
        guard let process = process(of: run) else { return }
        expiring.insert(run)
        let message = ExpireMessage(run: run, reason: reason, grace: grace)
        process.state.notify(PluginMethod.expire.rawValue) { message.write(into: &$0) }
        process.flush()
    }

    /// A single run cannot be ended; the scheduler has its process ended.
    package func terminate(_ run: RunIdentifier) {}

    /// Reads what runs that were told to end have said by now.
    package func settle() {
        guard !expiring.isEmpty else { return }
        expiring = expiring.filter { engine.liveState(of: $0)?.isEnded == false }
        let told = processes.values.filter { !$0.runs.isDisjoint(with: expiring) }
        for process in told.sorted(by: { $0.app < $1.app }) { process.drainChannel() }
    }

    // MARK: - Private

    private func report(_ event: Event) {
        engine.assumeIsolated { $0.feed(event) }
    }

    private func process(_ app: AppIdentifier, _ number: ProcessNumber) -> PluginProcess? {
        processes[app].flatMap { $0.number == number ? $0 : nil }
    }

    private func process(of run: RunIdentifier) -> PluginProcess? {
        processes.values.first { $0.runs.contains(run) }
    }

    private func spawn(_ order: ProcessOrder) throws -> PluginProcess {
        guard let bundle = bundles[order.app] else { throw ProcessProblem("its bundle is gone") }
        guard bundle.hash == order.bundleHash else { throw ProcessProblem("its bundle has just changed") }
        let command = try bundle.program.command(pluginHost: library)
        let output = try Pipe.make()
        let error = try Pipe.make()
        let (ours, theirs) = try UnixSocket.pair()
        var options = SpawnOptions(
            executable: command.executable, arguments: command.arguments,
            environment: environment.variables(for: bundle))
        options.workingDirectory = bundle.folder
        options.standardOutput = output.writing.raw
        options.standardError = error.writing.raw
        options.channel = theirs.raw
        options.user = try RunAs.credentials(bundle.user)
        options.limits = bundle.limits.resourceLimits
        let child = try ChildProcess.spawn(options)
        for descriptor in [output.writing, error.writing, theirs] { descriptor.close() }
        let process = PluginProcess(
            order, child: child, channel: ours, boot: boot, loop: loop, limits: ConnectionLimits(), owner: self)
        do throws(SystemError) {
            try process.follow(output: output.reading, error: error.reading)
        } catch {
            process.abandon()
            throw error
        }
        return process
    }
}

extension PluginHost: PluginProcessOwner {
    func received(_ inbound: ConnectionState.Inbound, from process: PluginProcess) {
        switch inbound {
        case .request(let token, let request): calls.serve(request, token, from: process)
        case .notification(let request): calls.note(request, from: process)
        case .response(let response): answered(response, from: process)
        case .closing: break
        }
    }

    func took(_ line: [UInt8], stream: String, from process: PluginProcess) {
        let now = WallTime(milliseconds: SystemClock.milliseconds(.wall))
        let active = activeRuns(of: process)
        if let run = active.first, active.count == 1 {
            output.keep(line, stream: stream, run: run, app: process.app, at: now)
        } else {
            output.keep(line, stream: stream, app: process.app, at: now)
        }
    }

    func gone(_ process: PluginProcess, _ exit: ProcessExit) {
        if processes[process.app] === process { processes[process.app] = nil }
        for run in process.runs { output.finish(run, app: process.app) }
        expiring.subtract(process.runs)
        output.finish(OutputStore.ofApp, app: process.app)
        report(.processGone(process.app, process.number, ProcessEnd(exit, problem: process.problem)))
    }

    private func answered(_ response: Response, from process: PluginProcess) {
        guard let number = response.identifier else {
            process.terminate(because: "it answered with an error that names no request")
            return
        }
        guard let run = process.launches.removeValue(forKey: number) else { return }
        switch response.outcome {
        case .result: report(.handlerEntered(run, process.mark))
        case .error(let error):
            report(.startFailed(run, reason: "it refused the launch: \(error.message.cut(toBytes: 512))"))
        }
    }

    /// Forgets a run that has ended, and closes the file of its lines: a process may have any number of runs.
    private func ended(_ run: RunIdentifier, of app: AppIdentifier) {
        guard processes[app]?.runs.remove(run) != nil else { return }
        output.finish(run, app: app)
    }

    /// The runs of a process that have not ended; files of those that have are closed.
    private func activeRuns(of process: PluginProcess) -> Set<RunIdentifier> {
        let ended = process.runs.filter { engine.liveState(of: $0)?.isEnded != false }
        for run in ended { output.finish(run, app: process.app) }
        process.runs.subtract(ended)
        return process.runs
    }
}

extension Engine {
    /// The state of a run that the scheduler still has; on the loop.
    fileprivate nonisolated func liveState(of run: RunIdentifier) -> RunState? {
        assumeIsolated { $0.scheduler.liveRun(run)?.state }
    }
}

extension StopCause {
    fileprivate var shutdownReason: ShutdownReason {
        switch self {
        case .idle: .idle
        case .bundleChanged, .bundleRemoved: .bundleChanged
        case .draining: .draining
        case .graceEnded: .overran
        case .launchTime, .unresponsive: .stopped
        }
    }
}
