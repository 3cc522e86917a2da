import Scheduling
import Testing

@Suite("The policy apple (B20)")
struct ApplePolicyTests {
    private let refresh = Fixture.task("refresh")
    private let export = Fixture.task("export")

    /// A device that was unlocked, on battery, whose windows an event opens.
    private static func timeline(
        windows: WindowSource = .given, idle: Bool = true, _ change: (inout AppleParameters) -> Void = { _ in }
    ) -> Timeline {
        var parameters = AppleParameters()
        parameters.windows = windows
        change(&parameters)
        var timeline = Timeline(policy: .apple(parameters))
        timeline.report(.externalPower, .flag(false))
        timeline.report(.unlocked, .flag(true))
        timeline.report(.idle, .flag(idle))
        return timeline
    }

    private static func open(_ timeline: inout Timeline, days: Int = 1, times: Int = 1) {
        for _ in 0..<days {
            for _ in 0..<times {
                timeline.send(.appOpened(Fixture.app, call: CallIdentifier(0)))
                timeline.wait(.hours(24) / times)
            }
        }
    }

    @Test("app refresh waits for a wake window, and what is due goes together")
    func refreshWaitsForAWindow() {
        var timeline = Self.timeline()
        timeline.submit(refresh, after: .minutes(15))
        timeline.wait(.hours(3))
        #expect(timeline.closedGates(refresh) == [.window])
        timeline.send(.windowOpened(lasting: .minutes(2)))
        #expect(timeline.launches.map(\.identifier) == [refresh])
    }

    @Test("a window that opens before the floor starts nothing early")
    func windowsKeepFloors() {
        var timeline = Self.timeline()
        timeline.submit(refresh, after: .minutes(15))
        timeline.send(.windowOpened(lasting: .minutes(2)))
        timeline.wait(.minutes(14))
        #expect(timeline.launches.isEmpty)
        // The next window comes while the floor is reached within it.
        timeline.send(.windowOpened(lasting: .minutes(2)))
        timeline.wait(.minutes(1))
        #expect(timeline.launches.map(\.identifier) == [refresh])
    }

    @Test("a window that has closed starts nothing")
    func windowsClose() {
        var timeline = Self.timeline()
        timeline.send(.windowOpened(lasting: .minutes(2)))
        timeline.wait(.minutes(2))
        timeline.submit(refresh)
        #expect(timeline.closedGates(refresh) == [.window])
        #expect(timeline.launches.isEmpty)
    }

    @Test("generated windows come more often while the device is used", arguments: [1, 7, 99])
    func windowsFollowUse(seed: UInt64) {
        func windows(idle: Bool) -> Int {
            var timeline = Self.timeline(windows: .generated, idle: idle) { $0.seed = seed }
            timeline.submit(Fixture.task("refresh"), after: .days(30))
            var count = 0
            for _ in 0..<(24 * 60) {
                timeline.wait(.minutes(1))
            }
            for case .publish(.gateChanged(let change)) in timeline.effects
            where change.gate == .window && change.verdict == .open { count += 1 }
            return count
        }
        let (idle, used) = (windows(idle: true), windows(idle: false))
        #expect((3...8).contains(idle), "\(idle)")
        #expect((110...180).contains(used), "\(used)")
    }

    @Test("nothing wakes the runner for windows that nobody waits for")
    func idleMeansIdle() {
        var timeline = Self.timeline(windows: .generated)
        timeline.wait(.hours(1))
        #expect(timeline.timeToWakeup == nil)
        timeline.submit(refresh)
        #expect(timeline.timeToWakeup != nil)
    }

    @Test("processing runs without a window, while the device is idle, and ends when its user returns")
    func processingRunsWhileIdle() {
        var timeline = Self.timeline(idle: false)
        timeline.submit(export)
        #expect(timeline.closedGates(export) == [.deviceIdle])
        timeline.report(.idle, .flag(true))
        #expect(timeline.launches.map(\.identifier) == [export])
        timeline.enter(export)
        timeline.report(.idle, .flag(false))
        timeline.wait(.seconds(6))
        #expect(timeline.run(export)?.expirationReason == .conditionLost)
    }

