import BackgroundTasks
import Dispatch
import Plugins
import Scheduling

/// Behind `BGTaskScheduler.shared` where nobody can say whose it is: it does nothing, and tells every test why.
final class AmbiguousBackend: SchedulerBackend {
    func register(_ registration: PendingRegistration, queue: DispatchQueue?) throws(Refusal) { throw refusal() }
    func submit(_ request: TaskRequest) throws(Refusal) -> Submission { throw refusal() }
    func cancel(_ identifier: String) throws(Refusal) { throw refusal() }
    func cancelAll() throws(Refusal) { throw refusal() }
    func pendingRequests() throws(Refusal) -> [TaskRequest] { throw refusal() }
    func finishLaunching() {}
    func misused(_ misuse: Misuse) {}

    // MARK: - Private

    private func refusal() -> Refusal {
        let living = SharedSchedulers.living
        let message =
            "BGTaskScheduler.shared was used by a thread that belongs to no test, while \(living.count) tests have a virtual "
            + "scheduler each; run them one at a time, in one suite with .serialized."
        for scheduler in living { scheduler.wasMisused(message) }
        return Refusal(.unavailable, message)
    }
}
