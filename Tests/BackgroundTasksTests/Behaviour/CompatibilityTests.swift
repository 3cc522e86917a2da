import BackgroundTasks
import Foundation
import Platform
import Scheduling
import TestSupport
import Testing

@testable import BackgroundTasks

@Suite("What RUNNER_COMPAT changes", .timeLimit(.minutes(1)))
struct CompatibilityTests {
    @Test("the variable names a version; another word is complained of and changes nothing")
    func reads() {
        let complaints = Locked<[String]>([])
        let complain = { (text: String) in complaints.withLock { $0.append(text) } }
        #expect(Compatibility.read(nil, complain: complain) == .ios26)
        #expect(Compatibility.read("", complain: complain) == .ios26)
        #expect(Compatibility.read("ios18", complain: complain) == .ios18)
        #expect(Compatibility.read("ios26", complain: complain) == .ios26)
        #expect(complaints.withLock { $0 }.isEmpty)
        #expect(Compatibility.read("ios9", complain: complain) == .ios26)
        #expect(complaints.withLock { $0 }.count == 1)
    }

    /// Whether the expiration handler is called while the launch handler keeps their queue busy.
    private static func isExpiredOnOtherQueue() async throws -> Bool {
        let fixture = try await SchedulerFixture()
        let (entered, expired, freed) = (Occurrence<Void>(), Occurrence<Void>(), DispatchSemaphore(value: 0))
        let (queue, key) = (DispatchQueue(label: "own"), DispatchSpecificKey<Bool>())
        queue.setSpecific(key: key, value: true)
        let isOwn = Locked(false)
        fixture.scheduler.register(forTaskWithIdentifier: SchedulerFixture.clean, using: queue) { task in
            task.expirationHandler = {
                isOwn.withLock { $0 = DispatchQueue.getSpecific(key: key) == true }
                freed.signal()
                task.setTaskCompleted(success: false)
                expired.happen()
            }
            entered.happen()
            // Under ios18 the expiration handler waits behind this one.
            if Compatibility.current == .ios26 { freed.wait() }
        }
        fixture.finishLaunching()
        try fixture.scheduler.submit(BGProcessingTaskRequest(identifier: SchedulerFixture.clean))
        await entered.value
        try await fixture.expire(SchedulerFixture.clean)
        await expired.value
        try await fixture.stop()
        return !isOwn.withLock { $0 }
    }

    @Test("from ios26 on an expiration handler is called though its handler keeps the queue busy")
    func newQueues() async throws {
        #expect(try await Self.isExpiredOnOtherQueue())
    }

    @Test("under ios18 expiration handlers run on the queue of their launch handler")
    func oldQueues() async {
        await #expect(processExitsWith: .exitCode(18)) {
            setenv("RUNNER_COMPAT", "ios18", 1)
            let isOther = try await CompatibilityTests.isExpiredOnOtherQueue()
            exit(isOther ? 26 : 18)
        }
    }
}
