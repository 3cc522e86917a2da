import Scheduling
import Testing

@Suite("Discretionary transfers, beside the scheduler")
struct DiscretionaryTransfersTests {
    private func moment(_ minutes: Int64) -> Moment {
        Moment(
            wall: WallTime(milliseconds: minutes * 60_000), boot: BootTime(milliseconds: minutes * 60_000),
            awake: AwakeTime(milliseconds: minutes * 60_000))
    }

    @Test("a transfer waits for power and an unmetered network")
    func conditions() {
        var transfers = DiscretionaryTransfers()
        let outcome1 = transfers.asked(takes: .minutes(10), at: moment(0))
        #expect(outcome1.outcomes.isEmpty)
        let outcome2 = transfers.changed(hasPower: true, network: .metered, at: moment(1))
        #expect(outcome2.isEmpty)
        let outcome3 = transfers.changed(hasPower: false, network: .unmetered, at: moment(2))
        #expect(outcome3.isEmpty)
        let outcome4 = transfers.changed(hasPower: true, network: .unmetered, at: moment(3))
        #expect(outcome4 == [.started(1)])
        #expect(transfers.deadline == moment(13).boot)
        let outcome5 = transfers.passed(at: moment(12))
        #expect(outcome5.isEmpty)
        let outcome6 = transfers.passed(at: moment(13))
        #expect(outcome6 == [.ended(1)])
        #expect(transfers.deadline == nil)
    }

    @Test("what was moved stays moved when a condition is lost")
    func pauses() {
        var transfers = DiscretionaryTransfers()
        _ = transfers.changed(hasPower: true, network: .unmetered, at: moment(0))
        _ = transfers.asked(takes: .minutes(10), at: moment(0))
        let outcome7 = transfers.changed(hasPower: false, network: .unmetered, at: moment(6))
        #expect(outcome7 == [.paused(1)])
        #expect(transfers.deadline == nil)
        let outcome8 = transfers.changed(hasPower: true, network: .unmetered, at: moment(20))
        #expect(outcome8 == [.started(1)])
        #expect(transfers.deadline == moment(24).boot)
    }

    @Test("they go one by one, in order")
    func order() {
        var transfers = DiscretionaryTransfers()
        _ = transfers.changed(hasPower: true, network: .unmetered, at: moment(0))
        _ = transfers.asked(takes: .minutes(1), at: moment(0))
        let outcome9 = transfers.asked(takes: .minutes(1), at: moment(0))
        #expect(outcome9.outcomes.isEmpty)
        let outcome10 = transfers.passed(at: moment(1))
        #expect(outcome10 == [.ended(1), .started(2)])
        let outcome11 = transfers.passed(at: moment(2))
        #expect(outcome11 == [.ended(2)])
    }

    @Test("what was moved stays moved when the device is turned off, and the rest waits for its conditions")
    func boots() {
        var transfers = DiscretionaryTransfers()
        _ = transfers.changed(hasPower: true, network: .unmetered, at: moment(100))
        _ = transfers.asked(takes: .minutes(10), at: moment(100))
        let off = transfers.turnedOff(at: moment(106))
        #expect(off == [.paused(1)])
        #expect(transfers.deadline == nil)
        // The boot clock has begun anew.
        let nothing = transfers.passed(at: moment(1))
        #expect(nothing == [])
        let back = transfers.changed(hasPower: true, network: .unmetered, at: moment(1))
        #expect(back == [.started(1)])
        #expect(transfers.deadline == moment(5).boot)
    }
}
