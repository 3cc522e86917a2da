import BackgroundTasks
import Dispatch
import Foundation
import HandlerFixtures
import Platform
import Plugins
import RunnerTesting
import Scheduling
import Testing

@testable import RunnerTesting

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

        /// Registers a handler that suspends so many times.
        private static func suspending(_ times: Int) -> @Sendable (VirtualScheduler) throws -> Void {
            { scheduler in
                try scheduler.register(HandlerFixture.identifier) { (task: LaunchedTask) in
                    let work = Task {
                        for _ in 0..<times where !Task.isCancelled { await Task.yield() }
                        task.setTaskCompleted(success: !Task.isCancelled)
                    }
                    task.expirationHandler = { work.cancel() }
                }
            }
        }

        @Test("each suspension is a moment: so many more are so many more steps", arguments: [2, 9])
        func suspensions(count: Int) async throws {
            func steps(_ times: Int) async throws -> Int {
                let scheduler = VirtualScheduler(manifest: try VirtualSchedulerTests.manifest())
                // A thread that gets no processor is no wait of the handler.
                scheduler.executor.setBodyPatience(.seconds(40))
                let life = ExpiryLife(
                    scheduler, TaskRequest(identifier: try TaskIdentifier(HandlerFixture.identifier)),
                    try ExpiryTrial("0:never"), patience: .seconds(1), reason: .budget, baseline: nil)
                return try await scheduler.drive { Result { try life.live(Self.suspending(times)) } }.get().steps
            }
            let (none, one, many) = (try await steps(0), try await steps(1), try await steps(count))
            // The runtime makes more than one step of some suspensions.
            #expect(one > none)
            #expect(many - none == count * (one - none), "\(none) \(one) \(many)")
            let report = try await ExpiryExplorerTests.explorer()
                .explore(HandlerFixture.identifier, setUp: Self.suspending(count))
            report.expectNoFindings()
            #expect(report.moments >= 2 * many, "\(many) \(report)")
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
            let (lives, middle) = (Locked(0), Locked(0))
            let report = try await explore { task in
                let isStopped = Locked(false)
                task.expirationHandler = { isStopped.withLock { $0 = true } }
                // The first life says how long a life takes; later ones last until they are expired, on a busy machine too.
                let most = lives.withLock { lives in
                    lives += 1
                    return lives == 1 ? 20 : 400
                }
                var done = 0
                while done < most, !isStopped.withLock({ $0 }) {
                    usleep(1_000)
                    done += 1
                }
                if done > 0, done < most { middle.withLock { $0 += 1 } }
                task.setTaskCompleted(success: !isStopped.withLock { $0 })
            }
            report.expectNoFindings()
            #expect(report.moments >= 8, "\(report)")
            #expect(middle.withLock { $0 } >= 8)
        }

        @Test("the tasks of async let live in the memory of the task around them, and are not kept beyond it")
        func asyncLet() async throws {
            let scheduler = VirtualScheduler(manifest: try VirtualSchedulerTests.manifest())
            // Nothing is out of sight here.
            scheduler.patienceBesideSleep = .zero
            let kept = Locked<[String: Bool?]>([:])
            let isKept = { @Sendable [executor = scheduler.executor] (name: String) in
                let key = TaskKey.current
                let isKept = executor.state.withLock { state in key.flatMap { state.tasks[$0]?.isKept } }
                kept.withLock { $0[name] = isKept }
            }
            try scheduler.register(refresh) { (_: TaskContext) in
                for _ in 0..<20 {
                    async let first: Void = Task.yield()
                    async let second: Void = {
                        try await Task.sleep(for: .seconds(1))
                        isKept("async let")
                    }()
                    _ = try await (first, second)
                    isKept("the handler")
                }
            }
            scheduler.finishLaunching()
            let run = try await scheduler.simulateLaunch(refresh, submit: true).end()
            #expect(run.outcome == .succeeded)
            #expect(kept.withLock { $0 } == ["async let": false, "the handler": true])
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
            #expect(run.duration > .seconds(3_500) && run.duration < .seconds(3_601))
        }

        /// Runs a handler whose answer, of somebody whom nobody sees, races a sleep of 20 seconds.
        private func race(
            _ scheduler: VirtualScheduler, ask: @escaping @Sendable (@escaping @Sendable () -> Void) -> Void
        ) async throws -> RunReport {
            try scheduler.register(refresh) { (task: LaunchedTask) in
                let isDone = Locked(false)
                let complete = { @Sendable (success: Bool) in
                    let isFirst = isDone.withLock { isDone in
                        defer { isDone = true }
                        return !isDone
                    }
                    if isFirst { task.setTaskCompleted(success: success) }
                }
                ask { complete(true) }
                let late = Task {
                    try await Task.sleep(for: .seconds(20))
                    complete(false)
                }
                task.expirationHandler = { late.cancel() }
            }
            scheduler.finishLaunching()
            return try await scheduler.simulateLaunch(refresh, submit: true).end()
        }

        @Test("an answer from out of sight is waited for as long as the test says: the sleep that it races comes later")
        func race() async throws {
            let scheduler = VirtualScheduler(manifest: try VirtualSchedulerTests.manifest())
            scheduler.patience = .seconds(50)
            scheduler.patienceBesideSleep = .seconds(50)
            let run = try await race(scheduler) { answer in
                DispatchQueue.global().asyncAfter(deadline: .now() + .milliseconds(300), execute: answer)
            }
            #expect(run.outcome == .succeeded, "\(run)")
            #expect(run.duration < .seconds(20))
        }

        @Test("one that takes longer than that comes after the sleep")
        func slowRace() async throws {
            let scheduler = VirtualScheduler(manifest: try VirtualSchedulerTests.manifest())
            scheduler.patience = .milliseconds(20)
            let held = Locked<(@Sendable () -> Void)?>(nil)
            let run = try await race(scheduler) { answer in held.withLock { $0 = answer } }
            held.withLock { $0 = nil }
            #expect(run.outcome == .failed, "\(run)")
        }

        @Test("what came from out of sight teaches how long to wait for the next; in vain, a tenth of a second in all")
        func learnsPatience() {
            var patience = OutsidePatience()
            #expect(patience.next == .milliseconds(100))
            patience.note(.milliseconds(60), didCome: false)
            #expect(patience.next == .milliseconds(40))
            patience.note(.milliseconds(40), didCome: false)
            #expect(patience.next == .milliseconds(10))
            patience.note(.milliseconds(30), didCome: true)
            #expect(patience.next == .milliseconds(120))
            patience.note(.milliseconds(5), didCome: true)
            #expect(patience.next == .milliseconds(120))
            patience.note(.milliseconds(300), didCome: true)
            #expect(patience.next == .milliseconds(400))
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
                    && issue.sourceLocation?.fileName == "OtherHandlersTests.swift"
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
