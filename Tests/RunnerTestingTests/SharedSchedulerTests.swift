import BackgroundTasks
import Dispatch
import Platform
import Plugins
import RunnerTesting
import Testing

@testable import RunnerTesting

extension TestKitTests {
    @Suite("BGTaskScheduler.shared on threads that know of no test", .timeLimit(.minutes(1)))
    struct SharedSchedulerTests {
        /// What a queue that nobody knows finds.
        private static func found() async -> BGTaskScheduler {
            await withCheckedContinuation { continuation in
                DispatchQueue.global().async { continuation.resume(returning: BGTaskScheduler.shared) }
            }
        }

        private static func submit(_ scheduler: BGTaskScheduler) -> (any Error)? {
            do {
                try scheduler.submit(BGAppRefreshTaskRequest(identifier: "com.example.app.refresh"))
                return nil
            } catch {
                return error
            }
        }

        @Test("two tests at once are told that a thread cannot be theirs both, in whatever order they end")
        func ambiguous() async throws {
            let manifest = try VirtualSchedulerTests.manifest()
            // Tests of other suites may have more of them meanwhile, and get issues of their own.
            let issues = Locked(0)
            try await withKnownIssue {
                try await withVirtualScheduler(manifest: manifest) { _ in
                    try await withVirtualScheduler(manifest: manifest) { _ in
                        let error = try #require(Self.submit(await Self.found()) as? BGTaskScheduler.Error)
                        #expect(error.code == .unavailable)
                        #expect(error.localizedDescription.contains(".serialized"))
                    }
                }
            } matching: { issue in
                let isOurs = issue.comments.contains {
                    $0.rawValue.contains(#/while \d+ tests have a virtual scheduler each/#)
                }
                if isOurs { issues.withLock { $0 += 1 } }
                return isOurs
            }
            // One for each test.
            #expect(issues.withLock { $0 } == 2)
        }

        @Test("the one scheduler that there is is found by every thread")
        func single() async throws {
            try await withVirtualScheduler(manifest: VirtualSchedulerTests.manifest()) { _ in
                let shared = BGTaskScheduler.shared
                var found = await Self.found()
                // Tests of other suites may have one meanwhile, until they end.
                while found !== shared {
                    await Task.yield()
                    found = await Self.found()
                }
                #expect(found === shared)
            }
        }
    }
}
