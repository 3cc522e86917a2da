import Hosting
import Platform
import Plugins
import RPC
import Recording
import Runner
import Scheduling
import Storage
package import SystemPlatform

/// The daemon: one engine on the main thread's loop, the bundles of the plugin folders, and the control socket.
///
/// Unchecked because it is used on the loop's thread only, the one that makes it.
package final class Daemon: @unchecked Sendable {
    private var configuration: DaemonConfiguration
    /// Reads the arguments and the file again; says in words what is wrong with them.
    private let configure: () -> Reading
    private let log: SystemLog
    private let loop: EventLoop
    private let state: OpenedState
    private let engine: Engine
    private let clock: LoopClock
    /// When the scheduler was made of the store's contents, and under which boot; a recording begins there.
    private let opened: (at: Moment, boot: BootIdentifier)
    private let hosting: BundleHosting
    private let leftovers: LeftoverWatch
    private let listening: ListeningSocket
    private let control: ControlService

    /// What reading the configuration came to.
    package enum Reading {
        case configuration(DaemonConfiguration)
        case failure(String)
    }

    /// Opens everything; nothing is accepted and nothing starts before `run`. On the thread that will run the loop.
    package init(
        _ configuration: DaemonConfiguration, log: SystemLog, configure: @escaping () -> Reading
    ) throws(DaemonFailure) {
        self.configuration = configuration
        self.configure = configure
        self.log = log
        do {
            loop = try EventLoop()
            clock = try LoopClock(on: loop)
            state = try OpenedState(folder: configuration.stateFolder, now: clock.now().wall)
            let start = StartFacts.ofThisMachine(version: RunnerVersion.text)
            opened = (clock.now(), start.bootIdentifier)
            var options = EngineOptions(policy: configuration.policy, start: start, version: RunnerVersion.text)
            options.retention = configuration.retention
            options.simulation = configuration.simulation
            let scheduler = Scheduler(
                policy: configuration.policy, contents: state.contents, boot: opened.boot, at: opened.at)
            engine = try Engine(
                loop: loop, clock: clock, store: state.store, scheduler: scheduler, storeReport: state.report,
                options: options)
            listening = try ControlSocket.open(configuration)
            let report = { [engine] (event: Event) in engine.assumeIsolated { $0.feed(event) } }
            let environment = CommandEnvironment(
                variable: ProcessEnvironment.variable, socket: listening.path,
                store: state.report.identifier)
            let output = OutputStore(folder: configuration.stateFolder + "/logs")
            let host = BundleHost(
                commands: CommandHost(
                    on: loop, output: output, environment: environment, boot: start.bootIdentifier, report: report),
                plugins: PluginHost(
                    on: loop, output: output, environment: environment, boot: start.bootIdentifier,
                    pluginHost: PluginHostLookup.find(), engine: engine))
            leftovers = LeftoverWatch(on: loop, environment: environment, boot: start.bootIdentifier, report: report)
            hosting = BundleHosting(
                loader: configuration.bundleLoader, optionalFolders: configuration.optionalFolders, host: host,
                output: output)
            let access = try ControlSocket.rules(configuration)
            control = ControlService(
                listening, access: access, limits: configuration.connectionLimits,
                engine: engine, loop: loop)
            engine.assumeIsolated { engine in
                engine.setFallbackHost(host)
                engine.setProcessHost(host.plugins)
            }
            output.onKept = { [engine] position, app in
                engine.assumeIsolated { $0.lineKept(at: position, of: app) }
            }
        } catch let failure as DaemonFailure {
            throw failure
        } catch {
            throw DaemonFailure("\(error)")
        }
    }

    /// Starts, tells the service manager, and returns when the daemon has drained.
    package func run() throws(DaemonFailure) {
        do {
            try watchSignals()
            try start()
        } catch {
            // Its file must not stay behind, as if somebody listened there.
            control.close()
            throw DaemonFailure("\(error)")
        }
        loop.run()
        state.store.stop()
        state.lock?.release()
    }

    // MARK: - Private

    private func start() throws {
        let (clock, control, hosting, leftovers) = (clock, control, hosting, leftovers)
        clock.onWakeup { [engine] in engine.assumeIsolated { $0.timePassed() } }
        let notices = NoticeLog(log: log)
        let recorder = try configuration.recordFile.map(recorder(to:))
        let left = state.contents.leftovers
        try engine.assumeIsolated { engine in
            engine.observe { notice, _ in notices.write(notice) }
            engine.onDrained { [weak self] in self?.drained() }
            engine.setDirectory(hosting)
            engine.start(recorder: recorder)
            observe(sources, engine)
            engine.reload()
            engine.onReload { [weak self] in self?.reconfigure() }
            for finding in hosting.findings {
                log.log(finding.severity == .error ? .error : .warning, "\(finding.message) \(finding.fix)")
            }
            leftovers.look(for: left)
            leftovers.look(forProcessesOf: state.contents.apps)
            engine.feed(.loadingFinished)
            engine.setControl(control)
            try control.start()
            engine.afterCommit { _ in ServiceManager.ready(status: "running") }
        }
        if let recovered = state.report.recovered {
            log.log(.error, "the store was damaged (\(recovered.reason)) and set aside as \(recovered.setAside)")
        }
        log.log(.notice, "runnerd \(RunnerVersion.text) listens at \(listening.path)")
        try loop.enableWatchdog()
    }

    private var sources: [(name: String, source: any DeviceSource)] {
        [
            ("the clock", ClockSource(on: loop)), ("power", PowerSource(on: loop)),
            ("the network", NetworkSource(on: loop)),
        ]
    }

    /// Starts the device sources; one that cannot be had is a finding, since its conditions are then only assumed.
    private func observe(_ sources: [(name: String, source: any DeviceSource)], _ engine: isolated Engine) {
        for (name, source) in sources {
            do {
                try engine.addSource(source)
            } catch {
                let message = "Nothing tells the daemon about \(name): \(error)."
                log.log(.error, message)
                hosting.deviceFindings.append(
                    Finding(
                        .error, "sourceMissing", message: message,
                        fix: "Let the daemon open netlink sockets, and start it again; until then \(name) is assumed."))
            }
        }
    }

    private func recorder(to path: String) throws -> Recorder {
        // What an earlier start recorded, or whatever else has this name, is kept.
        PlainFile.setAside(path, as: path + ".previous")
        let file = try PlainFile.Appender(path)
        return Recorder(
            policy: configuration.policy, contents: state.contents, boot: opened.boot, at: opened.at,
            writer: RunnerVersion.text
        ) { file.append($0) }
    }

    private func watchSignals() throws(SystemError) {
        for signal in [ProcessSignal.terminate, ProcessSignal.interrupt] {
            try loop.onSignal(signal) { [engine, log] in
                log.log(.notice, "asked to end: runs may go on for a while")
                ServiceManager.stopping(status: "draining")
                engine.assumeIsolated { $0.drain(grace: nil) }
            }
        }
        try loop.onSignal(ProcessSignal.hangUp) { [engine, log] in
            log.log(.notice, "reads the bundles again")
            ServiceManager.reloading()
            engine.assumeIsolated { engine in
                engine.reload()
                engine.afterCommit { _ in ServiceManager.ready(status: "running") }
            }
        }
    }

    /// Takes over what may change while it runs; what is wrong, or has to wait for the next start, is a finding.
    private func reconfigure() {
        let new: DaemonConfiguration
        switch configure() {
        case .failure(let message):
            log.log(.error, message)
            hosting.configurationFindings = [
                Finding(
                    .error, "configuration", message: "The configuration was not read again: \(message)",
                    fix: "Correct it and reload; the old one holds until then.")
            ]
            return
        case .configuration(let read): new = read
        }
        hosting.configurationFindings = configuration.fixedWhileRunning(new)
        hosting.setLoader(new.bundleLoader, optionalFolders: new.optionalFolders)
        log.setThreshold(new.logLevel)
        if let rules = try? ControlSocket.rules(new) { control.setAccess(rules) }
        engine.assumeIsolated {
            $0.reconfigure(new.policy, retention: new.retention, simulation: new.simulation)
        }
        configuration = new
    }

    private func drained() {
        log.log(.notice, "drained")
        engine.assumeIsolated { engine in engine.setControl(nil) }
        control.flushAndClose()
        loop.stop()
    }
}

/// Why the daemon could not start: one plain sentence that says what to do.
package struct DaemonFailure: Error, CustomStringConvertible {
    package let description: String

    init(_ description: String) {
        self.description = description
    }
}
