import FoundationEssentials
import Recording
import Scheduling
import Storage
import Testing

@testable import Runner

@Suite("The engine")
struct EngineTests {
    @Test("a run that ends answers who waits for it, a timeout answers the others")
    func waits() async throws {
        let fixture = try EngineFixture()
        _ = await fixture.submit()
        await fixture.settle()
        let run = try #require(fixture.host.launches.first)
        await fixture.feed(.handlerEntered(run, nil))
        let (patient, hasty) = (Pending(), Pending())
        await fixture.engine.wait(for: run, timeout: nil, patient)
        await fixture.engine.wait(for: run, timeout: .seconds(2), hasty)
        await fixture.advance(by: .seconds(2))
        #expect(hasty.isAnswered)
        #expect(!patient.isAnswered)
        await fixture.feed(.processExited(run, .code(0)))
        guard case .reply(.run(let record)) = patient.value else {
            Issue.record("the wait gave no run")
            return
        }
        #expect(record.state == .succeeded)
        #expect(record.endedAt != nil)
    }

    @Test("draining waits for runs, then expires them, and says once that it is done")
    func drains() async throws {
        let fixture = try EngineFixture()
        _ = await fixture.submit()
        await fixture.settle()
        let run = try #require(fixture.host.launches.first)
        await fixture.feed(.handlerEntered(run, nil))
        let drained = Pending()
        await fixture.engine.onDrainedSet(drained)
        await fixture.engine.drain(grace: .seconds(10))
        _ = await fixture.submit(EngineFixture.clean)
        await fixture.advance(by: .seconds(9))
        #expect(fixture.host.orders.count == 1)
        await fixture.advance(by: .seconds(1))
        #expect(fixture.host.orders.last == .expire(run, .draining))
        #expect(!drained.isAnswered)
        await fixture.feed(.processExited(run, .signal(15)))
        #expect(drained.isAnswered)
        #expect(try fixture.store.memory.load().runner.stoppedCleanly)
    }

    @Test("a restart finds what was pending, and a run that was entered is interrupted")
    func restarts() async throws {
        let memory = MemoryStore()
        let first = try EngineFixture(memory: memory)
        _ = await first.submit(EngineFixture.clean, after: .seconds(600))
        _ = await first.submit()
        await first.settle()
        let run = try #require(first.host.launches.first)
        await first.feed(.handlerEntered(run, nil))

        let second = try EngineFixture(memory: memory)
        await second.settle()
        #expect(await second.engine.scheduler.pending(EngineFixture.clean) != nil)
        #expect(try memory.run(run)?.state == .interrupted)
        #expect(second.host.launches.isEmpty)
        #expect(await second.engine.scheduler.recovered == .crash)
    }

    @Test("a start that a crash caught before the entry comes back with its attempt one higher")
    func repeatsStarts() async throws {
        let memory = MemoryStore()
        let first = try EngineFixture(memory: memory)
        _ = await first.submit()
        await first.settle()
        #expect(first.host.launches.count == 1)

        let second = try EngineFixture(memory: memory)
        await second.advance(by: .seconds(11))
        guard case .launch(_, EngineFixture.refresh, let attempt) = second.host.orders.first else {
            Issue.record("the request did not come back")
            return
        }
        #expect(attempt == 2)
    }

    @Test("a recording, lived through again, ends in the same state")
    func recordings() async throws {
        let lines = Lines()
        let memory = MemoryStore()
        // Before the fixture starts: from then on its loop stores that it did.
        let contents = try memory.load()
        let fixture = try EngineFixture(memory: memory)
        let recorder = Recorder(
            policy: .prompt, contents: contents, boot: BootIdentifier("boot"), at: fixture.clock.now(), writer: "test"
        ) { lines.append($0) }
        await fixture.engine.record(to: recorder)
        _ = await fixture.submit(after: .seconds(5))
        await fixture.advance(by: .seconds(5))
        let run = try #require(fixture.host.launches.first)
        await fixture.feed(.handlerEntered(run, nil))
        await fixture.feed(.processExited(run, .code(3)))
        _ = await fixture.submit(EngineFixture.clean, after: .seconds(7))

        var scheduler = try #require(lines.scheduler)
        let at = try #require(lines.start)
        // What the fixture had fed before it was recorded.
        let started = await fixture.engine.options.start
        for event in [Event.started(started), .appLoaded(EngineFixture.description), .loadingFinished] {
            _ = scheduler.handle(event, at: at)
        }
        var ended: [RunRecord] = []
        for (event, moment, recorded) in lines.events {
            let effects = scheduler.handle(event, at: moment)
            #expect(effects == recorded)
            for case .publish(.ended(let record)) in effects { ended.append(record) }
        }
        let now = fixture.clock.now()
        let original = await fixture.engine.explain(EngineFixture.clean)
        #expect(scheduler.explain(EngineFixture.clean, at: now).gates == original.gates)
        #expect(ended.map(\.state) == [.failed])
        #expect(try fixture.store.memory.run(run)?.message == ended.first?.message)
    }
}

/// Lines that a recorder wrote.
///
/// Unchecked because the engine's loop writes them and the test reads them after it has settled.
private final class Lines: @unchecked Sendable {
    private var all: [RecordingLine] = []

    func append(_ line: [UInt8]) {
        // The first line is a header, which is none of these.
        if let line = try? JSONDecoder().decode(RecordingLine.self, from: Data(line)) { all.append(line) }
    }

    var start: Moment? {
        if case .start(_, _, _, let at) = all.first { at } else { nil }
    }

    /// A scheduler in the starting state.
    var scheduler: Scheduler? {
        guard case .start(let policy, let contents, let boot, let at) = all.first else { return nil }
        return Scheduler(policy: policy, contents: contents, boot: boot, at: at)
    }

    /// Each event, with the effects of the line after it.
    var events: [(Event, Moment, [Effect])] {
        zip(all, all.dropFirst()).compactMap { line, next in
            guard case .event(let event, let at) = line, case .effects(let effects) = next else { return nil }
            return (event, at, effects)
        }
    }
}

extension Engine {
    func wait(for run: RunIdentifier, timeout: Duration?, _ pending: Pending) {
        _ = waitForEnd(of: run, timeout: timeout) { outcome in
            switch outcome {
            case .ended(let record): pending.set(.reply(.run(record)))
            case .timedOut: pending.set(.reply(.done))
            }
        }
    }

    func onDrainedSet(_ pending: Pending) {
        onDrained { pending.set(.reply(.done)) }
    }

    func record(to recorder: Recorder) {
        self.recorder = recorder
    }
}
