import Platform
import Plugins
import RPC
import Scheduling
import TestSupport
import Testing

@Suite("How a plugin ends, and what a slow runner does to it", .serialized, .timeLimit(.minutes(1)))
struct PluginEndingTests {
    private func runner(
        _ body: @escaping @Sendable (TaskContext) async throws -> Void
    ) throws -> FakeRunner {
        let runner = try FakeRunner(
            ClosurePlugin { registry in try registry.register(FakeRunner.refresh, handler: body) })
        try runner.welcome()
        return runner
    }

    @Test("on the end of the stream it ends at once, whatever runs")
    func endOfFile() async throws {
        let (entered, never) = (Occurrence<Void>(), Occurrence<Void>())
        let runner = try runner { _ in
            entered.happen()
            await never.value
        }
        try runner.launch(1)
        await entered.value
        runner.hangUp()
        #expect(try runner.waitForEnding() == .ended)
        #expect(runner.complaints.isEmpty)
        never.happen()
    }

    @Test("a shutdown expires what runs, and its grace lets that end after the end of the stream")
    func shutdown() async throws {
        let (reason, goOn, ended) = (Occurrence<ExpirationReason?>(), Occurrence<Void>(), Occurrence<Void>())
        let runner = try runner { task in
            await withTaskCancellationHandler {
                await goOn.value
            } onCancel: {
                reason.happen(task.expirationReason)
            }
            ended.happen()
        }
        try runner.launch(1)
        runner.send(.shutdown, ShutdownMessage(reason: .bundleChanged, grace: .seconds(60)))
        runner.finishSending()
        #expect(await reason.value == .appStopping)
        #expect(!runner.hasEnded)
        goOn.happen()
        // The other direction is still open.
        let messages = try runner.rest()
        #expect(messages.map(\.method) == [.complete])
        #expect(ended.hasHappened)
        #expect(try runner.waitForEnding() == .ended)
    }

    @Test("a draining runner's shutdown says so to the handlers")
    func draining() async throws {
        let reason = Occurrence<ExpirationReason?>()
        let runner = try runner { task in
            await withTaskCancellationHandler {
                _ = await reason.value
            } onCancel: {
                reason.happen(task.expirationReason)
            }
        }
        try runner.launch(1)
        runner.send(.shutdown, ShutdownMessage(reason: .draining, grace: .seconds(60)))
        #expect(await reason.value == .draining)
        runner.hangUp()
        #expect(try runner.waitForEnding() == .ended)
    }

    @Test("when the grace of a shutdown is over it ends, with the stream still open")
    func graceOver() async throws {
        let never = Occurrence<Void>()
        let runner = try runner { _ in await never.value }
        try runner.launch(1)
        runner.send(.shutdown, ShutdownMessage(reason: .overran, grace: .milliseconds(1)))
        #expect(try runner.waitForEnding() == .ended)
        never.happen()
    }

    @Test("what a plugin does after launching is cancelled by a shutdown")
    func launchedIsCancelled() async throws {
        let cancelled = Occurrence<Void>()
        let runner = try FakeRunner(
            ClosurePlugin(launching: { app in
                await withTaskCancellationHandler {
                    await cancelled.value
                } onCancel: {
                    cancelled.happen()
                }
            }))
        try runner.welcome()
        runner.send(.shutdown, ShutdownMessage(reason: .idle, grace: .seconds(60)))
        await cancelled.value
        runner.hangUp()
        #expect(try runner.waitForEnding() == .ended)
    }

    @Test("progress never waits for a runner that does not read: only the newest of each run is kept")
    func progress() async throws {
        let (reported, goOn) = (Occurrence<Void>(), Occurrence<Void>())
        let count = 20_000
        let title = String(repeating: "t", count: 1_000)
        let runner = try runner { task in
            for step in 1...count { task.reportProgress(Double(step) / Double(count), title: title) }
            reported.happen()
            await goOn.value
        }
        try runner.launch(1)
        // Nothing is read until all was said: 20 MB would not fit anywhere.
        await reported.value
        goOn.happen()
        var fractions: [Double] = []
        while true {
            let message = try runner.receive()
            guard message.method == .progress else {
                #expect(message.method == .complete)
                break
            }
            fractions.append(try ProgressMessage(fromPlugin: message.params).progress.fraction)
        }
        #expect(fractions.count < count / 2)
        #expect(fractions == fractions.sorted())
        #expect(fractions.last == 1)
    }

    @Test("a log that nobody reads is bounded, and says how much was lost")
    func log() async throws {
        let logged = Occurrence<Void>()
        let count = 5_000
        let line = String(repeating: "l", count: 1_000)
        let runner = try runner { task in
            for number in 1...count { task.log("\(number) \(line)", level: .debug) }
            logged.happen()
        }
        try runner.launch(1)
        await logged.value
        var (kept, lost, isComplete) = (0, 0, false)
        while !isComplete || kept + lost < count {
            let message = try runner.receive()
            if message.method == .complete {
                isComplete = true
                continue
            }
            let log = try LogMessage(fromPlugin: message.params)
            if log.level == .warning {
                lost += try #require(Int(log.message.prefix { $0.isNumber }))
            } else {
                kept += 1
            }
        }
        #expect(kept + lost == count)
        #expect(lost > count / 2)
    }

    @Test("requests that a runner does not read are refused at some point, and completions never are")
    func tooManyRequests() async throws {
        let (allRefused, refusals) = (Occurrence<Void>(), Locked(0))
        let runner = try runner { task in
            await withTaskGroup { group in
                for _ in 1...600 {
                    group.addTask {
                        do throws(Refusal) {
                            _ = try await task.app.cancel(task.identifier)
                        } catch {
                            let count = refusals.withLock { refusals in
                                if error.kind == .limitExceeded { refusals += 1 }
                                return refusals
                            }
                            if count == 88 { allRefused.happen() }
                        }
                    }
                }
            }
        }
        try runner.launch(1)
        let messages = try (1...512).map { _ in try runner.receive(.cancel) }
        await allRefused.value
        for message in messages { try runner.reply(message) { CancelResult.write(nil, into: &$0) } }
        _ = try runner.receive(.complete)
        #expect(refusals.withLock { $0 } == 88)
    }
}