    @Test("Low Power Mode, the refresh switch and a force quit hold app refresh and no processing")
    func refreshIsHeld() {
        var timeline = Self.timeline()
        timeline.submit(refresh)
        timeline.submit(export)
        timeline.report(.lowPowerMode, .flag(true))
        timeline.send(.appForceQuit(Fixture.app, call: CallIdentifier(0)))
        timeline.send(.refreshSwitched(Fixture.app, enabled: false, call: CallIdentifier(0)))
        timeline.send(.windowOpened(lasting: .minutes(2)))
        #expect(timeline.launches.map(\.identifier) == [export])
        #expect(timeline.closedGates(refresh) == [.lowPowerMode, .backgroundRefreshDisabled, .forceQuit])
    }

    @Test("nothing runs before the first unlock after a boot")
    func firstUnlock() {
        var timeline = Self.timeline()
        timeline.report(.unlocked, .flag(false))
        timeline.submit(refresh)
        timeline.submit(export)
        timeline.send(.windowOpened(lasting: .minutes(2)))
        #expect(timeline.launches.isEmpty)
        #expect(timeline.closedGates(export) == [.beforeFirstUnlock])
        timeline.report(.unlocked, .flag(true))
        #expect(Set(timeline.launches.map(\.identifier)) == [refresh, export])
    }

    @Test("the more an app is opened, the sooner it may refresh again", arguments: [(1, 24), (4, 6), (12, 2)])
    func usageEarnsRefresh(opensPerDay: Int, hours: Int) {
        var timeline = Self.timeline { $0.opensBeforeHoursCount = 1_000 }
        Self.open(&timeline, days: 14, times: opensPerDay)
        timeline.submit(refresh)
        timeline.send(.windowOpened(lasting: .minutes(2)))
        timeline.finish(refresh)
        timeline.submit(refresh)
        let opens = timeline.scheduler.explain(refresh, at: timeline.now).gates.first { $0.gate == .rateLimit }?.opensAt
        let wait = opens.map { timeline.now.wall.duration(to: $0) / .hours(1) } ?? 0
        #expect(wait > Double(hours) * 0.6 && wait < Double(hours) * 1.7, "\(wait) hours")
    }

    @Test("refresh decays while the app is not opened, and an open restores it")
    func usageDecays() {
        var timeline = Self.timeline { $0.opensBeforeHoursCount = 1_000 }
        Self.open(&timeline, days: 10, times: 4)
        var grants: [Int] = []
        for day in 0..<21 {
            for _ in 0..<24 {
                timeline.submit(refresh, ifPending: .keep)
                timeline.send(.windowOpened(lasting: .minutes(2)))
                if timeline.run(refresh) != nil {
                    grants.append(day)
                    timeline.finish(refresh)
                }
                timeline.wait(.hours(1))
            }
        }
        #expect(grants.count { $0 == 0 } >= 2, "\(grants)")
        #expect((0...2).contains(grants.count { (6..<14).contains($0) }), "\(grants)")
        #expect(!grants.contains { $0 >= 14 }, "\(grants)")
        #expect(timeline.closedGates(refresh).first == .usage)
        #expect(timeline.scheduler.explain(refresh, at: timeline.now).summary.contains("open it"))
        timeline.send(.appOpened(Fixture.app, call: CallIdentifier(0)))
        timeline.send(.windowOpened(lasting: .minutes(2)))
        #expect(timeline.run(refresh) != nil)
    }

    @Test("processing of an app that is not opened peters out")
    func processingPetersOut() {
        var timeline = Self.timeline()
        Self.open(&timeline, days: 10, times: 4)
        var grants: [Int] = []
        for day in 0..<21 {
            for _ in 0..<24 {
                timeline.submit(export, ifPending: .keep)
                if timeline.run(export) != nil {
                    grants.append(day)
                    timeline.finish(export)
                }
                timeline.wait(.hours(1))
            }
        }
        let weeks = [0, 7, 14].map { first in grants.count { (first..<(first + 7)).contains($0) } }
        #expect(weeks[0] > weeks[1] && weeks[1] > weeks[2] && weeks[2] <= 2, "\(weeks)")
    }

    @Test("at an hour at which the app is never opened soon, a refresh waits for a better one, and not for ever")
    func hoursAreLearned() {
        var timeline = Self.timeline()
        // Opened each day at the same hour, for three weeks.
        Self.open(&timeline, days: 21, times: 1)
        timeline.wait(.hours(8))
        timeline.submit(refresh)
        timeline.send(.windowOpened(lasting: .minutes(2)))
        #expect(timeline.launches.isEmpty)
        #expect(timeline.closedGates(refresh) == [.usage])
        timeline.wait(.hours(3))
        timeline.send(.windowOpened(lasting: .minutes(2)))
        #expect(timeline.launches.map(\.identifier) == [refresh])
    }

