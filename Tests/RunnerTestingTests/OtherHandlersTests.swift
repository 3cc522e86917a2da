import BackgroundTasks
import Dispatch
import Foundation
import Platform
import Plugins
import RunnerTesting
import Testing

/// Handlers whose code has another shape than sleeping, one after the other.
extension TestKitTests {
    @Suite("Handlers of other shapes", .timeLimit(.minutes(1)))
    struct OtherHandlersTests {
        private let refresh = "com.example.app.refresh"

        private func explore(_ handler: @escaping @Sendable (LaunchedTask) -> Void) async throws -> ExpiryReport {
            let identifier = refresh
            return try await ExpiryExplorerTests.explorer().explore(identifier) { scheduler in
                try scheduler.register(identifier, launchHandler: handler)
            }
        }

        @Test("a handler that asks for its next run at once is alone in its life all the same")
        func rearmsAtOnce() async throws {
            let refresh = refresh
            let report = try await explore { task in
                let work = Task {
                    _ = try? await task.context.submit(TaskRequest(refresh))
                    try? await Task.sleep(for: .seconds(1))
                    task.setTaskCompleted(success: !Task.isCancelled)
                }
                task.expirationHandler = { work.cancel() }
            }
            #expect(report.findings.filter { $0.kind != .notRearmed }.isEmpty, "\(report)")
        }

        @Test("a handler that works until it is expired keeps all rules")
        func worksUntilExpired() async throws {
            let report = try await explore { task in
                let work = Task {
                    while (try? await Task.sleep(for: .seconds(600))) != nil {}
                    task.setTaskCompleted(success: true)
                }
                task.expirationHandler = { work.cancel() }
            }
            report.expectNoFindings()
        }

        @Test("a handler that keeps its thread is expired in the middle of its work")
        func synchronous() async throws {
            let middle = Locked(0)
            let report = try await explore { task in
                let isStopped = Locked(false)
                task.expirationHandler = { isStopped.withLock { $0 = true } }
                var done = 0
                while done < 20, !isStopped.withLock({ $0 }) {
                    usleep(1_000)
                    done += 1
                }
                if done > 2, done < 20 { middle.withLock { $0 += 1 } }
                task.setTaskCompleted(success: !isStopped.withLock { $0 })
            }
            report.expectNoFindings()
            #expect(report.moments >= 8, "\(report)")
            #expect(middle.withLock { $0 } >= 4)
        }

        @Test("the tasks of async let live in the memory of the task around them, and are not kept beyond it")
        func asyncLet() async throws {
            for _ in 0..<20 {
                let scheduler = VirtualScheduler(manifest: try VirtualSchedulerTests.manifest())
                try scheduler.register(refresh) { (_: TaskContext) in
                    for _ in 0..<20 {
                        async let first: Void = Task.yield()
                        async let second: Void = Task.sleep(for: .seconds(1))
                        _ = try await (first, second)
                    }
                }
                scheduler.finishLaunching()
                let run = try await scheduler.simulateLaunch(refresh, submit: true).end()
                #expect(run.outcome == .succeeded)
                // What was in that memory is something else now.
                let others = (0..<50).map { number in [UInt](repeating: UInt(number), count: 60 + number) }
                #expect(others.count == 50)
            }
        }

        @Test("a handler of the main actor runs on the main queue, and its sleep takes virtual time")
        func mainActor() async throws {
            let scheduler = VirtualScheduler(manifest: try VirtualSchedulerTests.manifest())
            try scheduler.register(refresh) { (task: LaunchedTask) in
                Task { @MainActor in
                    dispatchPrecondition(condition: .onQueue(.main))
                    try await Task.sleep(for: .seconds(3_600))
                    dispatchPrecondition(condition: .onQueue(.main))
                    task.setTaskCompleted(success: true)
                }
            }
            scheduler.finishLaunching()
            let run = try await scheduler.simulateLaunch(refresh, submit: true).end(within: .seconds(4_000))
            #expect(run.outcome == .succeeded)
            #expect(run.duration >= .seconds(3_600) && run.duration < .seconds(3_601))
        }

