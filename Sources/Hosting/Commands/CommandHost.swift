import Platform
package import Plugins
import RPC
import Runner
package import Scheduling
package import SystemPlatform

/// Runs command tasks: a process a run, in a group of its own, watched by a pidfd (04, *Command*).
///
/// Unchecked because it is used on the loop only.
package final class CommandHost: HandlerHost, @unchecked Sendable {
    private static let killMilliseconds: Int64 = 1_000

    private let loop: EventLoop
    private let output: OutputStore
    private let environment: CommandEnvironment
    private let report: (Event) -> Void
    private let boot: BootIdentifier
    private var commands: [AppIdentifier: CommandGenerations] = [:]
    private var runs: [RunIdentifier: (run: CommandRun, order: LaunchOrder)] = [:]
    /// Called with what ran out when a command was to be started, and with nil when one was started.
    var onStart: (Shortage?) -> Void = { _ in }

    package init(
        on loop: EventLoop, output: OutputStore, environment: CommandEnvironment, boot: BootIdentifier,
        report: @escaping (Event) -> Void
    ) {
        self.loop = loop
        self.output = output
        self.environment = environment
        self.boot = boot
        self.report = report
    }

    /// The commands of a bundle as it is now. Launches by an earlier manifest still find theirs (B42).
    package func setCommands(_ tasks: [CommandTask], limits: ManifestLimits, of app: AppIdentifier, hash: String) {
        commands[app, default: CommandGenerations()].add(tasks, limits: limits, hash: hash)
    }

    package func launch(_ order: LaunchOrder) {
        guard let command = commands[order.app]?.command(of: order.identifier, hash: order.bundleHash) else {
            report(.startFailed(order.run, reason: "its bundle names no command for it"))
            return
        }
        do {
            let (process, sources) = try start(command, order)
            follow(process, sources, order)
        } catch {
            let shortage = Shortage(error)
            if shortage != nil { onStart(shortage) }
            report(.startFailed(order.run, reason: "\(error)", remedy: shortage?.fix))
        }
    }

    /// Watches a process that was started, and says that its command was entered.
    func follow(_ process: ChildProcess, _ sources: [(CommandRun.Stream, OwnedDescriptor)], _ order: LaunchOrder) {
        let run = CommandRun(process: process)
        runs[order.run] = (run, order)
        do throws(SystemError) {
            for (stream, descriptor) in sources {
                run.sources.append(
                    try LineSource(on: loop, descriptor) { [weak self] in self?.take($0, from: stream, order) })
            }
            run.exitWatch = try loop.watch(process.pidfd.raw, for: .read) { [weak self] _ in self?.exited(order.run) }
        } catch {
            let shortage = Shortage(error)
            if shortage != nil { onStart(shortage) }
            fail(run, order, because: error.description, remedy: shortage?.fix)
            return
        }
        onStart(nil)
        let mark = ProcessIdentity(pid: process.pid).map {
            ProcessMark(group: $0.pid, startTime: $0.startTime, bootIdentifier: boot)
        }
        report(.handlerEntered(order.run, mark))
    }

    package func expire(_ run: RunIdentifier, reason: ExpirationReason, grace: Duration) {
        runs[run]?.run.isExpired = true
        runs[run]?.run.process.signalGroup(ProcessSignal.terminate)
    }

    package func terminate(_ run: RunIdentifier) {
        runs[run]?.run.process.signalGroup(ProcessSignal.kill)
    }

    /// An exit before the end of a grace period counts, though nobody has looked yet.
    package func settle() {
        let ended = runs.filter { $0.value.run.isExpired && $0.value.run.exitWatch != nil }.keys.sorted()
        for run in ended {
            guard let pidfd = runs[run]?.run.process.pidfd.raw else { continue }
            if BlockingIO.wait(for: .reading, of: pidfd, until: 0) { exited(run) }
        }
    }

    func has(_ run: RunIdentifier) -> Bool {
        runs[run] != nil
    }

    // MARK: - Private

    private func start(
        _ command: CommandGenerations.Command, _ order: LaunchOrder
    ) throws -> (ChildProcess, [(CommandRun.Stream, OwnedDescriptor)]) {
        let output = try Pipe.make()
        let error = try Pipe.make()
        let progress = try Pipe.make()
        var options = SpawnOptions(
            executable: command.task.executable, arguments: Array(command.task.command.dropFirst()),
            environment: environment.variables(for: command.task, order))
        options.workingDirectory = command.task.workingDirectory
        options.standardOutput = output.writing.raw
        options.standardError = error.writing.raw
        options.channel = progress.writing.raw
        options.parentDeathSignal = ProcessSignal.kill
        options.user = try RunAs.credentials(command.task.user)
        options.limits = command.limits.resourceLimits
        let process = try ChildProcess.spawn(options)
        for end in [output.writing, error.writing, progress.writing] { end.close() }
        return (process, [(.output, output.reading), (.error, error.reading), (.progress, progress.reading)])
    }

    /// The process runs, but cannot be watched: it is ended, and the start has failed.
    ///
    /// Its end is waited for, since the same task may be started again at once; a killed process needs a moment at most.
    private func fail(_ run: CommandRun, _ order: LaunchOrder, because reason: String, remedy: String?) {
        runs[order.run] = nil
        run.process.signalGroup(ProcessSignal.kill)
        let deadline = SystemClock.milliseconds(.awake) + Self.killMilliseconds
        _ = BlockingIO.wait(for: .reading, of: run.process.pidfd.raw, until: deadline)
        _ = run.process.reap()
        close(run)
        report(.startFailed(order.run, reason: reason, remedy: remedy))
    }

    private func take(_ line: [UInt8], from stream: CommandRun.Stream, _ order: LaunchOrder) {
        switch stream {
        case .output, .error:
            let now = WallTime(milliseconds: SystemClock.milliseconds(.wall))
            output.keep(line, stream: stream.rawValue, run: order.run, app: order.app, at: now)
        case .progress:
            if let progress = ProgressLine.read(line) { report(.progressed(order.run, progress)) }
        }
    }

    /// The leader has ended. What it wrote before counts; what it left behind in its group ends with it, and the run
    /// ends after that: until then the task's next run would find its files still held.
    private func exited(_ identifier: RunIdentifier) {
        guard let (run, order) = runs[identifier] else { return }
        for source in run.sources { source.drain() }
        run.process.signalGroup(ProcessSignal.kill)
        guard let status = run.process.reap() else { return }
        close(run)
        run.groupWatch = EndWatch.ofGroup(of: run.process, on: loop) { [weak self] in
            self?.ended(identifier, of: order.app, ProcessExit(status))
        }
    }

    private func ended(_ identifier: RunIdentifier, of app: AppIdentifier, _ exit: ProcessExit) {
        runs[identifier] = nil
        output.finish(identifier, app: app)
        report(.processExited(identifier, exit))
    }

    private func close(_ run: CommandRun) {
        if let watch = run.exitWatch { loop.unwatch(watch) }
        run.exitWatch = nil
        for source in run.sources { source.finish() }
        run.sources = []
    }
}
