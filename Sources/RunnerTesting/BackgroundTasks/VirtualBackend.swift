import BackgroundTasks
import Dispatch
import Platform
import Plugins
import Scheduling

/// A virtual scheduler behind a `BGTaskScheduler`.
final class VirtualBackend: SchedulerBackend {
    private struct Reference {
        weak var scheduler: VirtualScheduler?
    }

    /// Code under test may keep its `BGTaskScheduler` longer than the test its scheduler.
    private let reference: Locked<Reference>

    init(_ scheduler: VirtualScheduler) {
        reference = Locked(Reference(scheduler: scheduler))
    }

    func register(_ registration: PendingRegistration, queue: DispatchQueue?) throws(Refusal) {
        try living().add(registration, queue: queue)
    }

    func finishLaunching() {
        reference.withLock { $0.scheduler }?.finishLaunching()
    }

    func submit(_ request: TaskRequest) throws(Refusal) -> Submission {
        try living().submitFromCode(request, ifPending: .replace)
    }

    func cancel(_ identifier: String) throws(Refusal) {
        _ = try living().cancelFromCode(TaskIdentifier(identifier))
    }

    func cancelAll() throws(Refusal) {
        _ = try living().cancelAllFromCode()
    }

    func pendingRequests() throws(Refusal) -> [TaskRequest] {
        try living().pendingFromCode()
    }

    func misused(_ misuse: Misuse) {
        reference.withLock { $0.scheduler }?.wasMisused(
            "\(misuse.wording)\n\(misuse.explanation)", at: TestIssue.Place(misuse.place))
    }

    // MARK: - Private

    private func living() throws(Refusal) -> VirtualScheduler {
        guard let scheduler = reference.withLock({ $0.scheduler }) else {
            throw Refusal(.unavailable, "The virtual scheduler of this code is gone.")
        }
        return scheduler
    }
}