        /// Runs a handler whose answer, of a queue that nobody sees, races a sleep of 20 seconds.
        private func race(_ scheduler: VirtualScheduler, answer delay: DispatchTimeInterval) async throws -> RunReport {
            try scheduler.register(refresh) { (_: TaskContext) in
                try await withThrowingTaskGroup(of: Void.self) { group in
                    group.addTask {
                        await withCheckedContinuation { continuation in
                            DispatchQueue.global().asyncAfter(deadline: .now() + delay) { continuation.resume() }
                        }
                    }
                    group.addTask {
                        try await Task.sleep(for: .seconds(20))
                        throw CancellationError()
                    }
                    try await group.next()
                    group.cancelAll()
                }
            }
            scheduler.finishLaunching()
            return try await scheduler.simulateLaunch(refresh, submit: true).end()
        }

        @Test("an answer from out of sight is not overtaken by the sleep that it races")
        func race() async throws {
            let scheduler = VirtualScheduler(manifest: try VirtualSchedulerTests.manifest())
            let run = try await race(scheduler, answer: .milliseconds(40))
            #expect(run.outcome == .succeeded, "\(run)")
            #expect(run.duration < .seconds(20))
        }

        @Test("an answer that takes longer is waited for as long as the test says, and the sleep comes first otherwise")
        func slowRace() async throws {
            let impatient = VirtualScheduler(manifest: try VirtualSchedulerTests.manifest())
            let late = try await race(impatient, answer: .seconds(2))
            #expect(late.outcome == .failed, "\(late)")
            let patient = VirtualScheduler(manifest: try VirtualSchedulerTests.manifest())
            patient.patience = .seconds(30)
            patient.patienceBesideSleep = .seconds(30)
            let run = try await race(patient, answer: .milliseconds(800))
            #expect(run.outcome == .succeeded, "\(run)")
        }

        @Test("what ends an app is an issue of the test too when it happens on a handler's thread")
        func misuseInHandler() async throws {
            let manifest = try VirtualSchedulerTests.manifest()
            let refresh = refresh
            try await withKnownIssue {
                try await withVirtualScheduler(manifest: manifest) { scheduler in
                    BGTaskScheduler.shared.register(forTaskWithIdentifier: refresh, using: nil) { task in
                        try? BGTaskScheduler.shared.submit(
                            BGProcessingTaskRequest(identifier: "com.example.app.export"))
                        task.setTaskCompleted(success: true)
                    }
                    scheduler.finishLaunching()
                    try scheduler.backgroundTasks.submit(BGAppRefreshTaskRequest(identifier: refresh))
                    await scheduler.settle()
                }
            } matching: { issue in
                issue.comments.contains { $0.rawValue.contains("No launch handler registered") }
            }
        }

        @Test("a handler that is over at once has no moment to expire it at, and that is told")
        func atOnce() async throws {
            let report = try await explore { $0.setTaskCompleted(success: true) }
            #expect(report.findings.isEmpty)
            withKnownIssue {
                report.expectNoFindings()
            } matching: { issue in
                issue.comments.contains { $0.rawValue.contains("no moment to expire it at") }
            }
            report.expectNoFindings(orOverAtOnce: true)
        }

        @Test("lives that were not tried are told of")
        func cutOff() async throws {
            var explorer = try ExpiryExplorerTests.explorer()
            explorer.mostTrials = 4
            let refresh = refresh
            let report = try await explorer.explore(refresh) { scheduler in
                try scheduler.register(refresh) { (_: TaskContext) in try await Task.sleep(for: .seconds(1)) }
            }
            #expect(report.isCutOff)
            #expect(report.trials == 4)
            #expect(report.description.contains("there are more moments than that"))
        }
    }
}
