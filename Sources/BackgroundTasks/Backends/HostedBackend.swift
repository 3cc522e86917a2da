import Dispatch
import Platform
import Plugins
import Scheduling

/// `runnerd`, which has started this program and ends it: the end of its channel is the order to exit.
final class HostedBackend: SchedulerBackend {
    private enum State {
        /// Can transition to `open`, `failed`.
        case unopened
        case open(PluginSession)
        /// The process is about to exit.
        case failed(Refusal)
    }

    private let descriptor: Int32
    private let launch: LaunchPhase
    private let state = Locked(State.unopened)

    init(descriptor: Int32, launch: LaunchPhase = .ofProcess) {
        self.descriptor = descriptor
        self.launch = launch
    }

    func register(_ registration: PendingRegistration, queue: DispatchQueue?) throws(Refusal) {
        try session().register(registration, queue: queue)
    }

    func finishLaunching() {
        do throws(Refusal) {
            try session().finishLaunching()
        } catch {
            // The session's own thread says more when the runner has gone.
            ProcessEnvironment.complain("BackgroundTasks: The launch could not be finished. \(error.message)")
        }
    }

    func submit(_ request: TaskRequest) throws(Refusal) -> Submission {
        try session().submit(request)
    }

    func cancel(_ identifier: String) throws(Refusal) {
        try session().cancel(TaskIdentifier(identifier))
    }

    func cancelAll() throws(Refusal) {
        try session().cancelAll()
    }

    func pendingRequests() throws(Refusal) -> [TaskRequest] {
        try session().pendingRequests()
    }

    func misused(_ misuse: Misuse) {
        misuse.endProcess()
    }

    // MARK: - Private

    private func session() throws(Refusal) -> PluginSession {
        let (result, isNew) = state.withLock { state in
            switch state {
            case .open(let session): return (Result<PluginSession, Refusal>.success(session), false)
            case .failed(let refusal): return (.failure(refusal), false)
            case .unopened:
                let result = open()
                switch result {
                case .success(let session): state = .open(session)
                case .failure(let refusal): state = .failed(refusal)
                }
                return (result, true)
            }
        }
        if isNew, case .success = result { launch.whenFinished { self.finishLaunching() } }
        return try result.get()
    }

    private func open() -> Result<PluginSession, Refusal> {
        do {
            let session = try PluginSession.ofProcess(on: descriptor)
            try session.open { ending in ProcessEnvironment.exit(ending.rawValue) }
            return .success(session)
        } catch let refusal as Refusal {
            return .failure(refusal)
        } catch {
            ProcessEnvironment.complain("This program cannot speak with its runner: \(error).")
            ProcessEnvironment.exit(PluginSession.Ending.badPeer.rawValue)
        }
    }
}
