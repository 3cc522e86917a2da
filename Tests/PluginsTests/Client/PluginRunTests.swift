import Platform
import Plugins
import RPC
import Scheduling
import TestSupport
import Testing

@Suite("The runs of a plugin", .serialized, .timeLimit(.minutes(1)))
struct PluginRunTests {
    private static let run = RunIdentifier(1)

    private func async(_ body: @escaping @Sendable (TaskContext) async throws -> Void) throws -> FakeRunner {
        let runner = try FakeRunner(
            ClosurePlugin { registry in try registry.register(FakeRunner.refresh, handler: body) })
        try runner.welcome()
        return runner
    }

    private func explicit(_ body: @escaping @Sendable (LaunchedTask) -> Void) throws -> FakeRunner {
        let runner = try FakeRunner(
            ClosurePlugin { registry in try registry.register(FakeRunner.refresh, launchHandler: body) })
        try runner.welcome()
        return runner
    }

    private func completion(_ runner: FakeRunner) throws -> CompleteMessage {
        try CompleteMessage(fromPlugin: runner.receive(.complete).params)
    }

    @Test("a handler knows its run, and what is left of its budget")
    func context() async throws {
        let seen = Occurrence<(TaskIdentifier, Int64, TaskKind, RunOrigin, Int, Duration?)>()
        let runner = try async { task in
            seen.happen((task.identifier, task.runNumber, task.kind, task.origin, task.attempt, task.remainingTime))
        }
        try runner.launch(9, budget: .seconds(30))
        let (identifier, run, kind, origin, attempt, remaining) = await seen.value
        #expect(identifier.text == FakeRunner.refresh)
        #expect((run, kind, origin, attempt) == (9, .appRefresh, .scheduled, 1))
        let left = try #require(remaining)
        #expect(left <= .seconds(30) && left > .seconds(20))
    }

    @Test("a handler that throws fails with the error's words")
    func throwing() throws {
        struct Down: Error, CustomStringConvertible { let description = "the server is down" }
        let runner = try async { _ in throw Down() }
        try runner.launch(1)
        let complete = try completion(runner)
        #expect(complete == CompleteMessage(run: Self.run, result: .failed, message: "the server is down"))
    }

    @Test("an async handler is cancelled on expiration, and can read why (B28)")
    func expiresAsync() async throws {
        let (cancelled, reason) = (Occurrence<Void>(), Occurrence<(ExpirationReason?, Duration?)>())
        let runner = try async { task in
            await withTaskCancellationHandler {
                await cancelled.value
            } onCancel: {
                cancelled.happen()
            }
            reason.happen((task.expirationReason, task.remainingTime))
            try Task.checkCancellation()
        }
        try runner.launch(1)
        runner.send(.expire, ExpireMessage(run: Self.run, reason: .conditionLost, grace: .seconds(5)))
        #expect(try completion(runner).result == .failed)
        let (why, remaining) = await reason.value
        #expect(why == .conditionLost)
        let left = try #require(remaining)
        #expect(left <= .seconds(5) && left > .zero)
    }

    @Test("an explicit handler has its expiration handler called once (B24)")
    func expiresExplicit() throws {
        let (kept, calls) = (Locked<LaunchedTask?>(nil), Locked(0))
        let runner = try explicit { task in
            task.expirationHandler = { [weak task] in
                calls.withLock { $0 += 1 }
                task?.setTaskCompleted(success: true)
            }
            kept.withLock { $0 = task }
        }
        try runner.launch(1)
        let expire = ExpireMessage(run: Self.run, reason: .budget, grace: .seconds(5))
        runner.withOneWrite {
            runner.send(.expire, expire)
            runner.send(.expire, expire)
        }
        #expect(try completion(runner) == CompleteMessage(run: Self.run, result: .succeeded))
        // Whatever it has to say comes before its end, which closes its channel once nobody has the task.
        kept.withLock { $0 = nil }
        runner.send(.shutdown, ShutdownMessage(reason: .idle, grace: .zero))
        #expect(try runner.rest().isEmpty)
        #expect(calls.withLock { $0 } == 1)
    }

    @Test("without an expiration handler the run is closed at once, and its end is told too (B25)")
    func noExpirationHandler() throws {
        let kept = Locked<LaunchedTask?>(nil)
        let runner = try explicit { task in kept.withLock { $0 = task } }
        try runner.launch(1)
        runner.send(.expire, ExpireMessage(run: Self.run, reason: .budget, grace: .seconds(5)))
        let closed = try runner.receive(.complete)
        #expect(try CompleteMessage(fromPlugin: closed.params).result == .noExpirationHandler)
        try runner.reply(closed, CompleteResult(accepted: true))
        kept.withLock { $0 }?.setTaskCompleted(success: true)
        #expect(try completion(runner).result == .succeeded)
    }

    @Test("without an expiration handler, a task that is dropped later still tells its end")
    func noExpirationHandlerThenDropped() throws {
        let kept = Locked<LaunchedTask?>(nil)
        let runner = try explicit { task in kept.withLock { $0 = task } }
        try runner.launch(1)
        runner.send(.expire, ExpireMessage(run: Self.run, reason: .budget, grace: .seconds(5)))
        #expect(try completion(runner).result == .noExpirationHandler)
        let last = kept.withLock { task in
            defer { task = nil }
            return task
        }
        #expect(last != nil)
        _ = consume last
        #expect(try completion(runner).result == .abandoned)
    }

    @Test("a task that is dropped closes its run as abandoned (B27)")
    func dropped() throws {
        let runner = try explicit { _ in }
        try runner.launch(1)
        #expect(try completion(runner).result == .abandoned)
    }

