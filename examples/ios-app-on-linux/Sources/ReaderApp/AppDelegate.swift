// The background half of a reader of feeds, with Apple's names only. What draws is left to the platform that has a screen.
import BackgroundTasks
import Foundation
import UIKit
import os

@main
final class AppDelegate: UIResponder, UIApplicationDelegate {
    let reader = Reader(feeds: LocalFeeds())

    func application(
        _ application: UIApplication,
        didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
    ) -> Bool {
        reader.registerTasks()
        return true
    }

    func applicationDidEnterBackground(_ application: UIApplication) {
        reader.scheduleTasks()
    }

    #if os(iOS)
        func application(
            _ application: UIApplication, configurationForConnecting session: UISceneSession,
            options: UIScene.ConnectionOptions
        ) -> UISceneConfiguration {
            UISceneConfiguration(name: "Reader", sessionRole: session.role)
        }
    #endif
}

/// Where articles come from and where they are kept.
protocol Feeds: Sendable {
    func fetch() async throws -> Int
    func compact() async throws
}

/// The background tasks of the reader.
final class Reader: Sendable {
    static let refresh = "com.example.reader.refresh"
    static let compact = "com.example.reader.compact"
    static let interval: TimeInterval = 15 * 60

    private let feeds: any Feeds
    private let anchor: Anchor
    private let logger = Logger(subsystem: "com.example.reader", category: "tasks")

    init(feeds: any Feeds, anchor: Anchor = Anchor()) {
        self.feeds = feeds
        self.anchor = anchor
    }

    func registerTasks() {
        BGTaskScheduler.shared.register(forTaskWithIdentifier: Self.refresh, using: nil) { task in
            self.handleRefresh(task as! BGAppRefreshTask)
        }
        BGTaskScheduler.shared.register(forTaskWithIdentifier: Self.compact, using: nil) { task in
            self.handleCompact(task as! BGProcessingTask)
        }
    }

    /// May be called after every event: it never moves a request later that is pending already.
    func scheduleTasks() {
        Task {
            let pending = await BGTaskScheduler.shared.pendingTaskRequests()
            let floor = anchor.nextFloor(Self.interval)
            let old = pending.first { $0.identifier == Self.refresh }
            if old.map({ ($0.earliestBeginDate ?? .distantPast) > floor + 5 }) ?? true { submitRefresh(floor) }
            if !pending.contains(where: { $0.identifier == Self.compact }) { submitCompact() }
        }
    }

    private func handleRefresh(_ task: BGAppRefreshTask) {
        anchor.note()
        // First, so that neither an error nor an expiration ends the chain.
        submitRefresh(anchor.nextFloor(Self.interval))
        run(task) { [feeds, logger] in
            let count = try await feeds.fetch()
            logger.info("\(count) new articles")
        }
    }

    private func handleCompact(_ task: BGProcessingTask) {
        submitCompact()
        run(task) { [feeds] in try await feeds.compact() }
    }

    /// Lets the work complete the task, or the expiration, whichever comes first; never both.
    private func run(_ task: BGTask, _ work: @escaping @Sendable () async throws -> Void) {
        let once = Once()
        let running = Task {
            do {
                try await work()
                once.perform { task.setTaskCompleted(success: true) }
            } catch {
                once.perform { task.setTaskCompleted(success: false) }
            }
        }
        task.expirationHandler = {
            running.cancel()
            once.perform { task.setTaskCompleted(success: false) }
        }
    }

    private func submitRefresh(_ floor: Date) {
        let request = BGAppRefreshTaskRequest(identifier: Self.refresh)
        request.earliestBeginDate = floor
        submit(request)
    }

    private func submitCompact() {
        let request = BGProcessingTaskRequest(identifier: Self.compact)
        request.requiresExternalPower = true
        request.earliestBeginDate = Date(timeIntervalSinceNow: 24 * 60 * 60)
        submit(request)
    }

    private func submit(_ request: BGTaskRequest) {
        do {
            try BGTaskScheduler.shared.submit(request)
        } catch {
            logger.error("\(request.identifier) could not be submitted: \(error.localizedDescription)")
        }
    }
}

/// When the reader was refreshed last. The next time counts from there, and not from whenever somebody asks.
final class Anchor: @unchecked Sendable {
    // Unchecked because `UserDefaults` does not say that it is safe to use from any thread, which it is.
    private let defaults: UserDefaults
    private static let key = "lastRefresh"

    init(_ defaults: UserDefaults = .standard) {
        self.defaults = defaults
    }

    func note(_ date: Date = Date()) {
        defaults.set(date.timeIntervalSince1970, forKey: Self.key)
    }

    /// Not sooner than in a minute, and an interval after the last run.
    func nextFloor(_ interval: TimeInterval, now: Date = Date()) -> Date {
        let last = Date(timeIntervalSince1970: defaults.double(forKey: Self.key))
        return max(now + 60, min(last, now) + interval)
    }
}

/// Does something the first time that it is asked to.
private final class Once: @unchecked Sendable {
    // Unchecked because the compiler cannot see that the lock is held whenever the flag is touched.
    private let lock = NSLock()
    private var isDone = false

    func perform(_ body: () -> Void) {
        let isFirst = lock.withLock {
            defer { isDone = true }
            return !isDone
        }
        if isFirst { body() }
    }
}

/// Feeds for trying out: there is always something new.
struct LocalFeeds: Feeds {
    func fetch() async throws -> Int {
        try await Task.sleep(nanoseconds: 200_000_000)
        return 3
    }

    func compact() async throws {
        for _ in 0..<20 { try await Task.sleep(nanoseconds: 100_000_000) }
    }
}
