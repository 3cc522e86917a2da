import Platform
import Plugins
import Scheduling

/// How the code under test reaches the virtual scheduler, from whatever thread it is on.
final class VirtualChannel: RunChannel {
    private struct Reference {
        weak var scheduler: VirtualScheduler?
    }

    /// The scheduler owns this channel, and code may live longer than both.
    private let reference: Locked<Reference>

    private var scheduler: VirtualScheduler? { reference.withLock { $0.scheduler } }

    init(_ scheduler: VirtualScheduler) {
        reference = Locked(Reference(scheduler: scheduler))
    }

    // MARK: - Runs

    func entered(_ run: RunIdentifier) {
        scheduler?.feed(.handlerEntered(run, nil))
    }

    func complete(_ run: RunIdentifier, _ result: RunResult, message: String?) async -> Bool {
        scheduler?.executor.noteCall()
        let reply = scheduler?.ask { .runCompleted(run, result, message: message, call: $0) }
        if case .accepted(let accepted) = reply { return accepted }
        return false
    }

    func completeLater(_ run: RunIdentifier, _ result: RunResult, message: String?) {
        // Who drops a task does not call anything.
        if result != .abandoned { scheduler?.executor.noteCall() }
        scheduler?.feed(.runCompleted(run, result, message: message, call: nil))
    }

    func returned(_ run: RunIdentifier) {
        scheduler?.feed(.handlerReturned(run))
    }

    func progress(_ run: RunIdentifier, _ progress: RunProgress) {
        scheduler?.codeCalled("reported progress", of: run)
        scheduler?.feed(.progressed(run, progress))
    }

    func sample(_ look: @escaping @Sendable () -> Void) -> any Sampling {
        VirtualSampling(scheduler, look)
    }

    // MARK: - The app

    func submit(_ request: TaskRequest, ifPending: PendingChoice) async throws(Refusal) -> Submission {
        try living().submitFromCode(request, ifPending: ifPending)
    }

    func cancel(_ identifier: TaskIdentifier) async throws(Refusal) -> Bool {
        try living().cancelFromCode(identifier)
    }

    func cancelAll() async throws(Refusal) -> Int {
        try living().cancelAllFromCode()
    }

    func pendingRequests() async throws(Refusal) -> [TaskRequest] {
        try living().pendingFromCode()
    }

    func registerContinued(_ registration: PendingRegistration) async throws(Refusal) {
        try living().add(registration, queue: nil)
    }

    func log(_ message: String, level: TaskLogLevel, run: RunIdentifier?) {
        scheduler?.note(message)
    }

    // MARK: - Private

    private func living() throws(Refusal) -> VirtualScheduler {
        guard let scheduler else { throw Refusal(.unavailable, "The virtual scheduler of this code is gone.") }
        return scheduler
    }
}
