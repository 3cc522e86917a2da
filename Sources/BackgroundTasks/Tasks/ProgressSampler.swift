import Foundation
import Platform
import Plugins

/// Tells the runner of the progress of a run while it changes.
///
/// On Linux nobody can observe a `Progress`, and a child moves the fraction of its parent without a word. So it is looked
/// at again and again during the run: 4 times a second, or whenever the test kit's virtual time goes on.
final class ProgressSampler: Sendable {
    private struct State {
        var reported: Double?
        var isStopped = false
        var sampling: (any Sampling)?
    }

    let progress = Progress(totalUnitCount: 0)
    private let context: TaskContext
    private let state = Locked(State())

    init(of context: TaskContext) {
        self.context = context
        let sampling = context.run.channel.sample { [weak self] in self?.look() }
        state.withLock { $0.sampling = sampling }
    }

    deinit {
        state.withLock { $0.sampling }?.stop()
    }

    /// Says what it says last, and never again.
    func stop() {
        look()
        let sampling = state.withLock { state in
            state.isStopped = true
            defer { state.sampling = nil }
            return state.sampling
        }
        sampling?.stop()
    }

    /// Tells new words, with the present fraction.
    func report(title: String, subtitle: String) {
        let fraction = progress.fractionCompleted
        state.withLock { $0.reported = fraction }
        context.reportProgress(fraction, title: title, subtitle: subtitle)
    }

    private func look() {
        let fraction = progress.fractionCompleted
        // Under the lock: who stops it waits until what is on its way has been told.
        state.withLock { state in
            guard !state.isStopped, state.reported != fraction, state.reported != nil || fraction > 0 else { return }
            state.reported = fraction
            context.reportProgress(fraction)
        }
    }
}
