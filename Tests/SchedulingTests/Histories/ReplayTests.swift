import Foundation
import Scheduling
import Testing

/// The same events have the same effects, so that a record can be lived through again.
struct ReplayTests {
    @Test("a history that is played again has the same effects, one by one", arguments: 0..<40)
    func replaysAreEqual(seed: Int) {
        var history = RandomHistory(seed: UInt64(seed), records: true)
        history.live(steps: 40, endsQuietly: false)
        for (life, effects) in zip(history.tape?.lives ?? [], history.tape?.effects ?? []) {
            #expect(life.replay() == effects)
        }
        #expect(history.tape?.lives.isEmpty == false)
    }

    @Test("events, moments and contents survive JSON, and play as before", arguments: 0..<10)
    func recordsSurviveJSON(seed: Int) throws {
        var history = RandomHistory(seed: UInt64(seed), records: true)
        history.live(steps: 30, endsQuietly: false)
        let lives = history.tape?.lives ?? []
        let read = try JSONDecoder().decode([Life].self, from: JSONEncoder().encode(lives))
        #expect(read == lives)
        #expect(read.map { $0.replay() } == history.tape?.effects)
    }

    @Test("two schedulers that are copies of one value do not share anything")
    func schedulersAreValues() {
        var timeline = Timeline()
        timeline.submit(Fixture.task("refresh"), after: .hours(1))
        let copy = timeline
        timeline.cancel(Fixture.task("refresh"))
        #expect(copy.pending(Fixture.task("refresh")) != nil)
        #expect(timeline.pending(Fixture.task("refresh")) == nil)
    }
}
