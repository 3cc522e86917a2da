import Dispatch
import Platform
import Plugins
import Scheduling
import TestSupport
import Testing

@testable import Runner

@Suite("Explicit handlers of an embedding program", .timeLimit(.minutes(1)))
struct ExplicitHandlerTests {
    @Test("a task ends as it was completed", arguments: [true, false])
    func completes(success: Bool) async throws {
        let fixture = try EmbeddedFixture()
        try fixture.runner.register(EmbeddedFixture.refresh) { (task: LaunchedTask) in
            task.setTaskCompleted(success: success)
        }
        try await fixture.start()
        try await fixture.submit()
        #expect(await fixture.notices.ended().state == (success ? .succeeded : .failed))
        try await fixture.stop()
    }

    @Test("the first completion counts, the second is told so and recorded (B26)")
    func completesTwice() async throws {
        let fixture = try EmbeddedFixture()
        let accepted = Occurrence<[Bool]>()
        try fixture.runner.register(EmbeddedFixture.refresh) { (task: LaunchedTask) in
            Task {
                let first = await task.complete(success: true, message: "done")
                let second = await task.complete(success: false)
                accepted.happen([first, second])
            }
        }
        try await fixture.start()
        try await fixture.submit()
        #expect(await accepted.value == [true, false])
        let diagnostic = await fixture.notices.diagnostic(.duplicateCompletion)
        #expect(diagnostic.message.contains("succeeded"))
        let run = await fixture.notices.ended()
        #expect(run.state == .succeeded)
        #expect(run.message == "done")
        #expect(fixture.notices.ended.count == 1)
        try await fixture.stop()
    }

    @Test("setTaskCompleted twice changes nothing and is recorded (B26)")
    func setsCompletedTwice() async throws {
        let fixture = try EmbeddedFixture()
        try fixture.runner.register(EmbeddedFixture.refresh) { (task: LaunchedTask) in
            task.setTaskCompleted(success: true)
            task.setTaskCompleted(success: false)
        }
        try await fixture.start()
        try await fixture.submit()
        _ = await fixture.notices.diagnostic(.duplicateCompletion)
        #expect(fixture.notices.ended.map(\.state) == [.succeeded])
        try await fixture.stop()
    }

    @Test("without an expiration handler the run is closed at once, its gate only when the code is over (B25)")
    func noExpirationHandler() async throws {
        let fixture = try EmbeddedFixture()
        let (goOn, starts) = (Occurrence<Void>(), Locked(0))
        try fixture.runner.register(EmbeddedFixture.refresh) { (task: LaunchedTask) in
            let isFirst = starts.withLock { starts in
                starts += 1
                return starts == 1
            }
            guard isFirst else {
                task.setTaskCompleted(success: true)
                return
            }
            Task {
                await goOn.value
                withExtendedLifetime(task) {}
            }
        }
        try await fixture.start()
        try await fixture.submit()
        await fixture.notices.wait { $0.contains { if case .launched = $0 { true } else { false } } }
        try await fixture.expire(.budget)
        let run = await fixture.notices.ended()
        #expect(run.state == .expired)
        #expect(run.expirationReason == .budget)
        #expect(run.diagnostics.map(\.name).contains(.noExpirationHandler))

        try await fixture.submit()
        let gates = try await fixture.engine.explain(EmbeddedFixture.refreshIdentifier).gates
        #expect(gates.first { $0.gate == .alreadyRunning }?.verdict == .closed)
        goOn.happen()
        #expect(await fixture.notices.ended(2).state == .succeeded)
        try await fixture.stop()
    }

    @Test("the expiration handler is called once, off the loop's thread and with its reason (B24)")
    func expires() async throws {
        let fixture = try EmbeddedFixture()
        let (calls, expired) = (Locked(0), Occurrence<(ExpirationReason?, Int32)>())
        let finish = Occurrence<Void>()
        try fixture.runner.register(EmbeddedFixture.refresh) { (task: LaunchedTask) in
            task.expirationHandler = {
                calls.withLock { $0 += 1 }
                expired.happen((task.expirationReason, NamedThread.currentIdentifier))
            }
            Task {
                await finish.value
                task.setTaskCompleted(success: false)
            }
        }
        try await fixture.start()
        try await fixture.submit()
        await fixture.notices.wait { $0.contains { if case .launched = $0 { true } else { false } } }
        try await fixture.expire(.stopped)
        let (reason, thread) = await expired.value
        #expect(reason == .stopped)
        #expect(thread != (try await fixture.engine.threadNumber()))
        try await fixture.expire(.budget)
        finish.happen()
        let run = await fixture.notices.ended()
        #expect(run.state == .failed)
        #expect(run.expirationReason == .stopped)
        #expect(calls.withLock { $0 } == 1)
        try await fixture.stop()
    }