    @Test("runs deplete the energy budget, which refills over the day; external power lifts it")
    func energyIsBudgeted() {
        var timeline = Self.timeline {
            $0.energyPerDay = .minutes(8)
            $0.energyReserve = .seconds(15)
            $0.processingInterval = .zero
        }
        timeline.submit(export)
        timeline.enter(export)
        timeline.wait(.minutes(8))
        timeline.complete(export)
        timeline.submit(export)
        #expect(timeline.closedGates(export) == [.budget])
        // 15 s of 8 minutes a day are there after 45 minutes.
        timeline.wait(.minutes(44))
        #expect(timeline.launches.count == 1)
        timeline.wait(.minutes(2))
        #expect(timeline.launches.count == 2)
        timeline.enter(export)
        timeline.wait(.minutes(9))
        timeline.complete(export)
        timeline.submit(export)
        #expect(timeline.launches.count == 2)
        timeline.report(.externalPower, .flag(true))
        #expect(timeline.launches.count == 3)
    }

    @Test("what was learned and used survives a restart, also of the machine")
    func usageIsKept() {
        var timeline = Self.timeline()
        timeline.submit(refresh)
        timeline.send(.windowOpened(lasting: .minutes(2)))
        timeline.finish(refresh)
        timeline.restart()
        timeline.report(.externalPower, .flag(false))
        timeline.submit(refresh)
        timeline.send(.windowOpened(lasting: .minutes(2)))
        #expect(timeline.closedGates(refresh) == [.rateLimit])
        timeline.reboot()
        timeline.report(.externalPower, .flag(false))
        timeline.send(.windowOpened(lasting: .minutes(2)))
        #expect(timeline.closedGates(refresh) == [.rateLimit])
        timeline.wait(.hours(8))
        timeline.send(.windowOpened(lasting: .minutes(2)))
        #expect(timeline.run(refresh) != nil)
    }

    @Test("a misbehaviour earns fewer launches, until it is forgotten")
    func misbehaviourIsForgotten() {
        var timeline = Self.timeline { $0.newAppOpensPerDay = 3 }
        timeline.submit(refresh)
        timeline.send(.windowOpened(lasting: .minutes(2)))
        timeline.enter(refresh)
        let run = timeline.run(refresh)?.run ?? RunIdentifier(0)
        timeline.wait(.seconds(36))
        timeline.send(.handlerReturned(run))
        timeline.submit(refresh)
        timeline.wait(.hours(11))
        timeline.send(.windowOpened(lasting: .minutes(2)))
        #expect(timeline.closedGates(refresh) == [.misbehaviour])
        timeline.wait(.hours(14))
        timeline.send(.windowOpened(lasting: .minutes(2)))
        #expect(timeline.run(refresh) != nil)
    }

    @Test("explain says since when a window and the rate hold a request, and nothing of a window that is over")
    func explainSaysSince() {
        var timeline = Self.timeline()
        timeline.send(.windowOpened(lasting: .minutes(2)))
        let begun = timeline.now.wall
        timeline.submit(refresh)
        timeline.finish(refresh)
        timeline.wait(.minutes(10))
        timeline.submit(refresh)
        var gates: [GateName: Gate] = [:]
        for gate in timeline.scheduler.explain(refresh, at: timeline.now).gates { gates[gate.gate] = gate }
        #expect(gates[.rateLimit]?.since == begun)
        #expect(gates[.window]?.since == begun.advanced(by: .minutes(2)))
        timeline.report(.idle, .flag(false))
        timeline.submit(export)
        let window = timeline.scheduler.explain(export, at: timeline.now).gates.first { $0.gate == .window }
        #expect(window?.detail != "a window is open")
    }

    @Test("explain shows the whole set, with words for each gate")
    func explainShowsAll() {
        var timeline = Self.timeline()
        timeline.submit(refresh)
        let gates = timeline.scheduler.explain(refresh, at: timeline.now).gates
        for name in [
            GateName.window, .usage, .budget, .rateLimit, .misbehaviour, .lowPowerMode, .backgroundRefreshDisabled,
            .forceQuit, .beforeFirstUnlock, .batteryLevel,
        ] {
            let gate = gates.first { $0.gate == name }
            #expect(gate?.detail.isEmpty == false && gate?.detail != "open" && gate?.detail != "closed", "\(name)")
        }
    }
}
