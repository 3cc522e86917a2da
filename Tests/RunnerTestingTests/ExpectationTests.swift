import BackgroundTasks
import Foundation
import Plugins
import RunnerTesting
import Testing

extension TestKitTests {
    @Suite("Expectations")
    struct ExpectationTests {
        private let refresh = "com.example.app.refresh"

        /// Runs a body that has to fail one expectation, whose message contains the words.
        private func fails(_ words: String, _ body: (VirtualScheduler) async throws -> Void) async throws {
            let scheduler = VirtualScheduler(manifest: try VirtualSchedulerTests.manifest())
            try await withKnownIssue {
                try await body(scheduler)
            } matching: { issue in
                issue.comments.contains { $0.rawValue.contains(words) }
            }
        }

        private func launched(
            _ scheduler: VirtualScheduler, _ handler: @escaping @Sendable (LaunchedTask) -> Void
        ) async throws -> RunReport {
            try scheduler.register(refresh, launchHandler: handler)
            scheduler.finishLaunching()
            return try await scheduler.simulateLaunch(refresh, submit: true).end()
        }

        @Test("a second completion is told")
        func twice() async throws {
            try await fails("setTaskCompleted was called again") { scheduler in
                let run = try await launched(scheduler) { task in
                    task.setTaskCompleted(success: true)
                    task.setTaskCompleted(success: true)
                }
                #expect(!run.expectCompletedOnce())
            }
        }

        @Test("a task that was dropped is told")
        func dropped() async throws {
            try await fails("its task object was dropped") { scheduler in
                let run = try await launched(scheduler) { _ in }
                #expect(!run.expectCompletedOnce())
            }
        }

        @Test("a run that took too long is told, with both times")
        func slow() async throws {
            try await fails("more than 3.0 seconds") { scheduler in
                let run = try await launched(scheduler) { task in
                    Task {
                        try await Task.sleep(for: .seconds(4))
                        task.setTaskCompleted(success: true)
                    }
                }
                #expect(run.expectCompleted(within: .seconds(5)))
                #expect(!run.expectCompleted(within: .seconds(3)))
            }
        }

        @Test("a task that does not re-arm itself is told")
        func notRearmed() async throws {
            try await fails("did not re-arm itself") { scheduler in
                _ = try await launched(scheduler) { $0.setTaskCompleted(success: true) }
                #expect(!scheduler.expectRearmed(refresh))
            }
        }

        @Test("a floor that is another one is told, and one within the tolerance is not")
        func floor() async throws {
            try await fails("not in 60.0 seconds") { scheduler in
                try scheduler.register(refresh) { (_: TaskContext) in }
                scheduler.finishLaunching()
                try scheduler.submit(refresh, after: .seconds(900))
                #expect(scheduler.expectSubmitted(refresh, after: .seconds(896)))
                #expect(!scheduler.expectSubmitted(refresh, after: .seconds(60)))
            }
        }

        @Test(
            "a request that was moved later is told, with how often",
            arguments: [(1, "was moved later once from 900.0 seconds"), (2, "was moved later 2 times, first from")])
        func postponed(count: Int, words: String) async throws {
            try await fails(words) { scheduler in
                try scheduler.register(refresh) { (_: TaskContext) in }
                scheduler.finishLaunching()
                try scheduler.submit(refresh, after: .seconds(900))
                #expect(scheduler.expectNeverPostponed(refresh))
                for _ in 0..<count {
                    await scheduler.advance(by: .seconds(60))
                    try scheduler.submit(refresh, after: .seconds(900))
                }
                #expect(!scheduler.expectNeverPostponed(refresh))
            }
        }

        @Test("what the explorer found is told with the way to see it again")
        func findings() async throws {
            let explorer = ExpiryExplorer(manifest: try VirtualSchedulerTests.manifest())
            let identifier = refresh
            let report = try await explorer.explore(identifier) { scheduler in
                try scheduler.register(identifier) { (task: LaunchedTask) in
                    Task {
                        try? await Task.sleep(for: .seconds(1))
                        task.setTaskCompleted(success: true)
                    }
                }
            }
            let first = try #require(report.findings.first)
            #expect(first.kind == .noExpirationHandler)
            withKnownIssue {
                report.expectNoFindings()
            } matching: { issue in
                issue.comments.contains { $0.rawValue.contains("only: ExpiryTrial(\"\(first.trial)\")") }
            }
        }
    }
}
