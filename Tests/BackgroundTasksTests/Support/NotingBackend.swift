import Dispatch
import Platform
import Plugins
import Scheduling

@testable import BackgroundTasks

/// A backend whose programmer's errors are noted, and do not end the process.
final class NotingBackend: SchedulerBackend {
    private let real: any SchedulerBackend
    private let noted = Locked<[Misuse]>([])

    init(_ real: any SchedulerBackend) {
        self.real = real
    }

    var misuses: [Misuse] { noted.withLock { $0 } }

    func register(_ registration: PendingRegistration, queue: DispatchQueue?) throws(Refusal) {
        try real.register(registration, queue: queue)
    }

    func finishLaunching() { real.finishLaunching() }
    func submit(_ request: TaskRequest) throws(Refusal) -> Submission { try real.submit(request) }
    func cancel(_ identifier: String) throws(Refusal) { try real.cancel(identifier) }
    func cancelAll() throws(Refusal) { try real.cancelAll() }
    func pendingRequests() throws(Refusal) -> [TaskRequest] { try real.pendingRequests() }

    func misused(_ misuse: Misuse) {
        noted.withLock { $0.append(misuse) }
    }
}
