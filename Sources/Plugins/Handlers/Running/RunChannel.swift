package import Scheduling

/// How the code of an app reaches whoever runs it: an engine in the same process, or the runner behind a plugin's channel.
package protocol AppChannel: Sendable {
    func submit(_ request: TaskRequest, ifPending: PendingChoice) async throws(Refusal) -> Submission
    func cancel(_ identifier: TaskIdentifier) async throws(Refusal) -> Bool
    func cancelAll() async throws(Refusal) -> Int
    func pendingRequests() async throws(Refusal) -> [TaskRequest]
    /// Registers a handler for continued processing while the app runs (B5).
    func registerContinued(_ registration: PendingRegistration) async throws(Refusal)
    func log(_ message: String, level: TaskLogLevel, run: RunIdentifier?)
}

/// How a handler's run talks to whoever runs it.
package protocol RunChannel: AppChannel {
    /// The handler's code has begun.
    func entered(_ run: RunIdentifier)
    /// Says how the run ended; the first one counts, and only that is `true` (B26).
    func complete(_ run: RunIdentifier, _ result: RunResult, message: String?) async -> Bool
    /// The same, for callers that cannot wait.
    func completeLater(_ run: RunIdentifier, _ result: RunResult, message: String?)
    /// The handler's code is over.
    func returned(_ run: RunIdentifier)
    func progress(_ run: RunIdentifier, _ progress: RunProgress)
    /// Calls the body again and again, as often as somebody would want to know what it looks at, until it is stopped.
    func sample(_ look: @escaping @Sendable () -> Void) -> any Sampling
}

extension RunChannel {
    package func sample(_ look: @escaping @Sendable () -> Void) -> any Sampling {
        SamplingTimer(look)
    }
}
