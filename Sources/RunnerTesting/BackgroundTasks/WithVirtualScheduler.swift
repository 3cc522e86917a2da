public import BackgroundTasks
import Platform
public import Plugins

/// Runs a test in which `BGTaskScheduler.shared` is a scheduler in virtual time, with registrations of its own.
///
/// In the body let the app register its handlers, call `finishLaunching()`, then let time pass. What ends an app on iOS is
/// recorded as an issue of the test.
///
/// Handlers, the tasks that they start and the test itself find the scheduler of their test, whatever else runs. A queue
/// that the code started itself knows of no test: it finds the one scheduler that there is, and while tests with several
/// run at once, each of them gets an issue. So run them one at a time: in one suite with `.serialized`.
public func withVirtualScheduler<Result>(
    manifest: Manifest, limits: VirtualLimits = .apple, isolation: isolated (any Actor)? = #isolation,
    _ body: (VirtualScheduler) async throws -> Result
) async rethrows -> Result {
    let scheduler = VirtualScheduler(manifest: manifest, limits: limits)
    let shared = scheduler.backgroundTasks
    SharedSchedulers.add(shared, scheduler)
    defer {
        SharedSchedulers.remove(shared)
        scheduler.tellMisuses()
    }
    return try await BGTaskScheduler.$current.withValue(shared) { try await body(scheduler) }
}

extension VirtualScheduler {
    /// This scheduler as iOS code sees it; inside of `withVirtualScheduler` it is `BGTaskScheduler.shared`.
    public var backgroundTasks: BGTaskScheduler {
        let shared = BGTaskScheduler(backend: VirtualBackend(self))
        // Handlers run on queues, which know nothing of the task that started them.
        executor.setSurroundings { body in BGTaskScheduler.$current.withValue(shared) { body() } }
        return shared
    }

    /// Runs a body in which `BGTaskScheduler.shared` is this scheduler, also for code that no Swift task of it started.
    func asShared<Result>(_ body: () throws -> Result) rethrows -> Result {
        let shared = backgroundTasks
        SharedSchedulers.add(shared, self)
        defer { SharedSchedulers.remove(shared) }
        return try body()
    }

    /// Code called the scheduler in a way that ends an app.
    func wasMisused(_ sentence: String, at place: TestIssue.Place? = nil) {
        let tellsNow = settings.withLock { settings in
            settings.misuses.append(sentence)
            // The explorer reports them itself.
            guard !settings.closesBooks else { return false }
            if TestIssue.isInSwiftTesting { return true }
            settings.untold.append((sentence, place))
            return false
        }
        if tellsNow { TestIssue.record(sentence, at: place) }
    }

    /// Tells the test what its code did on threads that know of no test, such as those of handlers.
    func tellMisuses() {
        let untold = settings.withLock { exchange(&$0.untold, with: []) }
        let isInSwiftTesting = isOfSwiftTesting || TestIssue.isInSwiftTesting
        for (sentence, place) in untold {
            TestIssue.record(sentence, at: place, inSwiftTesting: isInSwiftTesting)
        }
    }
}
