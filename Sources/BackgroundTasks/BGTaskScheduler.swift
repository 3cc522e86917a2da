public import Foundation
package import Platform
import Scheduling

/// Registers the handlers of background tasks and takes their requests, as Apple's class of this name does.
///
/// On Linux the program stands alone, with a runner inside of it, or is hosted by `runnerd`; it finds out by itself.
///
/// Unchecked because subclasses could add what is not safe; what it stores itself never changes.
open class BGTaskScheduler: NSObject, @unchecked Sendable {
    /// The scheduler of this program; inside the test kit's `withVirtualScheduler`, the virtual one.
    open class var shared: BGTaskScheduler {
        current ?? fallback.withLock { $0 } ?? standard
    }

    /// What continued processing may ask for beyond a processor: nothing.
    open class var supportedResources: BGContinuedProcessingTaskRequest.Resources { [] }

    /// The domain of `BGTaskScheduler.Error` as an `NSError`.
    open class var errorDomain: String { "BGTaskSchedulerErrorDomain" }

    /// The test kit's scheduler, for what runs in the test's own Swift tasks.
    @TaskLocal package static var current: BGTaskScheduler?
    /// The test kit's scheduler, for all other threads of its process.
    package static let fallback = Locked<BGTaskScheduler?>(nil)

    private static let standard = BGTaskScheduler(backend: StandardBackend.make())

    let backend: any SchedulerBackend
    /// Where answers that nobody waits for are given.
    let answers = DispatchQueue(label: "BGTaskScheduler.answers")

    package init(backend: any SchedulerBackend) {
        self.backend = backend
        super.init()
    }
}
