import Dispatch
import Platform
import Plugins
import Scheduling
import SystemPlatform
import TestSupport
import Testing

@testable import Runner

@Suite("Async handlers of an embedding program", .timeLimit(.minutes(1)))
struct AsyncHandlerTests {
    private struct Broken: Error, CustomStringConvertible {
        let description = "the server is down"
    }

    @Test("a handler that returns succeeds (B28)")
    func returns() async throws {
        let fixture = try EmbeddedFixture()
        try fixture.runner.register(EmbeddedFixture.refresh) { (_: TaskContext) in }
        try await fixture.start()
        try await fixture.submit()
        let run = await fixture.notices.ended()
        #expect(run.state == .succeeded)
        #expect(run.origin == .scheduled)
        #expect(run.attempt == 1)
        try await fixture.stop()
    }

    @Test("a handler that throws fails, with the error's words (B28)")
    func throwing() async throws {
        let fixture = try EmbeddedFixture()
        try fixture.runner.register(EmbeddedFixture.refresh) { (_: TaskContext) in throw Broken() }
        try await fixture.start()
        try await fixture.submit()
        let run = await fixture.notices.ended()
        #expect(run.state == .failed)
        #expect(run.message == "the server is down")
        try await fixture.stop()
    }

    @Test("on expiration the handler's task is cancelled, never on the loop's thread, and it can read why (B28)")
    func cancelled() async throws {
        let fixture = try EmbeddedFixture()
        let (cancelled, reason) = (Occurrence<Int32>(), Occurrence<ExpirationReason?>())
        try fixture.runner.register(EmbeddedFixture.refresh) { (context: TaskContext) in
            await withTaskCancellationHandler {
                _ = await cancelled.value
            } onCancel: {
                cancelled.happen(NamedThread.currentIdentifier)
            }
            reason.happen(context.expirationReason)
            try Task.checkCancellation()
        }
        try await fixture.start()
        try await fixture.submit()
        await fixture.notices.wait { $0.contains { if case .launched = $0 { true } else { false } } }
        try await fixture.expire(.conditionLost)
        let run = await fixture.notices.ended()
        #expect(run.state == .failed)
        #expect(run.expirationReason == .conditionLost)
        #expect(await reason.value == .conditionLost)
        #expect(await cancelled.value != (try await fixture.engine.threadNumber()))
        try await fixture.stop()
    }

    @Test("a handler that returns although it was expired has succeeded, and the reason is kept (B24)")
    func succeedsWhileExpiring() async throws {
        let fixture = try EmbeddedFixture()
        let cancelled = Occurrence<Void>()
        try fixture.runner.register(EmbeddedFixture.refresh) { (_: TaskContext) in
            await withTaskCancellationHandler {
                await cancelled.value
            } onCancel: {
                cancelled.happen()
            }
        }
        try await fixture.start()
        try await fixture.submit()
        await fixture.notices.wait { $0.contains { if case .launched = $0 { true } else { false } } }
        try await fixture.expire(.stopped)
        let run = await fixture.notices.ended()
        #expect(run.state == .succeeded)
        #expect(run.expirationReason == .stopped)
        try await fixture.stop()
    }

    @Test("the budget's end expires the run (B23)")
    func budgets() async throws {
        let fixture = try EmbeddedFixture { $0.policy.budgets.appRefresh = .milliseconds(30) }
        try fixture.runner.register(EmbeddedFixture.refresh) { (_: TaskContext) in
            let over = Occurrence<Void>()
            await withTaskCancellationHandler {
                await over.value
            } onCancel: {
                over.happen()
            }
            try Task.checkCancellation()
        }
        try await fixture.start()
        try await fixture.submit()
        let run = await fixture.notices.ended()
        #expect(run.state == .failed)
        #expect(run.expirationReason == .budget)
        try await fixture.stop()
    }

    @Test("a handler knows its run and what is left of its budget, and says how far it is")
    func contexts() async throws {
        let fixture = try EmbeddedFixture()
        let known = Occurrence<(TaskContext, Duration?)>()
        try fixture.runner.register("com.example.app.clean", kind: .processing) { (context: TaskContext) in
            context.reportProgress(1.5, title: "Half", subtitle: "of it")
            context.reportProgress(.nan)
            known.happen((context, context.remainingTime))
        }
        try await fixture.start()
        try await fixture.submit("com.example.app.clean")
        let (context, remaining) = await known.value
        let run = await fixture.notices.ended()
        #expect(context.identifier.text == "com.example.app.clean")
        #expect(context.runNumber == run.run.number)
        #expect(context.kind == .processing)
        #expect(context.origin == .scheduled)
        #expect(context.attempt == 1)
        #expect(context.expirationReason == nil)
        let left = try #require(remaining)
        #expect(left > .seconds(590) && left <= .seconds(600))
        #expect(run.progress == RunProgress(fraction: 1, title: "Half", subtitle: "of it"))
        try await fixture.stop()
    }

