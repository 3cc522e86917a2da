package import Dispatch
package import Scheduling

/// What a program asks of its runner that does not hand its main thread over to the session. Each call blocks its thread
/// until the runner has answered, and must not be made on the reading one.
extension PluginSession {
    /// Checks a handler and keeps it (B4–B7), before `finishLaunching` or on demand.
    package func register(_ registration: PendingRegistration, queue: DispatchQueue?) throws(Refusal) {
        try channel.register(registration, queue: queue)
    }

    /// Closes registration, and lets what is due be launched (B5, B8).
    package func finishLaunching() throws(Refusal) {
        _ = try channel.blocked(PluginQuestion.finishLaunching)
    }

    /// Submits a request; before `finishLaunching` it is judged by the handlers that are registered by then.
    package func submit(_ request: TaskRequest) throws(Refusal) -> Submission {
        Submission(try channel.blocked(PluginQuestion.submit(request, .replace)))
    }

    /// Cancels the pending request of an identifier, and says whether there was one (B17).
    @discardableResult
    package func cancel(_ identifier: TaskIdentifier) throws(Refusal) -> Bool {
        try channel.blocked(PluginQuestion.cancel(identifier)).cancelled
    }

    /// Cancels all pending requests of the app (B17).
    @discardableResult
    package func cancelAll() throws(Refusal) -> Int {
        try channel.blocked(PluginQuestion.cancelAll).cancelled
    }

    /// The requests of the app that are pending.
    package func pendingRequests() throws(Refusal) -> [TaskRequest] {
        try channel.pendingRequestsBlocking()
    }
}
