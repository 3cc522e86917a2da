import Scheduling
import Testing

@Suite("The legacy fetch call, beside the scheduler")
struct LegacyFetchTests {
    private func moment(_ minutes: Int64) -> Moment {
        Moment(
            wall: WallTime(milliseconds: minutes * 60_000), boot: BootTime(milliseconds: minutes * 60_000),
            awake: AwakeTime(milliseconds: minutes * 60_000))
    }

    @Test("a grant calls it when its interval has passed")
    func interval() {
        var fetch = LegacyFetch(minimumInterval: .minutes(30))
        let outcome1 = fetch.granted(at: moment(0))
        #expect(outcome1)
        let outcome2 = fetch.granted(at: moment(29))
        #expect(!outcome2)
        let outcome3 = fetch.granted(at: moment(30))
        #expect(outcome3)
    }

    @Test("nothing new or a failure lengthens the interval, new data shortens it, between its ends")
    func feedback() {
        var fetch = LegacyFetch(minimumInterval: .minutes(30))
        fetch.fetched(.newData)
        #expect(fetch.interval == .minutes(30))
        fetch.fetched(.noData)
        #expect(fetch.interval == .hours(1))
        fetch.fetched(.failed)
        #expect(fetch.interval == .hours(2))
        fetch.fetched(.newData)
        #expect(fetch.interval == .hours(1))
        for _ in 0..<20 { fetch.fetched(.failed) }
        #expect(fetch.interval == .hours(24))
    }

    @Test("a force quit and the refresh switch stop it")
    func stopped() {
        var fetch = LegacyFetch(minimumInterval: .minutes(30))
        fetch.forceQuit()
        let outcome4 = fetch.granted(at: moment(0))
        #expect(!outcome4)
        fetch.opened()
        fetch.switched(on: false)
        let outcome5 = fetch.granted(at: moment(0))
        #expect(!outcome5)
        fetch.switched(on: true)
        let outcome6 = fetch.granted(at: moment(0))
        #expect(outcome6)
    }

    @Test("a boot brings no fetch earlier, nor later: the time since the last one goes on")
    func boots() {
        var fetch = LegacyFetch(minimumInterval: .minutes(30))
        let first = fetch.granted(at: moment(1_000))
        #expect(first)
        // Ten minutes later the device has booted.
        func after(_ minutes: Int64) -> Moment {
            Moment(
                wall: moment(1_010 + minutes).wall, boot: moment(minutes).boot, awake: moment(minutes).awake)
        }
        fetch.rebooted(at: after(0))
        let early = fetch.granted(at: after(19))
        #expect(!early)
        let due = fetch.granted(at: after(20))
        #expect(due)
    }

    @Test("a clock that was ahead before the boot holds a fetch for one interval at most")
    func bootsWithClocksAhead() {
        var fetch = LegacyFetch(minimumInterval: .minutes(30))
        _ = fetch.granted(at: moment(1_000))
        fetch.rebooted(at: moment(10))
        let early = fetch.granted(at: moment(39))
        #expect(!early)
        let due = fetch.granted(at: moment(40))
        #expect(due)
    }
}
