import Scheduling
import Testing

/// What starts that fail, restarts, clocks and power do to what the policies count.
@Suite("What policies count (B20)")
struct PolicyLifeTests {
    private let refresh = Fixture.task("refresh")
    private let export = Fixture.task("export")
    private let sync = Fixture.tool("sync")

    private static func timeline(
        _ policy: Policy, idle: Bool = false, apps: [AppDescription] = [Fixture.embedded()],
        handlers: [(String, TaskKind?)] = [("refresh", nil), ("export", .processing), ("upload", .processing)]
    ) -> Timeline {
        var timeline = Timeline(policy: policy, apps: apps, handlers: handlers)
        timeline.report(.externalPower, .flag(false))
        timeline.report(.unlocked, .flag(true))
        timeline.report(.idle, .flag(idle))
        return timeline
    }

    private static func apple(_ change: (inout AppleParameters) -> Void = { _ in }) -> Policy {
        var parameters = AppleParameters()
        parameters.windows = .given
        change(&parameters)
        return .apple(parameters)
    }

    private static func open(_ timeline: inout Timeline) {
        timeline.send(.windowOpened(lasting: .minutes(2)))
    }

    // MARK: - Starts that fail

    @Test("a start that failed costs no interval: the request runs as soon as its backoff is over (B22)")
    func failedStartsCostNoRate() {
        var timeline = Self.timeline(Self.apple())
        timeline.submit(refresh)
        Self.open(&timeline)
        timeline.failStart(refresh)
        timeline.wait(.seconds(10))
        #expect(timeline.run(refresh) != nil)
        timeline.enter(refresh)
        timeline.complete(refresh)
        timeline.submit(refresh)
        #expect(timeline.closedGates(refresh) == [.rateLimit])
    }

    @Test("of two refreshes of an app that are due at once the rate lets one go, and the other when that fails")
    func rateHoldsWhileOneStarts() {
        let other = Fixture.task("upload")
        var policy = Self.apple()
        policy.limits = .generous
        var timeline = Self.timeline(policy, handlers: [("refresh", nil), ("upload", nil)])
        timeline.submit(refresh)
        timeline.submit(other)
        Self.open(&timeline)
        #expect(timeline.launches.map(\.identifier) == [refresh])
        #expect(timeline.closedGates(other) == [.rateLimit])
        timeline.failStart(refresh)
        #expect(timeline.launches.map(\.identifier) == [refresh, other])
    }

    @Test("a start that failed leaves the network to the next one")
    func failedStartsCostNoNetwork() {
        var timeline = Self.timeline(.doze())
        timeline.send(.appOpened(Fixture.app, call: CallIdentifier(0)))
        timeline.wait(.days(4))
        timeline.submit(refresh, network: true)
        timeline.failStart(refresh)
        timeline.wait(.seconds(10))
        #expect(timeline.run(refresh) != nil)
    }

    // MARK: - Periods

    /// When the command began, in minutes from the beginning, within so many hours.
    private func starts(
        _ timeline: inout Timeline, hours: Int, _ happens: (inout Timeline, Int) -> Bool = { _, _ in false }
    ) -> [Int64] {
        var starts: [Int64] = []
        let begun = timeline.now.wall
        for _ in 0..<(hours * 60) {
            timeline.wait(.minutes(1))
            guard let run = timeline.run(sync), run.state == .starting else { continue }
            if happens(&timeline, starts.count) { continue }
            starts.append(begun.duration(to: timeline.now.wall).wholeMilliseconds / 60_000)
            timeline.enter(sync)
            timeline.send(.processExited(run.run, .code(0)))
        }
        return starts
    }

    private func periodic(retries: Bool = false) -> Timeline {
        var timeline = Self.timeline(
            .doze(),
            apps: [Fixture.commands([Fixture.command("sync", every: .hours(1), retries: retries)])])
        timeline.send(.appOpened(Fixture.tools, call: CallIdentifier(0)))
        return timeline
    }

    @Test("a start that failed loses no period")
    func failedStartsLoseNoPeriod() {
        var timeline = periodic()
        var fails = 0
        let starts = starts(&timeline, hours: 4) { timeline, count in
            guard count == 1, fails == 0 else { return false }
            fails += 1
            timeline.failStart(sync)
            return true
        }
        #expect(fails == 1)
        #expect(starts == [1, 62, 121, 181])
    }

