import Dispatch
import Platform
import Plugins
import Runner
import Scheduling

/// A runner in this program, opened at the first use of the scheduler.
final class EmbeddedBackend: SchedulerBackend {
    private enum State {
        /// Can transition to `open`, `failed`.
        case unopened
        case open(PhasedRunner)
        /// For good: what was not registered cannot be made up for.
        case failed(Refusal)
    }

    private let manifest: @Sendable () throws(Refusal) -> Manifest
    private let options: TaskRunnerOptions
    private let launch: LaunchPhase
    private let state = Locked(State.unopened)

    /// - Parameter launch: says when registration is closed.
    init(
        manifest: @escaping @Sendable () throws(Refusal) -> Manifest, options: TaskRunnerOptions = TaskRunnerOptions(),
        launch: LaunchPhase = .ofProcess
    ) {
        self.manifest = manifest
        self.options = options
        self.launch = launch
    }

    func register(_ registration: PendingRegistration, queue: DispatchQueue?) throws(Refusal) {
        try runner().register(registration, queue: queue)
    }

    func finishLaunching() {
        try? runner().finishLaunching()
    }

    func submit(_ request: TaskRequest) throws(Refusal) -> Submission {
        try runner().submit(request)
    }

    func cancel(_ identifier: String) throws(Refusal) {
        try runner().cancel(TaskIdentifier(identifier))
    }

    func cancelAll() throws(Refusal) {
        try runner().cancelAll()
    }

    func pendingRequests() throws(Refusal) -> [TaskRequest] {
        try runner().pendingRequests()
    }

    func misused(_ misuse: Misuse) {
        misuse.endProcess()
    }

    /// The runner, which the first call opens.
    func runner() throws(Refusal) -> PhasedRunner {
        let (result, isNew) = state.withLock { state in
            switch state {
            case .open(let runner): return (Result<PhasedRunner, Refusal>.success(runner), false)
            case .failed(let refusal): return (.failure(refusal), false)
            case .unopened:
                let result = open()
                switch result {
                case .success(let runner): state = .open(runner)
                case .failure(let refusal): state = .failed(refusal)
                }
                return (result, true)
            }
        }
        if isNew {
            switch result {
            case .success: launch.whenFinished { self.finishLaunching() }
            case .failure(let refusal): ProcessEnvironment.complain("BackgroundTasks: \(refusal.message)")
            }
        }
        return try result.get()
    }

    // MARK: - Private

    private func open() -> Result<PhasedRunner, Refusal> {
        do {
            return .success(try PhasedRunner(manifest: try manifest(), options: options))
        } catch let refusal as Refusal {
            return .failure(refusal)
        } catch {
            return .failure(Refusal(.unavailable, "The scheduler of this program could not be opened. \(error)"))
        }
    }
}