    @Test("a completion says whether it was in time (B26)", arguments: [true, false])
    func accepted(_ accepted: Bool) async throws {
        let answer = Occurrence<Bool>()
        let runner = try explicit { task in
            // Not on the executor that tests wait on.
            Task(executorPreference: HandlerQueue(label: "test")) {
                answer.happen(await task.complete(success: true, message: "done"))
            }
        }
        try runner.launch(1)
        let message = try runner.receive(.complete)
        #expect(try CompleteMessage(fromPlugin: message.params).message == "done")
        try runner.reply(message, CompleteResult(accepted: accepted))
        #expect(await answer.value == accepted)
    }

    @Test("a handler that comes too late still tells that it is over")
    func tooLate() async throws {
        let goOn = Occurrence<Void>()
        let runner = try async { _ in await goOn.value }
        try runner.launch(1)
        runner.send(.expire, ExpireMessage(run: Self.run, reason: .budget, grace: .zero))
        goOn.happen()
        let message = try runner.receive(.complete)
        #expect(try CompleteMessage(fromPlugin: message.params).result == .succeeded)
        try runner.reply(message, CompleteResult(accepted: false))
        try runner.launch(2)
        #expect(try completion(runner).run == RunIdentifier(2))
    }

    @Test("an expiration of a run that has ended is not delivered")
    func expiredAfterwards() throws {
        let runner = try async { _ in }
        try runner.launch(1)
        #expect(try completion(runner).run == Self.run)
        runner.send(.expire, ExpireMessage(run: Self.run, reason: .budget, grace: .seconds(5)))
        try runner.launch(2)
        #expect(try completion(runner).run == RunIdentifier(2))
    }

    @Test("three hundred runs at once all end as they should")
    func manyRuns() throws {
        let runner = try async { task in
            task.reportProgress(1)
            if task.runNumber % 2 == 0 { throw CancellationError() }
        }
        for run in 1...300 { try runner.sendLaunch(Int64(run)) }
        var completions: [Int64: RunResult] = [:]
        while completions.count < 300 {
            let message = try runner.receive()
            guard message.method == .complete else { continue }
            let complete = try CompleteMessage(fromPlugin: message.params)
            #expect(completions.updateValue(complete.result, forKey: complete.run.number) == nil)
            try runner.reply(message, CompleteResult(accepted: true))
        }
        for run in 1...300 { #expect(completions[Int64(run)] == (run % 2 == 0 ? .failed : .succeeded)) }
    }

    // MARK: - Requests

    @Test("a handler submits, cancels and lists the requests of its app")
    func requests() async throws {
        let (submission, cancelled, all, pending) = (
            Occurrence<Submission>(), Occurrence<Bool>(), Occurrence<Int>(), Occurrence<[TaskRequest]>()
        )
        let request = try TaskRequest(FakeRunner.refresh, requiresExternalPower: true)
        let runner = try async { task in
            submission.happen(try await task.submit(request, ifPending: .keepEarlier))
            cancelled.happen(try await task.app.cancel(request.identifier))
            all.happen(try await task.app.cancelAll())
            pending.happen(try await task.app.pendingRequests())
        }
        try runner.launch(1)
        let submit = try runner.receive(.submit)
        let asked = try SubmitMessage(fromPlugin: submit.params)
        #expect(asked.request == request)
        #expect(asked.options.ifPending == .keepEarlier)
        let kept = PendingRequest(
            identifier: request.identifier, app: FakeRunner.app, kind: .processing,
            floor: WallTime(milliseconds: 1_900_000_000_000), submittedAt: WallTime(milliseconds: 1),
            submittedBoot: BootTime(milliseconds: 1), bootIdentifier: BootIdentifier("b"), submission: 1)
        try runner.reply(submit) { SubmitResult.write(SubmissionResult(outcome: .kept, request: kept), into: &$0) }
        let cancel = try runner.receive(.cancel)
        #expect(try CancelMessage(fromPlugin: cancel.params).identifier == request.identifier)
        try runner.reply(cancel) { CancelResult.write(kept, into: &$0) }
        try runner.reply(runner.receive(.cancelAll), CancelAllResult(cancelled: 4))
        // Two pages.
        try runner.reply(runner.receive(.pending)) { PendingResult.write([kept], next: Cursor.text(1), into: &$0) }
        let second = try runner.receive(.pending)
        #expect(try PendingMessage(fromPlugin: second.params).after == Cursor.text(1))
        try runner.reply(second) { PendingResult.write([kept], next: nil, into: &$0) }
        #expect(try completion(runner).result == .succeeded)
        #expect(await submission.value.outcome == .kept)
        #expect(await submission.value.floor == kept.floor)
        #expect(await cancelled.value)
        #expect(await all.value == 4)
        #expect(await pending.value == [kept.asked, kept.asked])
    }

    @Test("a refused submission is thrown with the runner's sentence")
    func refusedSubmission() async throws {
        let thrown = Occurrence<Refusal>()
        let request = try TaskRequest(FakeRunner.refresh)
        let runner = try async { task in
            do throws(Refusal) { try await task.submit(request) } catch { thrown.happen(error) }
        }
        try runner.launch(1)
        let refusal = Refusal(.notPermitted, "Another app's.", nearest: "com.example.mail.refresh")
        try runner.reply(runner.receive(.submit), refusal)
        #expect(await thrown.value == refusal)
    }

    @Test("who waits for an answer when the runner goes is told")
    func runnerGone() async throws {
        let thrown = Occurrence<Refusal>()
        let request = try TaskRequest(FakeRunner.refresh)
        let runner = try async { task in
            do throws(Refusal) { try await task.submit(request) } catch { thrown.happen(error) }
        }
        try runner.launch(1)
        _ = try runner.receive(.submit)
        runner.hangUp()
        #expect(await thrown.value.kind == .unavailable)
        #expect(try runner.waitForEnding() == .ended)
    }
}
