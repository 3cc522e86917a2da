// An application's delegate, as code for iOS writes it.
import BackgroundTasks
import UIKit
import os

@main
class AppDelegate: UIResponder, UIApplicationDelegate {
    private static let refresh = "com.example.delegate.refresh"
    private static let clean = "com.example.delegate.clean"
    private let logger = Logger(subsystem: "com.example.delegate", category: "delegate")
    private var refreshes = 0

    func application(
        _ application: UIApplication,
        didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
    ) -> Bool {
        guard application.backgroundRefreshStatus == .available else { return false }
        // The delegate belongs to the main actor, so its handlers run on the main queue.
        BGTaskScheduler.shared.register(forTaskWithIdentifier: Self.refresh, using: .main) { task in
            self.handleRefresh(task as! BGAppRefreshTask)
        }
        BGTaskScheduler.shared.register(forTaskWithIdentifier: Self.clean, using: .main) { [weak self] task in
            self?.logger.notice("cleans")
            task.setTaskCompleted(success: true)
        }
        logger.notice("launched")
        return true
    }

    func applicationDidEnterBackground(_ application: UIApplication) {
        scheduleRefresh()
        let request = BGProcessingTaskRequest(identifier: Self.clean)
        request.requiresExternalPower = true
        request.earliestBeginDate = Date(timeIntervalSinceNow: 24 * 60 * 60)
        try? BGTaskScheduler.shared.submit(request)
    }

    private func scheduleRefresh() {
        let request = BGAppRefreshTaskRequest(identifier: Self.refresh)
        request.earliestBeginDate = Date(timeIntervalSinceNow: 15 * 60)
        do {
            try BGTaskScheduler.shared.submit(request)
        } catch {
            logger.error("could not schedule: \(error.localizedDescription)")
        }
    }

    private func handleRefresh(_ task: BGAppRefreshTask) {
        scheduleRefresh()
        let work = Task {
            self.refreshes += 1
            self.logger.info("refresh \(self.refreshes)")
            task.setTaskCompleted(success: true)
        }
        task.expirationHandler = {
            work.cancel()
            task.setTaskCompleted(success: false)
        }
    }
}
