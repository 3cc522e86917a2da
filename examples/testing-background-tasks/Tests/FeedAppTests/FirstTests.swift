import FeedApp
import Foundation
import RunnerTesting
import Testing

/// What the tasks work on, without a network.
private struct QuickLibrary: FeedLibrary {
    func refresh() async throws {
        try await Task.sleep(for: .seconds(5))
    }

    func clean(progress: @Sendable (Double) -> Void) async throws {}
}

@Suite("The first tests of the feed", .serialized)
struct FirstTests {
    /// The app's own Info.plist, wherever `swift test` was started.
    private func manifest() throws -> Manifest {
        let package = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../..")
        return try Manifest(contentsOf: package.appending(path: "App/Info.plist").path)
    }

    @Test func refreshes() async throws {
        try await withVirtualScheduler(manifest: manifest()) { scheduler in
            let tasks = FeedTasks(library: QuickLibrary())
            tasks.register()
            scheduler.finishLaunching()
            try tasks.scheduleRefresh()
            scheduler.expectSubmitted(FeedTasks.refresh, after: .seconds(15 * 60))

            let run = try await scheduler.simulateLaunch(FeedTasks.refresh)
            let report = try await run.end()
            report.expectCompletedOnce()
            scheduler.expectRearmed(FeedTasks.refresh)
        }
    }

    @Test func expiry() async throws {
        let report = try await ExpiryExplorer(manifest: manifest()).explore(FeedTasks.refresh) { _ in
            FeedTasks(library: QuickLibrary()).register()
        }
        report.expectNoFindings()
    }
}
