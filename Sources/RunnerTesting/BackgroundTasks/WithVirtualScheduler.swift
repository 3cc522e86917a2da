public import BackgroundTasks
import Platform
public import Plugins

/// Runs a test in which `BGTaskScheduler.shared` is a scheduler in virtual time, with registrations of its own.
///
/// In the body let the app register its handlers, call `finishLaunching()`, then let time pass. Code that the test did not
/// start as a Swift task finds the scheduler too, so run such tests one at a time (`.serialized`). What ends an app on
/// iOS is recorded as an issue of the test.
public func withVirtualScheduler<Result>(
    manifest: Manifest, limits: VirtualLimits = .apple, isolation: isolated (any Actor)? = #isolation,
    _ body: (VirtualScheduler) async throws -> Result
) async rethrows -> Result {
    let scheduler = VirtualScheduler(manifest: manifest, limits: limits)
    let shared = scheduler.backgroundTasks
    let outer = BGTaskScheduler.fallback.withLock { exchange(&$0, with: shared) }
    defer { BGTaskScheduler.fallback.withLock { $0 = outer } }
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
        let outer = BGTaskScheduler.fallback.withLock { exchange(&$0, with: shared) }
        defer { BGTaskScheduler.fallback.withLock { $0 = outer } }
        return try body()
    }

    /// Code called the scheduler in a way that ends an app.
    func wasMisused(_ sentence: String) {
        settings.withLock { $0.misuses.append(sentence) }
        guard !settings.withLock({ $0.closesBooks }) else { return }
        TestIssue.record(sentence)
    }
}
