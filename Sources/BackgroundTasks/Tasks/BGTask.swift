public import Foundation
package import Plugins

/// The run that a launch handler is in: complete it exactly once.
///
/// Dropping it without completing closes the run as `abandoned` (B27).
///
/// Unchecked because subclasses could add what is not safe; what this module stores is constant or behind a lock. Apple's
/// class is not `Sendable`, but may be used from any thread, and handlers hand it over to tasks and queues.
open class BGTask: NSObject, @unchecked Sendable {
    final let launched: LaunchedTask

    init(_ launched: LaunchedTask) {
        self.launched = launched
        super.init()
    }

    /// The identifier that the handler was registered for.
    open var identifier: String { launched.identifier.text }

    /// What is called once when the run is expired; without one the run is closed as `expired` at once (B24, B25).
    open var expirationHandler: (() -> Void)? {
        get { launched.expirationHandler }
        set {
            guard let newValue else {
                launched.expirationHandler = nil
                return
            }
            // Apple's handlers are not `Sendable` either: it is called once, by one thread.
            nonisolated(unsafe) let handler = newValue
            launched.expirationHandler = { handler() }
        }
    }

    /// Completes the run; a second call changes nothing and is recorded as `duplicateCompletion` (B26).
    open func setTaskCompleted(success: Bool) {
        launched.setTaskCompleted(success: success)
    }

    /// The object of a run; its class is the one of the request's kind.
    package static func object(for launched: LaunchedTask) -> BGTask {
        switch launched.context.kind {
        case .appRefresh: BGAppRefreshTask(launched)
        case .processing: BGProcessingTask(launched)
        case .healthResearch: BGHealthResearchTask(launched)
        case .continuedProcessing: BGContinuedProcessingTask(launched)
        }
    }
}
