import Scheduling
import Simulation
import Testing

/// B18 to B21: what holds a request, what is known of it, and what is lost while a run needs it.
struct GateTests {
    private let refresh = Fixture.task("refresh")
    private let export = Fixture.task("export")

    private func apple() -> Policy {
        var policy = Policy.prompt
        policy.gates.refreshSwitch = true
        policy.gates.forceQuitHoldsRefresh = true
        policy.gates.lowPowerModeHoldsRefresh = true
        policy.gates.processingNeedsIdle = true
        policy.gates.needsFirstUnlock = true
        policy.gates.minimumBatteryLevel = 0.2
        policy.gates.warmest = .fair
        return policy
    }

    /// A condition that closes a gate, and one that opens it.
    struct ConditionCase: Sendable {
        var gate: GateName
        var condition: DeviceCondition
        var closed: ConditionValue
        var open: ConditionValue
    }

    static let conditions = [
        ConditionCase(gate: .externalPower, condition: .externalPower, closed: .flag(false), open: .flag(true)),
        ConditionCase(gate: .network, condition: .network, closed: .network(.none), open: .network(.metered)),
        ConditionCase(gate: .deviceIdle, condition: .idle, closed: .flag(false), open: .flag(true)),
        ConditionCase(gate: .lowPowerMode, condition: .lowPowerMode, closed: .flag(true), open: .flag(false)),
        ConditionCase(gate: .batteryLevel, condition: .batteryLevel, closed: .level(0.1), open: .level(0.2)),
        ConditionCase(gate: .thermal, condition: .thermal, closed: .thermal(.serious), open: .thermal(.fair)),
        ConditionCase(gate: .beforeFirstUnlock, condition: .unlocked, closed: .flag(false), open: .flag(true)),
        ConditionCase(
            gate: .backgroundRefreshDisabled, condition: .backgroundRefresh, closed: .flag(false), open: .flag(true)),
    ]

