package import Dispatch
import Platform
package import Plugins
package import Scheduling

/// A runner in this program whose store and socket are open before its handlers are registered.
///
/// Its calls block the thread that makes them until what they did is durable (B15), the main one included; the engine
/// has a thread of its own and never waits for them.
package final class PhasedRunner: Sendable {
    private let runner: EmbeddedRunner
    private let app: AppIdentifier

    /// Opens the store and the socket. Throws `TaskRunnerError`.
    package init(manifest: Manifest, options: TaskRunnerOptions = TaskRunnerOptions()) throws {
        app = manifest.identifier
        runner = try EmbeddedRunner(
            app: manifest.identifier, scheduler: TaskRunner.scheduler(for: manifest, options: options),
            options: options, finishesLaunching: false
        ) { channel, awakeNow in
            EmbeddedHost(HandlerRuns(channel: channel, awakeNow: awakeNow), inbox: channel.inbox)
        }
    }

    /// Checks a handler and keeps it (B4–B7), before `finishLaunching` or on demand.
    package func register(_ registration: PendingRegistration, queue: DispatchQueue?) throws(Refusal) {
        try runner.calls.registerBlocking(registration, of: app, queue: queue)
    }

    /// Closes registration, and lets what is due be launched (B5, B8). Does not wait.
    package func finishLaunching() {
        runner.finishLaunching()
    }

    /// Submits a request; before `finishLaunching` it is judged by the handlers that are registered by then.
    package func submit(_ request: TaskRequest) throws(Refusal) -> Submission {
        try runner.calls.submitBlocking(request, SubmissionOptions(by: app))
    }

    /// Cancels the pending request of an identifier, and says whether there was one (B17).
    @discardableResult
    package func cancel(_ identifier: TaskIdentifier) throws(Refusal) -> Bool {
        try runner.calls.cancelBlocking(identifier, by: app)
    }

    /// Cancels all pending requests (B17).
    @discardableResult
    package func cancelAll() throws(Refusal) -> Int {
        try runner.calls.cancelAllBlocking(of: app)
    }

    /// What is pending.
    package func pendingRequests() throws(Refusal) -> [TaskRequest] {
        try runner.calls.pendingRequestsBlocking(of: app)
    }

    /// Lets the runs end, expires those that do not, and ends. A second call expires at once.
    package func stop() {
        runner.stop()
    }

    /// The engine, for tests and benchmarks.
    package var engine: Engine { runner.engine }

    /// Returns when everything is closed.
    package func waitForEnd() async {
        await runner.waitForEnd()
    }
}