    @Test("an expiration handler is called even while the handler keeps its own queue busy")
    func busyQueues() async throws {
        let fixture = try EmbeddedFixture()
        let expired = DispatchSemaphore(value: 0)
        try fixture.runner.register(EmbeddedFixture.refresh) { (task: LaunchedTask) in
            task.expirationHandler = { expired.signal() }
            expired.wait()
            task.setTaskCompleted(success: true)
        }
        try await fixture.start()
        try await fixture.submit()
        await fixture.notices.wait { $0.contains { if case .launched = $0 { true } else { false } } }
        try await fixture.expire(.draining)
        let run = await fixture.notices.ended()
        #expect(run.state == .succeeded)
        #expect(run.expirationReason == .draining)
        try await fixture.stop()
    }

    @Test("an expiration that arrives after the completion is not delivered (B26)")
    func expiresAfterCompletion() throws {
        let channel = NotingChannel()
        let calls = Locked(0)
        let handle = RunHandle(order: try .sample(budget: nil), channel: channel) { AwakeTime(milliseconds: 0) }
        let task = LaunchedTask(handle)
        task.expirationHandler = { calls.withLock { $0 += 1 } }
        task.setTaskCompleted(success: true)
        task.expire(.budget, grace: .seconds(5))
        #expect(calls.withLock { $0 } == 0)
        #expect(task.expirationHandler == nil)
        #expect(channel.said == [.completed(.succeeded)])
    }

    @Test("a task that is dropped says so once; one that was completed only says that its code is over (B27)")
    func dropping() throws {
        for isCompleted in [false, true] {
            let channel = NotingChannel()
            let handle = RunHandle(order: try .sample(budget: nil), channel: channel) { AwakeTime(milliseconds: 0) }
            var task: LaunchedTask? = LaunchedTask(handle)
            if isCompleted { task?.setTaskCompleted(success: false) }
            #expect(channel.said == (isCompleted ? [.completed(.failed)] : []))
            task = nil
            #expect(channel.said == [.completed(isCompleted ? .failed : .abandoned), .returned])
        }
    }

    @Test("what an expiration handler held may use the task when it is let go")
    func lettingGo() throws {
        final class Holder: Sendable {
            let task: LaunchedTask
            init(_ task: LaunchedTask) { self.task = task }
            deinit { task.setTaskCompleted(success: false) }
        }
        let channel = NotingChannel()
        let handle = RunHandle(order: try .sample(budget: nil), channel: channel) { AwakeTime(milliseconds: 0) }
        let task = LaunchedTask(handle)
        var holder: Holder? = Holder(task)
        if let holder { task.expirationHandler = { [holder] in withExtendedLifetime(holder) {} } }
        holder = nil
        task.setTaskCompleted(success: true)
        #expect(channel.said == [.completed(.failed), .completed(.succeeded)])
    }

    @Test("a dropped task closes its run as abandoned (B27)")
    func abandons() async throws {
        let fixture = try EmbeddedFixture()
        try fixture.runner.register(EmbeddedFixture.refresh) { (_: LaunchedTask) in }
        try await fixture.start()
        try await fixture.submit()
        let run = await fixture.notices.ended()
        #expect(run.state == .abandoned)
        #expect(run.diagnostics.map(\.name).contains(.abandoned))
        try await fixture.stop()
    }

    @Test("a handler that goes on after its grace is left alone, and the task starts again only when it is over (B24)")
    func overruns() async throws {
        let fixture = try EmbeddedFixture { $0.policy.budgets.grace = .milliseconds(20) }
        let (goOn, starts) = (Occurrence<Void>(), Locked(0))
        try fixture.runner.register(EmbeddedFixture.refresh) { (_: TaskContext) in
            let isFirst = starts.withLock { starts in
                starts += 1
                return starts == 1
            }
            if isFirst { await goOn.value }
        }
        try await fixture.start()
        try await fixture.submit()
        await fixture.notices.wait { $0.contains { if case .launched = $0 { true } else { false } } }
        try await fixture.expire(.budget)
        let run = await fixture.notices.ended()
        #expect(run.state == .expired)
        #expect(run.diagnostics.map(\.name).contains(.overran))

        try await fixture.submit()
        let gates = try await fixture.engine.explain(EmbeddedFixture.refreshIdentifier).gates
        #expect(gates.first { $0.gate == .alreadyRunning }?.verdict == .closed)
        #expect(starts.withLock { $0 } == 1)
        goOn.happen()
        #expect(await fixture.notices.ended(2).state == .succeeded)
        #expect(fixture.notices.diagnostics.contains(.lateCompletion))
        try await fixture.stop()
    }

    @Test("a handler registered with a queue runs there")
    func queues() async throws {
        let fixture = try EmbeddedFixture()
        let queue = DispatchQueue(label: "com.example.own")
        let key = DispatchSpecificKey<Bool>()
        queue.setSpecific(key: key, value: true)
        let isThere = Occurrence<Bool>()
        try fixture.runner.register(EmbeddedFixture.refresh, using: queue) { (task: LaunchedTask) in
            isThere.happen(DispatchQueue.getSpecific(key: key) ?? false)
            task.setTaskCompleted(success: true)
        }
        try await fixture.start()
        try await fixture.submit()
        #expect(await isThere.value)
        try await fixture.stop()
    }
}
