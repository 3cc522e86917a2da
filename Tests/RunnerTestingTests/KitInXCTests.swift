import BackgroundTasks
import Foundation
import RunnerTesting
import XCTest

/// The kit in the older of the two test libraries.
final class KitInXCTests: XCTestCase {
    func testAnAppIsTestedInVirtualTime() async throws {
        let identifier = "com.example.app.refresh"
        try await withVirtualScheduler(manifest: VirtualSchedulerTests.manifest()) { scheduler in
            BGTaskScheduler.shared.register(forTaskWithIdentifier: identifier, using: nil) { task in
                task.expirationHandler = { task.setTaskCompleted(success: false) }
                task.setTaskCompleted(success: true)
            }
            scheduler.finishLaunching()
            let request = BGAppRefreshTaskRequest(identifier: identifier)
            request.earliestBeginDate = Date(timeIntervalSinceNow: 3_600)
            try BGTaskScheduler.shared.submit(request)
            scheduler.expectSubmitted(identifier, after: .seconds(3_600))
            await scheduler.advance(by: .seconds(3_601))
            let run = try XCTUnwrap(scheduler.lastRun(of: identifier))
            run.expectCompletedOnce()
            XCTAssertEqual(run.outcome, .succeeded)
        }
    }
}