    @Test(
        "a request waits while a condition that it needs is not there, and goes when it is (B18)", arguments: conditions
    )
    func conditionsHold(example: ConditionCase) {
        let isProcessing = example.gate == .deviceIdle
        let identifier = isProcessing ? export : refresh
        var timeline = Timeline(policy: apple())
        if example.gate == .batteryLevel { timeline.report(.externalPower, .flag(false)) }
        timeline.submit(
            identifier, after: .seconds(10), network: example.gate == .network, power: example.gate == .externalPower)
        timeline.report(example.condition, example.closed)
        timeline.wait(.minutes(1))
        #expect(timeline.closedGates(identifier) == [example.gate])
        #expect(timeline.launches.isEmpty)
        timeline.report(example.condition, example.open)
        #expect(timeline.launches.map(\.identifier) == [identifier])
        timeline.enter(identifier)
        timeline.complete(identifier)
        let waits = timeline.lastRun(identifier)?.waits ?? []
        #expect(
            waits == [
                GateWait(gate: .earliestBeginDate, milliseconds: 10_000),
                GateWait(gate: example.gate, milliseconds: 50_000),
            ])
    }

    @Test("the prompt policy has no hidden condition (B20)")
    func promptHidesNothing() {
        var timeline = Timeline()
        for example in Self.conditions { timeline.report(example.condition, example.closed) }
        timeline.send(.appForceQuit(Fixture.app, call: CallIdentifier(0)))
        timeline.submit(refresh)
        timeline.submit(export)
        #expect(timeline.launches.count == 2)
    }

    @Test("force quit holds app refresh until the app is opened; processing still runs (B20)")
    func forceQuitHoldsRefresh() {
        var timeline = Timeline(policy: apple())
        timeline.send(.appForceQuit(Fixture.app, call: CallIdentifier(0)))
        timeline.submit(refresh)
        timeline.submit(export)
        #expect(timeline.launches.map(\.identifier) == [export])
        #expect(timeline.closedGates(refresh) == [.forceQuit])
        timeline.send(.appOpened(Fixture.app, call: CallIdentifier(0)))
        #expect(timeline.launches.map(\.identifier) == [export, refresh])
    }

    @Test("an app's starts keep their distance, and each misbehaviour doubles it (B20)")
    func misbehaviourLengthensTheInterval() {
        var policy = Policy.prompt
        policy.gates.refreshInterval = .minutes(10)
        policy.gates.misbehaviourDoublesInterval = true
        var timeline = Timeline(policy: policy)
        timeline.submit(refresh)
        timeline.enter(refresh)
        timeline.wait(.seconds(36))
        #expect(timeline.lastRun(refresh)?.state == .expired)
        let first = timeline.launches.first?.run ?? RunIdentifier(0)
        timeline.send(.handlerReturned(first))
        timeline.submit(refresh)
        timeline.wait(.minutes(10))
        #expect(timeline.closedGates(refresh) == [.misbehaviour])
        timeline.wait(.minutes(10))
        #expect(timeline.launches.count == 2)
    }

    @Test("run time of a day is a budget that refills after 24 hours (B20)")
    func runTimeIsBudgeted() {
        var policy = Policy.prompt
        policy.gates.runTimePerDay = .seconds(20)
        var timeline = Timeline(policy: policy)
        timeline.submit(refresh)
        timeline.enter(refresh)
        timeline.wait(.seconds(20))
        timeline.complete(refresh)
        timeline.submit(export)
        #expect(timeline.closedGates(export) == [.budget])
        timeline.wait(.hours(24))
        #expect(timeline.launches.map(\.identifier) == [refresh, export])
    }

    @Test("an app that is not opened for long waits at usage (B20)")
    func unopenedAppsWait() {
        var policy = Policy.prompt
        policy.gates.unopenedAfter = .days(7)
        var timeline = Timeline(policy: policy)
        timeline.send(.appOpened(Fixture.app, call: CallIdentifier(0)))
        timeline.submit(refresh, after: .days(8))
        timeline.wait(.days(8))
        #expect(timeline.closedGates(refresh) == [.usage])
        timeline.send(.appOpened(Fixture.app, call: CallIdentifier(0)))
        #expect(timeline.launches.count == 1)
    }

    @Test("a pause of the runner or of an app holds what is due (B18)", arguments: [nil, Fixture.app])
    func pausesHold(app: AppIdentifier?) {
        var timeline = Timeline()
        timeline.send(.paused(app: app, call: CallIdentifier(0)))
        timeline.submit(refresh)
        timeline.wait(.minutes(1))
        #expect(timeline.closedGates(refresh) == [.paused])
        timeline.restart()
        #expect(timeline.closedGates(refresh) == [.paused])
        timeline.send(.resumed(app: app, call: CallIdentifier(0)))
        #expect(timeline.launches.map(\.identifier) == [refresh])
    }

    @Test("the wait at a pause is counted for the gate that held it (B31)")
    func pausedTimeIsCounted() {
        var timeline = Timeline()
        timeline.send(.paused(app: nil, call: CallIdentifier(0)))
        timeline.submit(refresh)
        timeline.wait(.minutes(1))
        timeline.send(.resumed(app: nil, call: CallIdentifier(0)))
        #expect(timeline.run(refresh)?.waits == [GateWait(gate: .paused, milliseconds: 60_000)])
        #expect(timeline.run(refresh)?.waitedMilliseconds == 60_000)
    }

    // MARK: B19

    @Test("what no source knows follows a rule that explain names (B19)")
    func unknownConditionsFollowARule() throws {
        var timeline = Timeline()
        timeline.submit(refresh, after: .hours(1), network: true, power: true)
        let gates = timeline.scheduler.explain(refresh, at: timeline.now).gates
        let power = try #require(gates.first { $0.gate == .externalPower })
        #expect(power.verdict == .open)
        #expect(power.source == "assumed: no battery means external power")
        #expect(gates.first { $0.gate == .network }?.verdict == .open)
    }

    @Test("a lost source's value holds for 60 s, then is unknown and holds the request (B19)")
    func lostSourcesHoldForAMinute() throws {
        var timeline = Timeline()
        timeline.report(.network, .network(.unmetered), source: "netlink")
        timeline.submit(refresh, after: .minutes(2), network: true)
        timeline.send(.sourceLost("netlink"))
        timeline.wait(.milliseconds(59_999))
        #expect(timeline.closedGates(refresh) == [.earliestBeginDate])
        timeline.wait(.milliseconds(1))
        #expect(timeline.closedGates(refresh) == [.earliestBeginDate, .network])
        timeline.wait(.minutes(5))
        let gate = try #require(
            timeline.scheduler.explain(refresh, at: timeline.now).gates.first { $0.gate == .network })
        #expect(gate.verdict == .unknown)
        timeline.report(.network, .network(.unmetered), source: "netlink")
        #expect(timeline.launches.count == 1)
    }

    @Test("a source that comes back within the minute changes nothing (B19)")
    func returningSourcesKeepTheirValue() {
        var timeline = Timeline()
        timeline.report(.network, .network(.unmetered), source: "netlink")
        timeline.send(.sourceLost("netlink"))
        timeline.wait(.seconds(30))
        timeline.report(.network, .network(.unmetered), source: "netlink")
        timeline.wait(.minutes(5))
        timeline.submit(refresh, network: true)
        #expect(timeline.launches.count == 1)
    }

    @Test("an override wins over sources, is stored, and ends by itself (B19)")
    func overridesEnd() {
        var timeline = Timeline()
        timeline.report(.externalPower, .flag(true))
        timeline.send(
            .conditionOverridden(.externalPower, .flag(false), lasting: .minutes(10), call: CallIdentifier(0)))
        timeline.submit(refresh, power: true)
        #expect(timeline.closedGates(refresh) == [.externalPower])
        timeline.wait(.minutes(4))
        timeline.restart()
        timeline.report(.externalPower, .flag(true))
        #expect(timeline.closedGates(refresh) == [.externalPower])
        timeline.wait(.minutes(6))
        #expect(timeline.launches.count == 1)
        #expect(timeline.store.runner.overrides.isEmpty)
    }

    @Test("an override of another boot is over (B19)")
    func overridesEndWithTheBoot() {
        var timeline = Timeline()
        timeline.send(.conditionOverridden(.externalPower, .flag(false), lasting: .hours(10), call: CallIdentifier(0)))
        timeline.submit(refresh, power: true)
        timeline.reboot()
        #expect(timeline.launches.count == 1)
    }

    @Test("a value that a condition cannot have is refused")
    func illFittingValuesAreRefused() {
        var timeline = Timeline()
        let reply = timeline.ask {
            .conditionReported(.batteryLevel, .level(1.5), source: "script", validFor: nil, call: $0)
        }
        #expect(reply.refusal == .invalidParams)
        #expect(
            timeline.ask { .conditionOverridden(.network, .flag(true), lasting: nil, call: $0) }.refusal
                == .invalidParams)
    }

    @Test("a report ends with its validity, and the rule for no source holds again (B19)")
    func reportsEnd() {
        var timeline = Timeline()
        timeline.send(
            .conditionReported(.externalPower, .flag(false), source: "script", validFor: .minutes(1), call: nil))
        timeline.submit(refresh, power: true)
        #expect(timeline.closedGates(refresh) == [.externalPower])
        timeline.wait(.minutes(1))
        #expect(timeline.launches.count == 1)
    }

    // MARK: B21

    @Test("a run that loses what it needs for longer than 5 s is expired (B21)")
    func lostConditionsExpire() {
        var timeline = Timeline()
        timeline.submit(export, network: true)
        timeline.enter(export)
        timeline.report(.network, .network(.none))
        timeline.wait(.milliseconds(4_999))
        #expect(timeline.expirations.isEmpty)
        timeline.wait(.milliseconds(1))
        #expect(timeline.expirations == [.conditionLost])
        #expect(timeline.diagnostics.contains { $0.name == .conditionLost })
    }

    @Test("a condition that comes back within 5 s, or that the run does not need, expires nothing (B21)")
    func shortLossesAreForgiven() {
        var timeline = Timeline()
        timeline.submit(export, network: true)
        timeline.enter(export)
        timeline.report(.externalPower, .flag(false))
        timeline.report(.network, .network(.none))
        timeline.wait(.seconds(4))
        timeline.report(.network, .network(.metered))
        timeline.wait(.minutes(1))
        #expect(timeline.expirations.isEmpty)
    }

    @Test("a condition that was lost while the handler was being started counts from its entry (B21)")
    func lossesDuringTheStartCount() {
        var timeline = Timeline()
        timeline.submit(export, network: true)
        timeline.report(.network, .network(.none))
        timeline.enter(export)
        timeline.wait(.seconds(5))
        #expect(timeline.expirations == [.conditionLost])
    }

    @Test("another policy decides at once, over what is pending and what runs (B20)")
    func policiesChange() {
        var timeline = Timeline()
        timeline.report(.idle, .flag(false))
        timeline.submit(export)
        timeline.enter(export)
        timeline.submit(Fixture.task("upload"), after: .seconds(1))
        timeline.send(.policyChanged(apple()))
        timeline.wait(.seconds(5))
        #expect(timeline.expirations == [.conditionLost])
        #expect(timeline.closedGates(Fixture.task("upload")) == [.deviceIdle])
        timeline.send(.policyChanged(.prompt))
        #expect(timeline.launches.map(\.identifier) == [export, Fixture.task("upload")])
    }

    @Test("a policy that is taken back in time expires nothing (B21)")
    func policiesAreTakenBack() {
        var timeline = Timeline()
        timeline.report(.idle, .flag(false))
        timeline.submit(export)
        timeline.enter(export)
        timeline.send(.policyChanged(apple()))
        timeline.send(.policyChanged(.prompt))
        timeline.wait(.minutes(5))
        #expect(timeline.expirations.isEmpty)
    }

    @Test("processing ends when the user returns, under a policy that needs an idle device (B20, B21)")
    func userReturns() {
        var timeline = Timeline(policy: apple())
        timeline.submit(export)
        timeline.submit(refresh)
        timeline.enter(export)
        timeline.enter(refresh)
        timeline.report(.idle, .flag(false))
        timeline.wait(.seconds(5))
        #expect(timeline.run(export)?.state == .expiring)
        #expect(timeline.run(refresh)?.state == .running)
    }
}
