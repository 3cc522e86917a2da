import Dispatch
import Foundation
import Platform
import Plugins
import Scheduling
import Testing

@testable import BackgroundTasks

/// How often the progress of a run is looked at is for its channel to say; here, the test's threads do it.
@Suite("What is told of a progress", .timeLimit(.minutes(1)))
struct ProgressSamplerTests {
    private final class LookingChannel: RunChannel, Sampling {
        private let looks = Locked<[@Sendable () -> Void]>([])
        private let told = Locked<[RunProgress]>([])
        let isStopped = Locked(false)

        var fractions: [Double] { told.withLock { $0.map(\.fraction) } }
        func look() { for look in looks.withLock({ $0 }) { look() } }

        func sample(_ look: @escaping @Sendable () -> Void) -> any Sampling {
            looks.withLock { $0.append(look) }
            return self
        }

        func stop() { isStopped.withLock { $0 = true } }
        func progress(_ run: RunIdentifier, _ progress: RunProgress) { told.withLock { $0.append(progress) } }
        func entered(_ run: RunIdentifier) {}
        func complete(_ run: RunIdentifier, _ result: RunResult, message: String?) async -> Bool { true }
        func completeLater(_ run: RunIdentifier, _ result: RunResult, message: String?) {}
        func returned(_ run: RunIdentifier) {}
        func submit(_ request: TaskRequest, ifPending: PendingChoice) async throws(Refusal) -> Submission {
            throw Refusal(.unavailable, "Nothing is submitted here.")
        }
        func cancel(_ identifier: TaskIdentifier) async throws(Refusal) -> Bool { false }
        func cancelAll() async throws(Refusal) -> Int { 0 }
        func pendingRequests() async throws(Refusal) -> [TaskRequest] { [] }
        func registerContinued(_ registration: PendingRegistration) async throws(Refusal) {}
        func log(_ message: String, level: TaskLogLevel, run: RunIdentifier?) {}
    }

    private static func context(_ channel: LookingChannel) -> TaskContext {
        let order = LaunchOrder(
            run: RunIdentifier(1), identifier: TaskIdentifier(checked: SchedulerFixture.job),
            app: AppIdentifier(checked: "com.example.app"), kind: .continuedProcessing, origin: .scheduled, attempt: 1)
        return TaskContext(RunHandle(order: order, channel: channel) { AwakeTime(milliseconds: 0) })
    }

    @Test("it never goes back, whoever looks at it while it changes, and the last word is the last fraction (B29)")
    func inOrder() async {
        let steps = 5_000
        let channel = LookingChannel()
        let sampler = ProgressSampler(of: Self.context(channel))
        sampler.progress.totalUnitCount = Int64(steps)
        let isOver = Locked(false)
        // Threads of their own: they keep the processor.
        let looks: [@Sendable () -> Void] = [
            { sampler.report(title: "Export", subtitle: "") }, { channel.look() }, { channel.look() },
        ]
        let ended = DispatchGroup()
        for look in looks {
            ended.enter()
            Thread.detachNewThread {
                while !isOver.withLock({ $0 }) { look() }
                ended.leave()
            }
        }
        ended.enter()
        Thread.detachNewThread {
            for _ in 0..<steps { sampler.progress.completedUnitCount += 1 }
            sampler.stop()
            isOver.withLock { $0 = true }
            ended.leave()
        }
        await withCheckedContinuation { continuation in ended.notify(queue: .global()) { continuation.resume() } }
        let fractions = channel.fractions
        #expect(zip(fractions, fractions.dropFirst()).allSatisfy { $0 <= $1 })
        #expect(fractions.last == 1)
        #expect(channel.isStopped.withLock { $0 })
    }

    @Test("nothing is told once it was stopped, new words neither (B29)")
    func stopped() {
        let channel = LookingChannel()
        let sampler = ProgressSampler(of: Self.context(channel))
        sampler.progress.totalUnitCount = 4
        sampler.progress.completedUnitCount = 1
        sampler.stop()
        #expect(channel.fractions == [0.25])
        sampler.progress.completedUnitCount = 2
        channel.look()
        sampler.report(title: "Export", subtitle: "")
        sampler.stop()
        #expect(channel.fractions == [0.25])
    }
}
