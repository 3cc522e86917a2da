import Testing

@testable import Scheduling

struct ClosureLogTests {
    @Test("the closed time within a span is told by gate, and never twice")
    func overlapsAreCountedOnce() {
        var log = ClosureLog()
        log.close(.paused, at: BootTime(milliseconds: 10))
        log.close(.storeUnavailable, at: BootTime(milliseconds: 20))
        log.close(.paused, at: BootTime(milliseconds: 25))
        log.open(.paused, at: BootTime(milliseconds: 30))
        log.open(.draining, at: BootTime(milliseconds: 35))
        log.open(.storeUnavailable, at: BootTime(milliseconds: 40))
        log.close(.draining, at: BootTime(milliseconds: 90))
        let overlaps = log.overlaps(from: 0, to: 100)
        #expect(overlaps.map(\.0) == [.paused, .storeUnavailable, .draining])
        #expect(overlaps.map(\.1) == [20, 10, 10])
        #expect(log.overlaps(from: 15, to: 18).map(\.1) == [3])
        #expect(log.overlaps(from: 50, to: 80).isEmpty)
    }
}