    @Test("a simulated launch moves no period (B35)")
    func simulationsMoveNoPeriod() {
        var timeline = periodic()
        #expect(starts(&timeline, hours: 1) == [1])
        timeline.simulate(sync)
        let run = timeline.run(sync)
        timeline.enter(sync)
        timeline.send(.processExited(run?.run ?? RunIdentifier(0), .code(0)))
        #expect(starts(&timeline, hours: 2) == [1, 61])
    }

    @Test(
        "what a caller submits stands for the next occurrence unless that is a period away, however often",
        arguments: [(29, 1, [91, 151]), (29, 5, [91, 151]), (1, 1, [59, 119, 179]), (1, 9, [59, 119, 179])])
    func callersTakeAPeriod(minutes: Int, times: Int, later: [Int64]) {
        var timeline = periodic()
        timeline.wait(.minutes(1))
        // The periods end 6, 66, 126 and 186 minutes after the beginning; the first one has its run now.
        for time in 0...times {
            if time == 1 { timeline.wait(.minutes(minutes)) }
            if time > 0 { timeline.submit(sync) }
            let run = timeline.run(sync)
            timeline.enter(sync)
            timeline.send(.processExited(run?.run ?? RunIdentifier(0), .code(0)))
        }
        #expect(starts(&timeline, hours: 3) == later)
    }

    @Test("a retry that comes after its period has ended brings no second run beside it")
    func lateRetriesKeepTheBeat() {
        var timeline = periodic(retries: true)
        #expect(starts(&timeline, hours: 1) == [1])
        timeline.wait(.minutes(1))
        let failed = timeline.run(sync)
        timeline.enter(sync)
        timeline.send(.processExited(failed?.run ?? RunIdentifier(0), .code(1)))
        timeline.send(.paused(app: Fixture.tools, call: CallIdentifier(0)))
        timeline.wait(.minutes(70))
        timeline.send(.resumed(app: Fixture.tools, call: CallIdentifier(0)))
        // The retry, 131 minutes after the beginning; the next run is that of the period that ends at 186.
        let run = timeline.run(sync)
        timeline.enter(sync)
        timeline.send(.processExited(run?.run ?? RunIdentifier(0), .code(0)))
        #expect(starts(&timeline, hours: 1) == [50])
    }

    @Test("a boot soon after a run brings the next one no nearer than periods allow")
    func bootsKeepPeriods() {
        var timeline = periodic()
        timeline.wait(.minutes(1))
        let run = timeline.run(sync)
        timeline.enter(sync)
        timeline.send(.processExited(run?.run ?? RunIdentifier(0), .code(0)))
        timeline.reboot(after: .minutes(1))
        // An hour less the last five minutes of a period after the last run.
        #expect(starts(&timeline, hours: 1) == [54])
    }

    // MARK: - Windows

    @Test("windows are planned when the device goes idle, whatever else happens then")
    func windowsBeginWithIdleness() {
        var timeline = Self.timeline(.doze(), idle: false)
        timeline.report(.idle, .flag(true))
        timeline.wait(.minutes(59))
        timeline.submit(refresh)
        timeline.wait(.minutes(1))
        #expect(timeline.run(refresh) != nil)
    }

    @Test("wake windows come soon once the device is used, though nothing else happens")
    func windowsBeginWithUse() {
        var timeline = Self.timeline(.apple(), idle: true)
        timeline.wait(.hours(1))
        timeline.report(.idle, .flag(false))
        timeline.submit(refresh)
        timeline.wait(.minutes(16))
        #expect(timeline.run(refresh) != nil)
    }

    @Test("a restart moves no window")
    func windowsAreKept() {
        var timeline = Self.timeline(.doze(), idle: true)
        timeline.submit(refresh, after: .minutes(200))
        timeline.wait(.minutes(270))
        timeline.restart(launched: false)
        timeline.report(.externalPower, .flag(false))
        timeline.report(.idle, .flag(true))
        timeline.launch()
        timeline.wait(.minutes(149))
        #expect(timeline.run(refresh) == nil)
        timeline.wait(.minutes(1))
        #expect(timeline.run(refresh) != nil)
    }

    @Test("another policy plans windows of its own, at once")
    func policiesPlanWindows() {
        var timeline = Self.timeline(.doze(), idle: true)
        timeline.wait(.minutes(30))
        timeline.submit(refresh)
        timeline.send(.policyChanged(.apple()))
        timeline.wait(.hours(9))
        #expect(timeline.run(refresh) != nil)
        timeline.finish(refresh)
        timeline.send(.policyChanged(.doze()))
        timeline.submit(refresh)
        timeline.wait(.minutes(60))
        #expect(timeline.run(refresh) != nil)
    }

