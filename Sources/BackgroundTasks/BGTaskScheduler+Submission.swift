import Foundation
import Platform
import Plugins
import Scheduling

extension BGTaskScheduler {
    /// Submits a request; when it returns, the request is on disk (B15). Throws `BGTaskScheduler.Error`.
    ///
    /// It replaces the pending request of its identifier (B11). An identifier that is permitted and has no handler ends
    /// the program.
    @_disfavoredOverload
    public func submit(_ taskRequest: BGTaskRequest) throws {
        try submit(taskRequest, .unnamed, "submit(_:)")
    }

    /// The same, which knows where it is called; code that calls it as Apple declares it finds this one.
    public func submit(_ taskRequest: BGTaskRequest, fileID: StaticString = #fileID, line: UInt = #line) throws {
        try submit(taskRequest, .line(fileID: fileID, line), "submit(_:)")
    }

    /// Submits a request, and says on a private queue how that went.
    public func submitTaskRequest(
        _ taskRequest: BGTaskRequest, completionHandler: @escaping @Sendable ((any Swift.Error)?) -> Void
    ) {
        let request = taskRequest.duplicate()
        answers.async {
            do {
                try self.submit(request, .unnamed, "submitTaskRequest(_:completionHandler:)")
                completionHandler(nil)
            } catch {
                completionHandler(error)
            }
        }
    }

    /// Submits a request; when it returns, the request is on disk (B15). Throws `BGTaskScheduler.Error`.
    public func submitTaskRequest(_ taskRequest: BGTaskRequest) async throws {
        // Through a lock, as `pendingTaskRequests` does.
        let refusal = Locked<(any Swift.Error)?>(nil)
        await withCheckedContinuation { continuation in
            submitTaskRequest(taskRequest) { error in
                refusal.withLock { $0 = error }
                continuation.resume()
            }
        }
        if let refusal = refusal.withLock({ $0 }) { throw refusal }
    }

    // MARK: - Private

    private func submit(_ taskRequest: BGTaskRequest, _ place: CallPlace, _ call: String) throws {
        do throws(Refusal) {
            _ = try backend.submit(taskRequest.taskRequest())
        } catch {
            if error.kind == .notRegistered {
                backend.misused(
                    Misuse(
                        "No launch handler registered for task with identifier \(taskRequest.identifier)", at: place,
                        explanation: """
                            \(call) at \(place.text): \(error.message) Call \
                            BGTaskScheduler.shared.register(forTaskWithIdentifier: "\(taskRequest.identifier)", …) \
                            before submitting; only continued processing of a wildcard may be registered after the launch.
                            """))
            }
            throw Error(error)
        }
    }
}
