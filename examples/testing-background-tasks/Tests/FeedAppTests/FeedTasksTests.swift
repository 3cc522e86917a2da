import FeedApp
import RunnerTesting
import Testing

/// Each step of its work takes time; in a test that is virtual time.
private struct SlowLibrary: FeedLibrary {
    var pages = 3

    func refresh() async throws {
        for _ in 0..<pages { try await Task.sleep(for: .seconds(2)) }
    }

    func clean(progress: @Sendable (Double) -> Void) async throws {
        for step in 1...10 {
            try await Task.sleep(for: .seconds(30))
            progress(Double(step) / 10)
        }
    }
}

@Suite("The background tasks of the feed", .serialized)
struct FeedTasksTests {
    /// The same entries as in the app's Info.plist; `Manifest(contentsOf:)` reads that file.
    private func manifest() throws -> Manifest {
        try Manifest(
            identifier: "com.example.feed", permittedIdentifiers: [FeedTasks.refresh, FeedTasks.clean],
            backgroundModes: ["fetch", "processing"])
    }

    @Test("it refreshes all day long, at least a quarter of an hour apart")
    func aDay() async throws {
        try await withVirtualScheduler(manifest: manifest()) { scheduler in
            let tasks = FeedTasks(library: SlowLibrary())
            tasks.register()
            scheduler.finishLaunching()
            try tasks.scheduleRefresh()

            await scheduler.advance(by: .seconds(24 * 60 * 60))

            let runs = scheduler.history
            #expect(runs.count >= 95)
            for run in runs {
                run.expectCompletedOnce()
                run.expectCompleted(within: .seconds(10))
            }
            for (earlier, later) in zip(runs, runs.dropFirst()) {
                // The app adds to the real clock, which goes on a little while it does.
                #expect(later.started - earlier.started > .seconds(15 * 60 - 5))
            }
            scheduler.expectRearmed(FeedTasks.refresh)
            scheduler.expectNeverPostponed(FeedTasks.refresh)
        }
    }

    @Test("a refresh is asked for in a quarter of an hour")
    func floor() async throws {
        try await withVirtualScheduler(manifest: manifest()) { scheduler in
            let tasks = FeedTasks(library: SlowLibrary())
            tasks.register()
            scheduler.finishLaunching()
            try tasks.scheduleRefresh()
            scheduler.expectSubmitted(FeedTasks.refresh, after: .seconds(15 * 60))
        }
    }

    @Test("the cleaning waits for power, and stops when it is unplugged")
    func power() async throws {
        try await withVirtualScheduler(manifest: manifest()) { scheduler in
            let tasks = FeedTasks(library: SlowLibrary())
            tasks.register()
            scheduler.finishLaunching()
            scheduler.set(.externalPower(false))
            try tasks.scheduleClean()
            await scheduler.advance(by: .seconds(3_600))
            #expect(scheduler.history.isEmpty)
            #expect(try scheduler.explain(FeedTasks.clean).contains("externalPower"))

            scheduler.set(.externalPower(true))
            await scheduler.advance(by: .seconds(60))
            scheduler.set(.externalPower(false))
            await scheduler.advance(by: .seconds(60))

            let run = try #require(scheduler.lastRun(of: FeedTasks.clean))
            #expect(run.expirationReason == .conditionLost)
            run.expectCompletedOnce()
        }
    }

    @Test("expired at every possible moment, a refresh keeps every rule")
    func expiry() async throws {
        let report = try await ExpiryExplorer(manifest: manifest()).explore(FeedTasks.refresh) { _ in
            FeedTasks(library: SlowLibrary()).register()
        }
        report.expectNoFindings()
    }
}
