import Scheduling
import Storage
import Testing

@testable import Runner

@Suite("The commit barrier")
struct BarrierTests {
    @Test("a reply leaves only after its commit (B15)")
    func replyAfterCommit() async throws {
        let fixture = try EngineFixture()
        await fixture.settle()
        fixture.store.hold()
        let call = await fixture.begin {
            .requestSubmitted(
                TaskRequest(identifier: EngineFixture.refresh, floor: WallTime(milliseconds: 4_000_000_000_000)),
                SubmissionOptions(), call: $0)
        }
        await fixture.settle()
        #expect(fixture.store.heldCount == 1)
        #expect(!call.isAnswered)
        fixture.store.release()
        await fixture.settle()
        #expect(call.isAnswered)
        #expect(try fixture.store.memory.load().requests.map(\.identifier) == [EngineFixture.refresh])
    }

    @Test("what is submitted while a commit is under way shares the next one")
    func groupCommit() async throws {
        let fixture = try EngineFixture()
        await fixture.settle()
        let before = fixture.store.batches.count
        fixture.store.hold()
        var calls: [Pending] = []
        for number in 0..<100 {
            let identifier = number.isMultiple(of: 2) ? EngineFixture.refresh : EngineFixture.clean
            calls.append(
                await fixture.begin {
                    .requestSubmitted(
                        TaskRequest(identifier: identifier, floor: WallTime(milliseconds: 4_000_000_000_000)),
                        SubmissionOptions(), call: $0)
                })
        }
        await fixture.settle()
        fixture.store.releaseOne()
        await fixture.settle()
        #expect(fixture.store.heldCount == 1)
        fixture.store.release()
        await fixture.settle()
        #expect(calls.filter { !$0.isAnswered }.isEmpty)
        #expect(fixture.store.batches.count - before == 2)
    }

    @Test("a read that may have seen what is uncommitted waits for the commit")
    func readsWait() async throws {
        let fixture = try EngineFixture()
        await fixture.settle()
        fixture.store.hold()
        _ = await fixture.begin {
            .requestSubmitted(TaskRequest(identifier: EngineFixture.refresh), SubmissionOptions(), call: $0)
        }
        await fixture.settle()
        let answered = Pending()
        await fixture.engine.afterCommitSet(answered)
        await fixture.settle()
        #expect(!answered.isAnswered)
        fixture.store.release()
        await fixture.settle()
        #expect(answered.isAnswered)
    }

    @Test("a launch waits for the commit of its claim, an expiration for nothing")
    func launchesWaitExpirationsDoNot() async throws {
        let fixture = try EngineFixture()
        _ = await fixture.submit(EngineFixture.refresh)
        await fixture.settle()
        let run = try #require(fixture.host.launches.first)
        await fixture.feed(.handlerEntered(run, nil))
        fixture.store.hold()
        _ = await fixture.begin {
            .requestSubmitted(TaskRequest(identifier: EngineFixture.clean), SubmissionOptions(), call: $0)
        }
        _ = await fixture.begin { .stopAsked(identifier: EngineFixture.refresh, run: nil, call: $0) }
        await fixture.settle()
        #expect(fixture.host.orders.last == .expire(run, .stopped))
        #expect(fixture.host.launches.count == 1)
        fixture.store.release()
        await fixture.settle()
        #expect(fixture.host.launches.count == 2)
    }

    @Test("a floor is waited for with a timer, and never passed early (B14)")
    func floors() async throws {
        let fixture = try EngineFixture()
        _ = await fixture.submit(after: .seconds(10))
        await fixture.settle()
        #expect(fixture.clock.wakeup.wall == VirtualClock.start.wall.advanced(by: .seconds(10)))
        await fixture.advance(by: .milliseconds(9_999))
        #expect(fixture.host.launches.isEmpty)
        await fixture.advance(by: .milliseconds(1))
        #expect(fixture.host.launches.count == 1)
    }
}

extension Engine {
    func afterCommitSet(_ pending: Pending) {
        afterCommit { _ in pending.set(.reply(.done)) }
    }
}
