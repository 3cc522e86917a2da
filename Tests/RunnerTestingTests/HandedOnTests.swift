import Dispatch
import HandlerFixtures
import Platform
import Plugins
import RunnerTesting
import Scheduling
import Testing

@testable import RunnerTesting

/// Expiration handlers that let somebody else stop the work.
extension TestKitTests {
    @Suite("Expirations that are handed on", .timeLimit(.minutes(1)))
    struct HandedOnTests {
        enum Place: String, CaseIterable {
            case global, main, own

            var queue: DispatchQueue {
                switch self {
                case .global: .global()
                case .main: .main
                case .own: DispatchQueue(label: "own")
                }
            }
        }

        private static func setUp(_ queue: DispatchQueue) -> @Sendable (VirtualScheduler) throws -> Void {
            HandlerFixture.setUp { task, _ in
                let work = Task {
                    do {
                        for _ in 0..<6 { try await Task.sleep(for: .seconds(5)) }
                        task.setTaskCompleted(success: true)
                    } catch {
                        task.setTaskCompleted(success: false)
                    }
                }
                // Later than a processor that is free would take.
                task.expirationHandler = {
                    queue.asyncAfter(deadline: .now() + .milliseconds(15)) { work.cancel() }
                }
            }
        }

        @Test("the queue that cancels the work has its turn before time goes on", arguments: Place.allCases)
        func handedOn(to place: Place) async throws {
            let report = try await ExpiryExplorerTests.explorer()
                .explore(HandlerFixture.identifier, setUp: Self.setUp(place.queue))
            report.expectNoFindings()
            #expect(report.moments > 4)
        }

        @Test(
            "what never comes is waited for in vain a few times, and then hardly; what came once is waited for always")
        func patience() {
            let patience = Duration.milliseconds(500)
            var handover = HandoverPatience()
            for _ in 0..<4 {
                #expect(handover.wait(within: patience) == patience)
                handover.note(didCome: false)
            }
            #expect(handover.wait(within: patience) == .milliseconds(20))
            handover.note(didCome: true)
            for _ in 0..<9 { handover.note(didCome: false) }
            #expect(handover.wait(within: patience) == patience)
        }

        @Test("a trial of a life without an expiration passes when it breaks no rule")
        func neverAlone() async throws {
            let report = try await ExpiryExplorerTests.explorer()
                .explore(HandlerFixture.identifier, only: ExpiryTrial("0:never"), setUp: Self.setUp(.main))
            report.expectNoFindings()
            #expect(report.description.hasSuffix("no rule was broken."))
        }

        @Test("a trial whose moment is not there any more says so")
        func goneMoment() async throws {
            let report = try await ExpiryExplorerTests.explorer()
                .explore(HandlerFixture.identifier, only: ExpiryTrial("0:before:9999"), setUp: Self.setUp(.main))
            #expect(report.description.hasSuffix("it has no moment 0:before:9999 now; explore all of them."))
            withKnownIssue { report.expectNoFindings() }
        }

        @Test("before the launch is finished nothing is launched, and that is said")
        func notLaunched() async throws {
            let scheduler = VirtualScheduler(manifest: try VirtualSchedulerTests.manifest())
            try scheduler.register(HandlerFixture.identifier) { (_: TaskContext) in }
            let refusal = await #expect(throws: Refusal.self) {
                try await scheduler.simulateLaunch(HandlerFixture.identifier, submit: true)
            }
            #expect(refusal?.message.contains("finishLaunching()") == true)
            scheduler.finishLaunching()
            let run = try await scheduler.simulateLaunch(HandlerFixture.identifier, submit: true).end()
            #expect(run.outcome == .succeeded)
        }

        @Test("a run that nothing held is launched at once, and can be taken")
        func launchedAtOnce() async throws {
            let scheduler = VirtualScheduler(manifest: try VirtualSchedulerTests.manifest())
            try scheduler.register(HandlerFixture.identifier) { (_: TaskContext) in
                try await Task.sleep(for: .seconds(3))
            }
            scheduler.finishLaunching()
            #expect(scheduler.currentRun(of: HandlerFixture.identifier) == nil)
            try scheduler.submit(HandlerFixture.identifier)
            let refusal = await #expect(throws: Refusal.self) {
                try await scheduler.simulateLaunch(HandlerFixture.identifier)
            }
            #expect(refusal?.message.contains("currentRun(of:)") == true)
            let run = try #require(scheduler.currentRun(of: HandlerFixture.identifier))
            #expect(try await run.end().outcome == .succeeded)
        }
    }
}