    @Test("the end of a window also ends what is only being started, and nothing that began before it")
    func windowsEndStarts() {
        var timeline = Self.timeline(.doze())
        timeline.submit(refresh)
        timeline.enter(refresh)
        timeline.report(.idle, .flag(true))
        timeline.submit(export)
        timeline.wait(.minutes(60))
        #expect(timeline.run(export)?.state == .starting)
        timeline.wait(.minutes(11))
        #expect(timeline.lastRun(refresh)?.expirationReason != .conditionLost)
        timeline.enter(export)
        #expect(timeline.run(export)?.expirationReason == .conditionLost)
    }

    // MARK: - Power

    @Test("what a run takes on power is free, also when the plug is pulled before it ends")
    func powerIsSettledWhenItChanges() {
        var policy = Self.apple { $0.processingInterval = .zero }
        policy.gates.processingNeedsIdle = false
        var timeline = Self.timeline(policy)
        timeline.report(.externalPower, .flag(true))
        timeline.submit(export)
        timeline.enter(export)
        timeline.wait(.minutes(9))
        timeline.report(.externalPower, .flag(false))
        timeline.wait(.seconds(5))
        timeline.complete(export)
        timeline.submit(export)
        #expect(timeline.run(export) != nil)
    }

    @Test("a quota begins to hold when the plug is pulled, and ends to hold when it is back")
    func quotasFollowPower() {
        var timeline = Self.timeline(.doze())
        timeline.submit(export)
        timeline.enter(export)
        timeline.wait(.minutes(5))
        timeline.complete(export)
        timeline.report(.externalPower, .flag(true))
        timeline.submit(export)
        timeline.enter(export)
        timeline.wait(.minutes(2))
        timeline.report(.externalPower, .flag(false))
        // Five minutes are left of the quota, so its own budget of ten is longer.
        timeline.wait(.minutes(4))
        #expect(timeline.run(export)?.state == .running)
        timeline.wait(.minutes(1))
        #expect(timeline.run(export)?.expirationReason == .budget)
    }

    @Test("runs of an app share its quota while they run")
    func quotasAreShared() {
        let other = Fixture.task("upload")
        var timeline = Self.timeline(.doze())
        timeline.submit(export)
        timeline.enter(export)
        timeline.wait(.minutes(8))
        timeline.submit(other)
        #expect(timeline.launches.last?.budget == .minutes(2))
        timeline.enter(other)
        timeline.wait(.minutes(2))
        #expect(timeline.run(other)?.expirationReason == .budget)
    }

    // MARK: - Apps that nobody opens

    @Test("an app that was never opened decays as one that was opened when it came")
    func newAppsDecay() {
        var timeline = Self.timeline(Self.apple())
        timeline.submit(refresh)
        Self.open(&timeline)
        timeline.finish(refresh)
        timeline.wait(.days(14))
        timeline.submit(refresh)
        Self.open(&timeline)
        #expect(timeline.closedGates(refresh).first == .usage)
    }

    @Test("an app that was never opened becomes rare")
    func newAppsBecomeRare() {
        var timeline = Self.timeline(.doze())
        timeline.wait(.days(4))
        timeline.submit(refresh, network: true)
        timeline.finish(refresh)
        timeline.submit(refresh, network: true)
        #expect(timeline.closedGates(refresh) == [.usage])
    }

    // MARK: - Clocks

    @Test("a clock that was a year ahead at the last boot holds nothing for a year")
    func clocksThatWereAhead() {
        var timeline = Self.timeline(Self.apple { $0.refreshesPerOpen = 9 })
        timeline.setClock(by: .days(365))
        timeline.send(.appOpened(Fixture.app, call: CallIdentifier(0)))
        timeline.submit(refresh)
        Self.open(&timeline)
        timeline.finish(refresh)
        timeline.reboot()
        timeline.setClock(by: .zero - .days(365))
        timeline.report(.externalPower, .flag(false))
        timeline.report(.unlocked, .flag(true))
        timeline.submit(refresh)
        timeline.wait(.hours(12))
        Self.open(&timeline)
        #expect(timeline.run(refresh) != nil)
    }
}
