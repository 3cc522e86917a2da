// The background code of an app as it is written for iOS. Nothing in it knows that it is tested, or that it runs on Linux.
import BackgroundTasks
import Foundation

/// What the tasks work on; a test gives them a quick one.
public protocol FeedLibrary: Sendable {
    /// Gets what is new.
    func refresh() async throws
    /// Throws away what is old.
    func clean(progress: @Sendable (Double) -> Void) async throws
}

/// The background tasks of the app.
public final class FeedTasks: Sendable {
    /// The app refresh.
    public static let refresh = "com.example.feed.refresh"
    /// The processing task.
    public static let clean = "com.example.feed.clean"

    private let library: any FeedLibrary

    /// Makes the tasks of an app with a library.
    public init(library: any FeedLibrary) {
        self.library = library
    }

    /// Called from `didFinishLaunching`.
    public func register() {
        BGTaskScheduler.shared.register(forTaskWithIdentifier: Self.refresh, using: nil) { task in
            self.handleRefresh(task as! BGAppRefreshTask)
        }
        BGTaskScheduler.shared.register(forTaskWithIdentifier: Self.clean, using: nil) { task in
            self.handleClean(task as! BGProcessingTask)
        }
    }

    /// Asks for the next refresh, in a quarter of an hour at the earliest.
    public func scheduleRefresh() throws {
        let request = BGAppRefreshTaskRequest(identifier: Self.refresh)
        request.earliestBeginDate = Date(timeIntervalSinceNow: 15 * 60)
        try BGTaskScheduler.shared.submit(request)
    }

    /// Asks for the cleaning, on external power.
    public func scheduleClean() throws {
        let request = BGProcessingTaskRequest(identifier: Self.clean)
        request.requiresExternalPower = true
        try BGTaskScheduler.shared.submit(request)
    }

    private func handleRefresh(_ task: BGAppRefreshTask) {
        // First, so that an expiration or an error never ends the chain.
        try? scheduleRefresh()
        let completion = Completion(task)
        let work = Task {
            do {
                try await library.refresh()
                completion.complete(success: true)
            } catch {
                completion.complete(success: false)
            }
        }
        task.expirationHandler = {
            work.cancel()
            completion.complete(success: false)
        }
    }

    private func handleClean(_ task: BGProcessingTask) {
        let completion = Completion(task)
        let work = Task {
            do {
                try await library.clean { _ in }
                completion.complete(success: true)
            } catch {
                completion.complete(success: false)
            }
        }
        task.expirationHandler = {
            work.cancel()
            completion.complete(success: false)
        }
    }
}

/// Completes a task exactly once: the work and the expiration handler race, and the first one counts.
private final class Completion: @unchecked Sendable {
    // Unchecked because the compiler cannot see that the lock is held whenever the task is touched.
    private let lock = NSLock()
    private var task: BGTask?

    init(_ task: BGTask) {
        self.task = task
    }

    func complete(success: Bool) {
        lock.lock()
        let taken = task
        task = nil
        lock.unlock()
        taken?.setTaskCompleted(success: success)
    }
}
