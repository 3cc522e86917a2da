public import Foundation
import Platform
import Plugins

/// The run of a `BGContinuedProcessingTaskRequest`: it says how far it is, and has no time budget (B29).
///
/// After 30 seconds without a change of its progress it is expired as `stalled`.
open class BGContinuedProcessingTask: BGTask, ProgressReporting, @unchecked Sendable {
    private struct Words: Sendable {
        var title: String
        var subtitle: String
    }

    private let words: Locked<Words>
    private let sampler: ProgressSampler

    override init(_ launched: LaunchedTask) {
        words = Locked(Words(title: launched.context.title ?? "", subtitle: launched.context.subtitle ?? ""))
        sampler = ProgressSampler(of: launched.context)
        super.init(launched)
    }

    deinit {
        sampler.stop()
    }

    /// What people see first.
    open var title: String { words.withLock { $0.title } }

    /// What people see below the title.
    open var subtitle: String { words.withLock { $0.subtitle } }

    /// How far the work is. Give it a `totalUnitCount`, then count, or add children.
    open var progress: Progress { sampler.progress }

    /// Changes what people see.
    open func updateTitle(_ title: String, subtitle: String) {
        words.withLock { $0 = Words(title: title, subtitle: subtitle) }
        sampler.report(title: title, subtitle: subtitle)
    }

    /// Completes the run, with what its progress says last.
    open override func setTaskCompleted(success: Bool) {
        sampler.stop()
        super.setTaskCompleted(success: success)
    }
}
