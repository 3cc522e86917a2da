import Scheduling
import Testing

@Suite("Silent pushes, beside the scheduler")
struct SilentPushesTests {
    private func moment(_ minutes: Int64) -> Moment {
        Moment(
            wall: WallTime(milliseconds: 1_772_409_600_000 + minutes * 60_000),
            boot: BootTime(milliseconds: minutes * 60_000), awake: AwakeTime(milliseconds: minutes * 60_000))
    }

    @Test("only the newest is held, and a grant delivers it once")
    func newestIsHeld() {
        var pushes = SilentPushes()
        let outcome1 = pushes.sent(at: moment(0))
        #expect(outcome1.isEmpty)
        let outcome2 = pushes.sent(at: moment(1))
        #expect(outcome2.map(number) == ["superseded 1"])
        let outcome3 = pushes.granted(at: moment(2))
        #expect(outcome3.map(number) == ["delivered 2"])
        let outcome4 = pushes.granted(at: moment(60))
        #expect(outcome4.isEmpty)
    }

    @Test("the background gets one each 20 minutes, an open takes what is held at once")
    func rate() {
        var pushes = SilentPushes()
        _ = pushes.sent(at: moment(0))
        let outcome5 = pushes.granted(at: moment(0))
        #expect(outcome5.count == 1)
        _ = pushes.sent(at: moment(1))
        let outcome6 = pushes.granted(at: moment(19))
        #expect(outcome6.isEmpty)
        let outcome7 = pushes.granted(at: moment(20))
        #expect(outcome7.map(number) == ["delivered 2"])
        _ = pushes.sent(at: moment(21))
        let outcome8 = pushes.opened(at: moment(22))
        #expect(outcome8.map(number) == ["delivered 3"])
    }

    @Test("a force quit discards what is held and what comes, until the app is opened")
    func forceQuit() {
        var pushes = SilentPushes()
        _ = pushes.sent(at: moment(0))
        let outcome9 = pushes.forceQuit()
        #expect(outcome9.map(number) == ["discarded 1"])
        let outcome10 = pushes.sent(at: moment(1))
        #expect(outcome10.map(number) == ["discarded 2"])
        let outcome11 = pushes.opened(at: moment(2))
        #expect(outcome11.isEmpty)
        let outcome12 = pushes.sent(at: moment(3))
        #expect(outcome12.isEmpty)
        let outcome13 = pushes.granted(at: moment(4))
        #expect(outcome13.map(number) == ["delivered 3"])
    }

    @Test("with the refresh switch off nothing is held")
    func refreshSwitch() {
        var pushes = SilentPushes()
        _ = pushes.sent(at: moment(0))
        let outcome14 = pushes.switched(on: false)
        #expect(outcome14.map(number) == ["discarded 1"])
        let outcome15 = pushes.sent(at: moment(1))
        #expect(outcome15.map(number) == ["discarded 2"])
        let outcome16 = pushes.switched(on: true)
        #expect(outcome16.isEmpty)
        let outcome17 = pushes.sent(at: moment(2))
        #expect(outcome17.isEmpty)
    }

    @Test("a boot brings no delivery earlier, nor later")
    func boots() {
        var pushes = SilentPushes()
        _ = pushes.sent(at: moment(1_000))
        let first = pushes.granted(at: moment(1_000))
        #expect(first.map(number) == ["delivered 1"])
        _ = pushes.sent(at: moment(1_001))
        func after(_ minutes: Int64) -> Moment {
            Moment(wall: moment(1_010 + minutes).wall, boot: moment(minutes).boot, awake: moment(minutes).awake)
        }
        pushes.rebooted(at: after(0))
        let early = pushes.granted(at: after(9))
        #expect(early.isEmpty)
        let due = pushes.granted(at: after(10))
        #expect(due.map(number) == ["delivered 2"])
    }

    private func number(_ outcome: SilentPushes.Outcome) -> String {
        switch outcome {
        case .delivered(let push): "delivered \(push.number)"
        case .superseded(let push): "superseded \(push.number)"
        case .discarded(let push, _): "discarded \(push.number)"
        }
    }
}
