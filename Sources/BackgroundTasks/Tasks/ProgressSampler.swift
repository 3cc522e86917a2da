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
        let sampling = state.withLock { state in
            look(&state)
            state.isStopped = true
            defer { state.sampling = nil }
            return state.sampling
        }
        sampling?.stop()
    }

    /// Tells new words, with the present fraction.
    func report(title: String, subtitle: String) {
        state.withLock { state in
            guard !state.isStopped else { return }
            let fraction = progress.fractionCompleted
            state.reported = fraction
            context.reportProgress(fraction, title: title, subtitle: subtitle)
        }
    }

    private func look() {
        state.withLock { look(&$0) }
    }

    /// Reads and tells under the lock: what was read first is told first, and who stops it waits until all is told.
    private func look(_ state: inout State) {
        let fraction = progress.fractionCompleted
        guard !state.isStopped, state.reported != fraction, state.reported != nil || fraction > 0 else { return }
        state.reported = fraction
        context.reportProgress(fraction)
    }
}
