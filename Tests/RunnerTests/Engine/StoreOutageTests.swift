import Scheduling
import Storage
import Testing

@testable import Runner

@Suite("A store that fails")
struct StoreOutageTests {
    private let full = StoreFailure(.full, "The disk is full.")
    private let gone = StoreFailure(.inputOutput, "The disk is gone.")

    @Test("a commit that fails answers storeUnavailable and changes nothing")
    func nothingIsHalfDone() async throws {
        let fixture = try EngineFixture()
        _ = await fixture.submit(after: .seconds(60))
        await fixture.settle()
        let before = try fixture.store.memory.load().requests
        fixture.store.fail(full)
        let answer = await fixture.submit(after: .seconds(10))
        #expect(answer.refusal == .storeUnavailable)
        await fixture.settle()
        #expect(try fixture.store.memory.load().requests == before)
        let pending = await fixture.engine.scheduler.pending(EngineFixture.refresh)
        #expect(pending?.floor == before.first?.floor)
        fixture.store.fail(nil)
        await fixture.advance(by: .seconds(2))
        let again = await fixture.submit(after: .seconds(10))
        #expect(again.refusal == nil)
    }

    @Test("while the store fails nothing starts, and everything due starts when it is back")
    func launchesAreHeld() async throws {
        let fixture = try EngineFixture()
        _ = await fixture.submit(after: .seconds(5))
        await fixture.settle()
        fixture.store.fail(full)
        #expect(await fixture.submit(EngineFixture.clean).refusal == .storeUnavailable)
        await fixture.advance(by: .seconds(6))
        #expect(fixture.host.launches.isEmpty)
        let explanation = await fixture.engine.explain(EngineFixture.refresh)
        #expect(explanation.gates.first { $0.gate == .storeUnavailable }?.verdict == .closed)
        fixture.store.fail(nil)
        await fixture.advance(by: .seconds(60))
        #expect(fixture.host.launches.count == 1)
    }

    @Test("a completion during an outage is kept in memory and stored when the store is back")
    func factsAreFedAgain() async throws {
        let fixture = try EngineFixture()
        _ = await fixture.submit()
        await fixture.settle()
        let run = try #require(fixture.host.launches.first)
        await fixture.feed(.handlerEntered(run, nil))
        fixture.store.fail(full)
        await fixture.feed(.processExited(run, .code(0)))
        await fixture.settle()
        #expect(try fixture.store.memory.run(run)?.state == .running)
        fixture.store.fail(nil)
        await fixture.advance(by: .seconds(60))
        #expect(try fixture.store.memory.run(run)?.state == .succeeded)
        #expect(await fixture.engine.scheduler.runningCount == 0)
    }

    @Test("an entry whose commit failed is stored later, and the run is not started again")
    func entriesAreFedAgain() async throws {
        let fixture = try EngineFixture()
        _ = await fixture.submit()
        await fixture.settle()
        let run = try #require(fixture.host.launches.first)
        fixture.store.fail(full)
        await fixture.feed(.handlerEntered(run, nil))
        fixture.store.fail(nil)
        await fixture.advance(by: .seconds(10))
        #expect(try fixture.store.memory.run(run)?.state == .running)
        await fixture.feed(.processExited(run, .code(0)))
        await fixture.advance(by: .seconds(60))
        #expect(fixture.host.launches == [run])
    }

    @Test("a claim whose commit failed never launches, and its request stays")
    func claimsAreVoid() async throws {
        let fixture = try EngineFixture()
        _ = await fixture.submit(after: .seconds(5))
        await fixture.settle()
        fixture.store.fail(full)
        await fixture.advance(by: .seconds(6))
        #expect(fixture.host.launches.isEmpty)
        #expect(await fixture.engine.scheduler.runningCount == 0)
        #expect(await fixture.engine.scheduler.pendingCount == 1)
        fixture.store.fail(nil)
        await fixture.advance(by: .seconds(60))
        #expect(fixture.host.launches.count == 1)
    }

    @Test("a budget is kept while the store fails")
    func budgetsAreKept() async throws {
        let fixture = try EngineFixture()
        _ = await fixture.submit()
        await fixture.settle()
        let run = try #require(fixture.host.launches.first)
        await fixture.feed(.handlerEntered(run, nil))
        fixture.store.fail(full)
        #expect(await fixture.submit(EngineFixture.clean).refusal == .storeUnavailable)
        await fixture.advance(by: .seconds(31))
        #expect(fixture.host.orders.last == .expire(run, .budget))
    }

    @Test("a run that the last runner left is judged, even when the commit of the judgement fails first")
    func judgementsAreRepeated() async throws {
        let memory = MemoryStore()
        let first = try EngineFixture(memory: memory)
        _ = await first.submit()
        await first.settle()
        let run = try #require(first.host.launches.first)
        await first.feed(.handlerEntered(run, nil))

        let second = try EngineFixture(memory: memory, failing: full)
        await second.settle()
        #expect(try memory.run(run)?.state == .running)
        second.store.fail(nil)
        await second.advance(by: .seconds(60))
        #expect(try memory.run(run)?.state == .interrupted)
        #expect(await second.engine.scheduler.runningCount == 0)
        #expect(await second.submit().refusal == nil)
        await second.settle()
        #expect(second.host.launches.count == 1)
    }

    @Test("a store that cannot even be read is read again later")
    func readsFailToo() async throws {
        let fixture = try EngineFixture()
        _ = await fixture.submit(after: .seconds(60))
        await fixture.settle()
        fixture.store.fail(gone, reads: gone)
        #expect(await fixture.submit(EngineFixture.clean).refusal == .storeUnavailable)
        await fixture.advance(by: .seconds(30))
        #expect(await fixture.submit(EngineFixture.clean).refusal == .storeUnavailable)
        fixture.store.fail(nil)
        await fixture.advance(by: .seconds(40))
        await fixture.advance(by: .seconds(40))
        await fixture.advance(by: .seconds(40))
        #expect(await fixture.submit(EngineFixture.clean, after: .seconds(99)).refusal == nil)
        #expect(await fixture.engine.storeFailure == nil)
        #expect(fixture.host.launches.count == 1)
    }
}

extension Engine {
    func explain(_ identifier: TaskIdentifier) -> Explanation {
        scheduler.explain(identifier, at: now())
    }
}
