package import Dispatch
package import Plugins
package import Scheduling

/// Who decides behind a `BGTaskScheduler`: a runner in this program, `runnerd` behind the plugin's channel, or the test
/// kit's scheduler in virtual time.
///
/// Every call answers when what it did is durable (B15), whatever thread it is made on, the main one included.
package protocol SchedulerBackend: AnyObject, Sendable {
    /// Checks a handler and keeps it (B4–B7). The handler runs on the queue, or on a private serial one.
    func register(_ registration: PendingRegistration, queue: DispatchQueue?) throws(Refusal)
    /// Closes registration, and lets what is due be launched (B5, B8). Called once.
    func finishLaunching()
    /// Answers also before `finishLaunching`, against the handlers that are registered by then.
    func submit(_ request: TaskRequest) throws(Refusal) -> Submission
    func cancel(_ identifier: String) throws(Refusal)
    func cancelAll() throws(Refusal)
    func pendingRequests() throws(Refusal) -> [TaskRequest]
    /// What a programmer has to mend. Ends the process, except in the test kit, which records it and returns.
    func misused(_ misuse: Misuse)
}

/// A programmer's error, as Apple words it, and what to change.
package struct Misuse: Sendable {
    /// The public wording of Apple's framework.
    package var wording: String
    /// Which call it was, from where, and what to change.
    package var explanation: String
    /// Where the call stands.
    package var place: CallPlace

    package init(_ wording: String, at place: CallPlace, explanation: String) {
        self.wording = wording
        self.place = place
        self.explanation = explanation
    }
}
