import Plugins
import Scheduling
import SystemPlatform

/// How handlers of this program talk to the engine, from whatever thread they are on.
final class EmbeddedChannel: RunChannel {
    let inbox: EngineInbox
    let calls: EmbeddedCalls
    let app: AppIdentifier
    private let lines = SystemLog(threshold: .debug)

    init(inbox: EngineInbox, calls: EmbeddedCalls, app: AppIdentifier) {
        self.inbox = inbox
        self.calls = calls
        self.app = app
    }

    // MARK: - Runs

    func entered(_ run: RunIdentifier) {
        inbox.post(.handlerEntered(run, nil))
    }

    func complete(_ run: RunIdentifier, _ result: RunResult, message: String?) async -> Bool {
        await calls.complete(run, result, message: message)
    }

    func completeLater(_ run: RunIdentifier, _ result: RunResult, message: String?) {
        inbox.post(.runCompleted(run, result, message: message, call: nil))
    }

    func returned(_ run: RunIdentifier) {
        inbox.post(.handlerReturned(run))
    }

    func progress(_ run: RunIdentifier, _ progress: RunProgress) {
        inbox.post(.progressed(run, progress))
    }

    // MARK: - The app

    func submit(_ request: TaskRequest, ifPending: PendingChoice) async throws(Refusal) -> Submission {
        try await calls.submit(request, SubmissionOptions(ifPending: ifPending, by: app))
    }

    func cancel(_ identifier: TaskIdentifier) async throws(Refusal) -> Bool {
        try await calls.cancel(identifier, by: app)
    }

    func cancelAll() async throws(Refusal) -> Int {
        try await calls.cancelAll(of: app)
    }

    func pendingRequests() async throws(Refusal) -> [TaskRequest] {
        try await calls.pendingRequests(of: app)
    }

    func registerContinued(_ registration: PendingRegistration) async throws(Refusal) {
        try await calls.register(registration, of: app, queue: nil)
    }

    func log(_ message: String, level: TaskLogLevel, run: RunIdentifier?) {
        let level: LogLevel =
            switch level {
            case .error: .error
            case .warning: .warning
            case .notice: .notice
            case .info: .info
            case .debug: .debug
            }
        var fields = ["RUNNER_APP": app.text]
        if let run { fields["RUNNER_RUN"] = String(run.number) }
        lines.log(level, message, fields: fields)
    }
}