    @Test("a simulated run has no time budget and says that it is one (B33, B35)")
    func simulated() async throws {
        let fixture = try EmbeddedFixture()
        let known = Occurrence<(RunOrigin, Duration?)>()
        try fixture.runner.register(EmbeddedFixture.refresh) { (context: TaskContext) in
            known.happen((context.origin, context.remainingTime))
        }
        try await fixture.start()
        _ = try await fixture.engine.answer {
            .launchSimulated(EmbeddedFixture.refreshIdentifier, SimulationOptions(submit: true), call: $0)
        }
        let (origin, remaining) = await known.value
        #expect(origin == .simulated)
        #expect(remaining == nil)
        try await fixture.stop()
    }

    @Test("a handler that submits its next request first thing keeps it (B22)")
    func rearming() async throws {
        let fixture = try EmbeddedFixture()
        let floor = WallTime(milliseconds: SystemClock.milliseconds(.wall) + 3_600_000)
        let outcome = Occurrence<Submission>()
        try fixture.runner.register(EmbeddedFixture.refresh) { (context: TaskContext) in
            outcome.happen(try await context.submit(TaskRequest(identifier: context.identifier, floor: floor)))
        }
        try await fixture.start()
        try await fixture.submit()
        let run = await fixture.notices.ended()
        #expect(run.state == .succeeded)
        #expect(await outcome.value.outcome == .submitted)
        let pending = try await fixture.engine.scheduler.pending(EmbeddedFixture.refreshIdentifier)
        #expect(pending?.floor == floor)
        try await fixture.stop()
    }

    @Test("handlers run off the loop's thread, before and after they wait")
    func offTheLoop() async throws {
        let fixture = try EmbeddedFixture()
        let threads = Occurrence<[Int32]>()
        try fixture.runner.register(EmbeddedFixture.refresh) { (context: TaskContext) in
            let before = NamedThread.currentIdentifier
            try await context.submit(
                TaskRequest(identifier: context.identifier, floor: WallTime(milliseconds: 4_000_000_000_000)))
            threads.happen([before, NamedThread.currentIdentifier])
        }
        try await fixture.start()
        try await fixture.submit()
        let loop = try await fixture.engine.threadNumber()
        #expect(await !threads.value.contains(loop))
        try await fixture.stop()
    }

    @Test("a handler registered with a queue runs there, before and after it waits")
    func queues() async throws {
        let fixture = try EmbeddedFixture()
        let queue = DispatchQueue(label: "com.example.own")
        let key = DispatchSpecificKey<Bool>()
        queue.setSpecific(key: key, value: true)
        let places = Occurrence<[Bool]>()
        try fixture.runner.register(EmbeddedFixture.refresh, using: queue) { (context: TaskContext) in
            let before = DispatchQueue.getSpecific(key: key) ?? false
            try await context.submit(
                TaskRequest(identifier: context.identifier, floor: WallTime(milliseconds: 4_000_000_000_000)))
            places.happen([before, DispatchQueue.getSpecific(key: key) ?? false])
        }
        try await fixture.start()
        try await fixture.submit()
        #expect(await places.value == [true, true])
        try await fixture.stop()
    }

    @Test("the budget counts from the handler's entry, not from the wait for its queue (B23)")
    func budgetFromEntry() async throws {
        let clock = Locked(AwakeTime(milliseconds: 1_000))
        let order = try LaunchOrder.sample(budget: .seconds(30))
        let handle = RunHandle(order: order, channel: NotingChannel()) { clock.withLock { $0 } }
        clock.withLock { $0 = AwakeTime(milliseconds: 21_000) }
        #expect(handle.enter())
        #expect(handle.remainingTime == .seconds(30))
        handle.expired(.budget, grace: .seconds(5))
        #expect(handle.remainingTime == .seconds(5))
        clock.withLock { $0 = AwakeTime(milliseconds: 99_000) }
        #expect(handle.remainingTime == .zero)
        #expect(handle.expirationReason == .budget)
    }
}
