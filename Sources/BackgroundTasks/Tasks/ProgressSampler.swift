import Dispatch
import Foundation
import Platform
import Plugins

/// Tells the runner of the progress of a run while it changes.
///
/// On Linux nobody can observe a `Progress`, and a child moves the fraction of its parent without a word. So it is looked
/// at, 4 times a second, by a timer that there is only during the run.
final class ProgressSampler: Sendable {
    private static let interval = DispatchTimeInterval.milliseconds(250)

    private struct State {
        var reported: Double?
        var isStopped = false
    }

    let progress = Progress(totalUnitCount: 0)
    private let context: TaskContext
    private let state = Locked(State())
    /// Dispatch's objects are safe to use from any thread; only their protocols do not say so.
    nonisolated(unsafe) private let timer: any DispatchSourceTimer

    init(of context: TaskContext) {
        self.context = context
        timer = DispatchSource.makeTimerSource(queue: DispatchQueue(label: context.identifier.text + ".progress"))
        timer.setEventHandler { [weak self] in self?.look() }
        timer.schedule(deadline: .now() + Self.interval, repeating: Self.interval, leeway: .milliseconds(50))
        timer.resume()
    }

    /// Says what it says last, and never again.
    func stop() {
        look()
        state.withLock { $0.isStopped = true }
        timer.cancel()
    }

    /// Tells new words, with the present fraction.
    func report(title: String, subtitle: String) {
        let fraction = progress.fractionCompleted
        state.withLock { $0.reported = fraction }
        context.reportProgress(fraction, title: title, subtitle: subtitle)
    }

    private func look() {
        let fraction = progress.fractionCompleted
        let isNews = state.withLock { state in
            guard !state.isStopped, state.reported != fraction, state.reported != nil || fraction > 0 else {
                return false
            }
            state.reported = fraction
            return true
        }
        if isNews { context.reportProgress(fraction) }
    }
}
