import Dispatch
import Foundation
import HandlerFixtures
import Plugins
import RunnerTesting
import Testing

/// What a finding says has to lead to the mistake, and to nothing else.
extension TestKitTests {
    @Suite("What findings say", .timeLimit(.minutes(1)))
    struct FindingWordsTests {
        private func findings(
            patience: Duration = .milliseconds(500), _ handler: @escaping @Sendable (LaunchedTask) -> Void
        ) async throws -> [ExpiryFinding] {
            var explorer = try ExpiryExplorerTests.explorer()
            explorer.patience = patience
            return try await explorer.explore(
                HandlerFixture.identifier, setUp: HandlerFixture.setUp { task, _ in handler(task) }
            ).findings
        }

        @Test("a request that is submitted long after the completion is named, and was not in vain")
        func lateRequest() async throws {
            let findings = try await findings { task in
                let work = Task {
                    let isDone = (try? await Task.sleep(for: .seconds(3))) != nil
                    task.setTaskCompleted(success: isDone)
                    try? await Task.sleep(for: .seconds(30))
                    _ = try? await task.context.submit(TaskRequest(HandlerFixture.identifier))
                }
                task.expirationHandler = { work.cancel() }
            }
            #expect(findings.map(\.kind) == [.wentOnAfterCompletion])
            #expect(findings[0].message.contains("submitted a request for \(HandlerFixture.identifier)"), "\(findings)")
        }

        @Test("a completion that waits for a queue that its own code holds is told as that")
        func heldUp() async throws {
            let findings = try await findings { task in
                let queue = DispatchQueue(label: "state")
                let isOver = DispatchSemaphore(value: 0)
                task.expirationHandler = { queue.sync { task.setTaskCompleted(success: false) } }
                queue.async { isOver.wait() }
                Task {
                    try? await Task.sleep(for: .seconds(3_600))
                    isOver.signal()
                    task.setTaskCompleted(success: true)
                }
            }
            let finding = try #require(findings.first)
            #expect(finding.kind == .neverCompleted)
            #expect(finding.message.contains("keeps a queue or thread"), "\(finding)")
            #expect(finding.fix.contains("on no queue that waits"))
        }

        @Test("a handler that waits for what cannot be seen is told what that is")
        func unseen() async throws {
            let timers = Timers()
            let findings = try await findings(patience: .milliseconds(100)) { task in
                task.expirationHandler = { task.setTaskCompleted(success: false) }
                // No run loop runs in a test on Linux, so it never fires.
                timers.add(Timer(timeInterval: 0.01, repeats: false) { _ in task.setTaskCompleted(success: true) })
            }
            let finding = try #require(findings.first)
            #expect(finding.kind == .neverCompleted)
            #expect(finding.message.contains("what a timer of a run loop does is not seen"), "\(finding)")
            #expect(finding.message.contains("0.1 seconds"), "\(finding)")
        }
    }
}

/// Keeps timers until the test is over.
private final class Timers: @unchecked Sendable {
    // Unchecked because the compiler cannot see that the lock is held whenever the list is touched.
    private var all: [Timer] = []
    private let lock = NSLock()

    func add(_ timer: Timer) {
        lock.withLock { all.append(timer) }
    }
}
