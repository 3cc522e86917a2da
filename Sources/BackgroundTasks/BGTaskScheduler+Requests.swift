import Foundation
import Platform
import Plugins
import Scheduling

extension BGTaskScheduler {
    /// Cancels the pending request of an identifier; it never touches a run (B17).
    public func cancel(taskRequestWithIdentifier identifier: String) {
        attempt("cancel(taskRequestWithIdentifier:)") { () throws(Refusal) in try backend.cancel(identifier) }
    }

    /// Cancels all pending requests; it never touches a run (B17).
    public func cancelAllTaskRequests() {
        attempt("cancelAllTaskRequests()") { () throws(Refusal) in try backend.cancelAll() }
    }

    /// Gives copies of the pending requests, on a private queue.
    public func getPendingTaskRequests(completionHandler: @escaping @Sendable ([BGTaskRequest]) -> Void) {
        answers.async { completionHandler(self.pending()) }
    }

    /// Copies of the pending requests.
    public func pendingTaskRequests() async -> [BGTaskRequest] {
        // Through a lock: the thread sanitizer does not see how a continuation that is resumed at once hands its value over.
        let found = Locked<[BGTaskRequest]>([])
        await withCheckedContinuation { continuation in
            getPendingTaskRequests { requests in
                found.withLock { $0 = requests }
                continuation.resume()
            }
        }
        return found.withLock { $0 }
    }

    // MARK: - Private

    private func pending() -> [BGTaskRequest] {
        var requests: [BGTaskRequest] = []
        attempt("getPendingTaskRequests(completionHandler:)") { () throws(Refusal) in
            requests = try backend.pendingRequests().map(BGTaskRequest.object(for:))
        }
        return requests
    }

    /// Apple's call has no way to say that it failed.
    private func attempt(_ call: String, _ body: () throws(Refusal) -> Void) {
        do throws(Refusal) {
            try body()
        } catch {
            ProcessEnvironment.complain("BackgroundTasks: \(call) had no effect. \(error.message)")
        }
    }
}
