import BackgroundTasks
import Foundation
import Platform
import Plugins
import RunnerTesting
import Scheduling
import Testing

@testable import RunnerTesting

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

        /// The code reads its own clock before it sleeps: what a busy machine keeps it from going on then is missing in the
        /// virtual time. A stall would be 30 seconds.
        private func expect(_ run: RunReport, took time: Duration) {
            #expect(run.duration > time - .seconds(14) && run.duration < time + .seconds(1), "\(run)")
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
            expect(run, took: .seconds(400))
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
            expect(run, took: .seconds(125))
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
            expect(run, took: .seconds(50))
        }

        @Test("what updateTitle says is told of the run, in virtual time too (B29)")
        func titles() async throws {
            let manifest = try Manifest(identifier: "com.example.app", permittedIdentifiers: ["com.example.app.jobs.*"])
            try await withVirtualScheduler(manifest: manifest) { scheduler in
                scheduler.finishLaunching()
                BGTaskScheduler.shared.register(forTaskWithIdentifier: Self.job, using: nil) { task in
                    let task = task as! BGContinuedProcessingTask
                    task.expirationHandler = { task.setTaskCompleted(success: false) }
                    task.progress.totalUnitCount = 4
                    Task {
                        try await Task.sleep(for: .seconds(10))
                        task.progress.completedUnitCount = 1
                        task.updateTitle("Export of 4", subtitle: "1 is done")
                        try await Task.sleep(for: .seconds(10))
                        task.setTaskCompleted(success: true)
                    }
                }
                let request = BGContinuedProcessingTaskRequest(identifier: Self.job, title: "Export", subtitle: "")
                try BGTaskScheduler.shared.submit(request)
                await scheduler.advance(by: .seconds(11))
                let progress = scheduler.core.withLock { core in
                    core.scheduler.activeRuns.first { $0.identifier.text == Self.job }?.progress
                }
                #expect(progress == RunProgress(fraction: 0.25, title: "Export of 4", subtitle: "1 is done"))
                await scheduler.advance(by: .seconds(20))
                #expect(scheduler.lastRun(of: Self.job)?.outcome == .succeeded)
            }
        }

        private static func manifest() throws -> Manifest {
            try Manifest(identifier: "com.example.app", permittedIdentifiers: ["com.example.app.jobs.*"])
        }

        /// Registers a job that sleeps 4 times, and submits it so that it starts at once or not at all.
        private static func submitAtOnce(_ scheduler: VirtualScheduler, network: Bool = false) throws {
            BGTaskScheduler.shared.register(forTaskWithIdentifier: job, using: nil) { task in
                let work = Task {
                    for _ in 0..<4 where !Task.isCancelled { try? await Task.sleep(for: .seconds(5)) }
                    task.setTaskCompleted(success: !Task.isCancelled)
                }
                task.expirationHandler = { work.cancel() }
            }
            scheduler.finishLaunching()
            var request = TaskRequest(identifier: TaskIdentifier(checked: job), kind: .continuedProcessing)
            request.title = "Export"
            request.strategy = .fail
            request.requiresNetworkConnectivity = network
            try scheduler.submit(request)
        }

        @Test("a job that starts at once or not at all is explored, although nothing else is launched meanwhile (B29)")
        func atOnce() async throws {
            let report = try await ExpiryExplorer(manifest: Self.manifest())
                .explore(Self.job, kind: .continuedProcessing) { try Self.submitAtOnce($0) }
            report.expectNoFindings()
            #expect(report.moments > 4)
        }

        @Test("what could not start at once on a device cannot in an exploration either (B29)")
        func notAtOnce() async throws {
            let explorer = ExpiryExplorer(manifest: try Self.manifest())
            let refusal = await #expect(throws: Refusal.self) {
                try await explorer.explore(Self.job, kind: .continuedProcessing) { scheduler in
                    scheduler.set(.network(.none))
                    try Self.submitAtOnce(scheduler, network: true)
                }
            }
            #expect(refusal?.kind == .immediateRunIneligible)
        }

        @Test("a job that completes after its stall's grace period did not finish in it, and was not forgotten")
        func lateAfterStall() async throws {
            let report = try await ExpiryExplorer(manifest: Self.manifest())
                .explore(Self.job, kind: .continuedProcessing, only: ExpiryTrial("0:never")) { _ in
                    BGTaskScheduler.shared.register(forTaskWithIdentifier: Self.job, using: nil) { task in
                        task.expirationHandler = {}
                        Task {
                            for _ in 0..<5 { try await Task.sleep(for: .seconds(20)) }
                            task.setTaskCompleted(success: true)
                        }
                    }
                }
            #expect(report.findings.map(\.kind) == [.didNotFinishInGrace], "\(report)")
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
