import Scheduling
import Testing

/// What observers are told beyond what random histories check.
struct NoticeTests {
    private let network = DeviceCondition.network

    @Test("however many floors pass at once, 64 tasks are told of, and a lost condition is told of once")
    func bounds() {
        let names = (0..<100).map { "task\($0)" }
        var now = Moment(
            wall: WallTime(milliseconds: 1_796_000_000_000), boot: BootTime(milliseconds: 1_000_000),
            awake: AwakeTime(milliseconds: 900_000))
        var scheduler = Scheduler(policy: .prompt, boot: Fixture.firstBoot, at: now)
        _ = scheduler.handle(.started(Fixture.startFacts(boot: Fixture.firstBoot)), at: now)
        _ = scheduler.handle(.appLoaded(Fixture.commands(names.map { Fixture.command($0) })), at: now)
        _ = scheduler.handle(.loadingFinished, at: now)
        let none = ConditionValue.network(.none)
        _ = scheduler.handle(.conditionReported(network, none, source: "k", validFor: nil, call: nil), at: now)
        for (number, name) in names.enumerated() {
            var request = TaskRequest(identifier: Fixture.tool(name), floor: now.wall.advanced(by: .seconds(60)))
            request.requiresNetworkConnectivity = true
            let call = CallIdentifier(UInt64(number))
            _ = scheduler.handle(.requestSubmitted(request, SubmissionOptions(), call: call), at: now)
        }
        now.wall = now.wall.advanced(by: .seconds(60))
        let passed = gates(scheduler.handle(.timePassed, at: now))
        #expect(passed.count == 64)
        #expect(passed.allSatisfy { $0.gate == .earliestBeginDate && $0.verdict == .open && $0.heldBy == .network })
        #expect(Set(passed.map(\.identifier)).count == 64)
        // Each event of the core has its own bound, and one cause is told of once.
        let there = ConditionValue.network(.metered)
        let opened = gates(
            scheduler.handle(.conditionReported(network, there, source: "k", validFor: nil, call: nil), at: now))
        #expect(opened == [GateChange(.network, .open)])
    }

    @Test("an app's state is told when it changes, and what holds it back comes first")
    func states() {
        var timeline = Timeline()
        timeline.send(.paused(app: Fixture.app, call: CallIdentifier(900)))
        timeline.send(.paused(app: Fixture.app, call: CallIdentifier(901)))
        timeline.send(.resumed(app: Fixture.app, call: CallIdentifier(902)))
        timeline.send(.appRemoved(Fixture.app))
        let states = timeline.effects.compactMap { effect -> AppState? in
            if case .publish(.appStateChanged(Fixture.app, let state)) = effect { state } else { nil }
        }
        #expect(states.suffix(3) == [.paused, .launched, .missing])
    }

    @Test("a state that a failed commit undid is told as it is again")
    func undoneStates() {
        let now = Moment(
            wall: WallTime(milliseconds: 1_796_000_000_000), boot: BootTime(milliseconds: 1_000_000),
            awake: AwakeTime(milliseconds: 900_000))
        var scheduler = Scheduler(policy: .prompt, boot: Fixture.firstBoot, at: now)
        let events: [Event] = [
            .started(Fixture.startFacts(boot: Fixture.firstBoot)), .appLoaded(Fixture.embedded()),
            .launchFinished(Fixture.app), .loadingFinished, .paused(app: Fixture.app, call: CallIdentifier(1)),
        ]
        for event in events { _ = scheduler.handle(event, at: now) }
        scheduler.reload(StoreContents(), at: now)
        let states = scheduler.handle(.timePassed, at: now).compactMap { effect -> AppState? in
            if case .publish(.appStateChanged(Fixture.app, let state)) = effect { state } else { nil }
        }
        #expect(states == [.launched])
    }

    private func gates(_ effects: [Effect]) -> [GateChange] {
        effects.compactMap { if case .publish(.gateChanged(let change)) = $0 { change } else { nil } }
    }
}
