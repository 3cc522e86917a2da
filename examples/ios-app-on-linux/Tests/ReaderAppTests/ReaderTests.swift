import BackgroundTasks
import Foundation
import RunnerTesting
import Testing

@testable import ReaderApp

@Suite("The reader's background tasks", .serialized)
struct ReaderTests {
    private struct QuickFeeds: Feeds {
        func fetch() async throws -> Int {
            try await Task.sleep(nanoseconds: 3_000_000_000)
            return 1
        }

        func compact() async throws {
            for _ in 0..<10 { try await Task.sleep(nanoseconds: 30_000_000_000) }
        }
    }

    /// The app's own file.
    private func manifest() throws -> Manifest {
        let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        return try Manifest(
            contentsOf: folder.appendingPathComponent("../../Sources/ReaderApp/Info.plist").standardizedFileURL.path)
    }

    /// Defaults of its own for each test.
    private static func anchor() throws -> Anchor {
        Anchor(try #require(UserDefaults(suiteName: "com.example.reader.\(UUID().uuidString)")))
    }

    @Test("it refreshes all day, each time a quarter of an hour after the last")
    func aDay() async throws {
        try await withVirtualScheduler(manifest: manifest()) { scheduler in
            let reader = Reader(feeds: QuickFeeds(), anchor: try Self.anchor())
            reader.registerTasks()
            scheduler.finishLaunching()
            reader.scheduleTasks()
            await scheduler.settle()
            try await pendingCount(scheduler, 2)
            await scheduler.advance(by: .seconds(24 * 3_600 - 1))
            let refreshes = scheduler.history.filter { $0.identifier.text == Reader.refresh }
            #expect(refreshes.count >= 94)
            for run in refreshes { run.expectCompletedOnce() }
            scheduler.expectRearmed(Reader.refresh)
            scheduler.expectNeverPostponed(Reader.refresh)
        }
    }

    @Test("after a relaunch the next refresh counts from the last one, and asking again moves nothing")
    func anchored() async throws {
        try await withVirtualScheduler(manifest: manifest()) { scheduler in
            let anchor = try Self.anchor()
            anchor.note(Date(timeIntervalSinceNow: -600))
            let reader = Reader(feeds: QuickFeeds(), anchor: anchor)
            reader.registerTasks()
            scheduler.finishLaunching()
            for _ in 0..<3 {
                reader.scheduleTasks()
                try await pendingCount(scheduler, 2)
            }
            scheduler.expectSubmitted(Reader.refresh, after: .seconds(300))
            scheduler.expectNeverPostponed(Reader.refresh)
        }
    }

    @Test(
        "both handlers keep every rule, whenever they are expired",
        arguments: [(Reader.refresh, TaskKind.appRefresh), (Reader.compact, .processing)])
    func expiry(identifier: String, kind: TaskKind) async throws {
        let anchor = try Self.anchor()
        let report = try await ExpiryExplorer(manifest: manifest()).explore(identifier, kind: kind) { _ in
            Reader(feeds: QuickFeeds(), anchor: anchor).registerTasks()
        }
        report.expectNoFindings()
        #expect(report.moments > 10)
    }

    @Test("the next floor is an interval after the last run, and a minute from now at least")
    func floors() throws {
        let anchor = try Self.anchor()
        let now = Date(timeIntervalSince1970: 1_000_000)
        #expect(anchor.nextFloor(900, now: now) == now + 60)
        anchor.note(now - 300)
        #expect(anchor.nextFloor(900, now: now) == now + 600)
        anchor.note(now - 5_000)
        #expect(anchor.nextFloor(900, now: now) == now + 60)
        // The clock was set back meanwhile.
        anchor.note(now + 50_000)
        #expect(anchor.nextFloor(900, now: now) == now + 900)
    }

    /// `scheduleTasks` asks in a task of its own.
    private func pendingCount(_ scheduler: VirtualScheduler, _ count: Int) async throws {
        for _ in 0..<1_000 where scheduler.pendingRequests.count < count {
            await Task.yield()
            await scheduler.settle()
        }
        #expect(scheduler.pendingRequests.count == count)
    }
}
