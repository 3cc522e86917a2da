import Dispatch
import Plugins
import Scheduling

/// `runnerd`, which has started this program.
final class HostedBackend: SchedulerBackend {
    static let variable = "RUNNER_PLUGIN_FD"
    init(descriptor: String) {}
    func register(_ registration: PendingRegistration, queue: DispatchQueue?) throws(Refusal) {}
    func finishLaunching() {}
    func submit(_ request: TaskRequest) throws(Refusal) -> Submission { throw Refusal(.unavailable, "") }
    func cancel(_ identifier: String) throws(Refusal) {}
    func cancelAll() throws(Refusal) {}
    func pendingRequests() throws(Refusal) -> [TaskRequest] { [] }
    func misused(_ misuse: Misuse) {}
}
