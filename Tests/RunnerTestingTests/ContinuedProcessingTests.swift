import BackgroundTasks
import Foundation
import Plugins
import RunnerTesting
import Testing

extension TestKitTests {
    @Suite("Continued processing in virtual time (B29)", .timeLimit(.minutes(1)))
    struct ContinuedProcessingTests {
        private static let job = "com.example.app.jobs.export"

        /// Runs a job to its end, with work that goes on in a Swift task.
        private func run(
            _ work: @escaping @Sendable (BGContinuedProcessingTask) async throws -> Void
        ) async throws -> RunReport {
            let manifest = try Manifest(identifier: "com.example.app", permittedIdentifiers: ["com.example.app.jobs.*"])
            return try await withVirtualScheduler(manifest: manifest) { scheduler in
                scheduler.finishLaunching()
                BGTaskScheduler.shared.register(forTaskWithIdentifier: Self.job, using: nil) { task in
                    let task = task as! BGContinuedProcessingTask
                    let working = Task {
                        try? await work(task)
                        task.setTaskCompleted(success: !Task.isCancelled)
                    }
                    task.expirationHandler = { working.cancel() }
                }
                let request = BGContinuedProcessingTaskRequest(identifier: Self.job, title: "Export", subtitle: "")
                try BGTaskScheduler.shared.submit(request)
                await scheduler.advance(by: .seconds(600))
                return try #require(scheduler.lastRun(of: Self.job))
            }
        }

        @Test("a job whose progress goes on is never stalled, however long it takes")
        func goesOn() async throws {
            let run = try await run { task in
                task.progress.totalUnitCount = 20
                for _ in 0..<20 {
                    try await Task.sleep(for: .seconds(20))
                    task.progress.completedUnitCount += 1
                }
            }
            #expect(run.outcome == .succeeded, "\(run)")
            // Clocks count in milliseconds, and the code's own are read in between.
            #expect(run.duration > .milliseconds(399_900) && run.duration < .milliseconds(400_100), "\(run)")
        }

        @Test("the progress of a child counts")
        func children() async throws {
            let run = try await run { task in
                task.progress.totalUnitCount = 1
                let photos = Progress(totalUnitCount: 5)
                task.progress.addChild(photos, withPendingUnitCount: 1)
                for _ in 0..<5 {
                    try await Task.sleep(for: .seconds(25))
                    photos.completedUnitCount += 1
                }
            }
            #expect(run.outcome == .succeeded, "\(run)")
            #expect(run.duration > .milliseconds(124_900) && run.duration < .milliseconds(125_100), "\(run)")
        }

        @Test("a job whose progress stops is expired 30 seconds after its last change")
        func stalls() async throws {
            let run = try await run { task in
                task.progress.totalUnitCount = 10
                try await Task.sleep(for: .seconds(20))
                task.progress.completedUnitCount = 1
                try await Task.sleep(for: .seconds(400))
            }
            #expect(run.outcome == .failed, "\(run)")
            #expect(run.expirationReason == .stalled)
            #expect(run.duration > .milliseconds(49_900) && run.duration < .milliseconds(50_100), "\(run)")
        }

        @Test("a job that keeps all rules is explored without a finding")
        func explored() async throws {
            let manifest = try Manifest(identifier: "com.example.app", permittedIdentifiers: ["com.example.app.jobs.*"])
            let report = try await ExpiryExplorer(manifest: manifest)
                .explore(Self.job, kind: .continuedProcessing) { _ in
                    BGTaskScheduler.shared.register(forTaskWithIdentifier: Self.job, using: nil) { task in
                        let task = task as! BGContinuedProcessingTask
                        task.progress.totalUnitCount = 4
                        let working = Task {
                            for _ in 0..<4 where !Task.isCancelled {
                                try? await Task.sleep(for: .seconds(20))
                                task.progress.completedUnitCount += 1
                            }
                            task.setTaskCompleted(success: !Task.isCancelled)
                        }
                        task.expirationHandler = { working.cancel() }
                    }
                }
            report.expectNoFindings()
            #expect(report.moments > 8)
        }
    }
}
