import Platform
import Plugins
import Scheduling

/// A channel that notes what a handler says.
final class NotingChannel: RunChannel {
    enum Said: Hashable, Sendable {
        case completed(RunResult)
        case returned
        case progressed(RunProgress)
    }

    func entered(_ run: RunIdentifier) {}

    private let noted = Locked<[Said]>([])

    var said: [Said] { noted.withLock { $0 } }

    func complete(_ run: RunIdentifier, _ result: RunResult, message: String?) async -> Bool {
        completeLater(run, result, message: message)
        return true
    }

    func completeLater(_ run: RunIdentifier, _ result: RunResult, message: String?) {
        noted.withLock { $0.append(.completed(result)) }
    }

    func returned(_ run: RunIdentifier) {
        noted.withLock { $0.append(.returned) }
    }

    func progress(_ run: RunIdentifier, _ progress: RunProgress) {
        noted.withLock { $0.append(.progressed(progress)) }
    }

    func submit(_ request: TaskRequest, ifPending: PendingChoice) async throws(Refusal) -> Submission {
        throw Refusal(.unavailable, "Nothing is submitted here.")
    }

    func cancel(_ identifier: TaskIdentifier) async throws(Refusal) -> Bool { false }
    func cancelAll() async throws(Refusal) -> Int { 0 }
    func pendingRequests() async throws(Refusal) -> [TaskRequest] { [] }
    func registerContinued(_ registration: PendingRegistration) async throws(Refusal) {}
    func log(_ message: String, level: TaskLogLevel, run: RunIdentifier?) {}
}

extension LaunchOrder {
    static func sample(budget: Duration?) throws -> LaunchOrder {
        let request = PendingRequest(
            identifier: try TaskIdentifier("com.example.app.refresh"), app: try AppIdentifier("com.example.app"),
            kind: .appRefresh, submittedAt: WallTime(milliseconds: 0), submittedBoot: BootTime(milliseconds: 0),
            bootIdentifier: BootIdentifier("boot"), submission: 1)
        let record = RunRecord(
            run: RunIdentifier(1), request: request, origin: .scheduled, attempt: 1, state: .starting,
            startedAt: WallTime(milliseconds: 0), startedBoot: BootTime(milliseconds: 0))
        return LaunchOrder(record: record, budget: budget, recovered: nil)
    }
}
