import Scheduling
import Simulation
import Testing

@Suite("Random days with faults")
struct SoakTests {
    /// Besides the first ones those that have broken a rule before.
    private static let seeds: [UInt64] = Array(1...24) + [37, 70, 1096, 1281, 2558]

    @Test("whatever happens, no rule is broken; the seed shows it again", arguments: seeds)
    func rules(seed: UInt64) {
        let outcome = Soak.live(seed: seed)
        #expect(outcome.problems == [], "seed \(seed)")
        #expect(outcome.events > 0)
    }

    @Test("the same seed lives the same days")
    func determinism() {
        let (one, other) = (Soak.live(seed: 7), Soak.live(seed: 7))
        #expect(one.events == other.events)
        #expect(one.launches == other.launches)
        let reports = [1, 2].map { _ in
            VirtualDay.live(RandomScenario.make(seed: 11, days: 3))
        }
        #expect(reports[0] == reports[1])
    }

    // MARK: - What is planted is found

    /// What is said of random days in which all tasks are of a kind, under a policy, with a fault planted.
    private static func problems(
        _ policy: Policy, _ kind: TaskKind, every: Duration? = nil, schedulerPolicy: (inout Policy) -> Void = { _ in },
        effects: (@Sendable (inout [Effect]) -> Void)? = nil
    ) -> Set<String> {
        var problems: Set<String> = []
        for seed in UInt64(1)...6 {
            var scenario = RandomScenario.make(seed: seed, days: 6)
            scenario.devices[0].policy = policy
            for app in scenario.apps.indices {
                for task in scenario.apps[app].tasks.indices {
                    scenario.apps[app].tasks[task].kind = kind
                    if let every { scenario.apps[app].tasks[task].every = every }
                }
            }
            var device = VirtualDevice(
                scenario, device: scenario.devices[0], seed: seed, recording: false, schedulerPolicy: schedulerPolicy,
                effects: effects)
            device.live()
            problems.formUnion(device.problems)
        }
        return problems
    }

    /// A gate of apple that a scheduler may forget.
    enum ForgottenGate: String, CaseIterable {
        case forceQuit = "after a force quit"
        case lowPowerMode = "in Low Power Mode"
        case refreshSwitch = "while its app's refresh switch is off"
        case firstUnlock = "before the first unlock"
        case idle = "while the device is in use"

        var kind: TaskKind { self == .firstUnlock || self == .idle ? .processing : .appRefresh }

        func forget(_ gates: inout PolicyGates) {
            switch self {
            case .forceQuit: gates.forceQuitHoldsRefresh = false
            case .lowPowerMode: gates.lowPowerModeHoldsRefresh = false
            case .refreshSwitch: gates.refreshSwitch = false
            case .firstUnlock: gates.needsFirstUnlock = false
            case .idle: gates.processingNeedsIdle = false
            }
        }
    }

    @Test("a gate that the scheduler forgets is missed", arguments: ForgottenGate.allCases)
    func forgottenGates(gate: ForgottenGate) {
        let problems = Self.problems(.apple(), gate.kind, schedulerPolicy: { gate.forget(&$0.gates) })
        #expect(problems.contains { $0.hasSuffix("began \(gate.rawValue), under apple") }, "\(problems)")
    }

    @Test("nothing is found where nothing is planted", arguments: [Policy.prompt, .apple(), .doze()])
    func nothingPlanted(policy: Policy) {
        for kind in [TaskKind.appRefresh, .processing] { #expect(Self.problems(policy, kind) == []) }
    }

    @Test("a budget that the scheduler forgets is missed")
    func forgottenBudget() {
        let problems = Self.problems(
            .prompt, .appRefresh, schedulerPolicy: { $0.budgets.appRefresh = .minutes(5) })
        #expect(problems.contains { $0.hasSuffix("goes on after its budget and grace") }, "\(problems)")
    }

    @Test("windows that come too soon and refreshes that come too often are seen")
    func wrongFigures() {
        let doze = Self.problems(.doze(), .processing, schedulerPolicy: { $0.doze?.firstWindow = .minutes(50) })
        #expect(doze == ["a maintenance window opened too soon"])
        let long = Self.problems(.apple(), .appRefresh, schedulerPolicy: { $0.apple?.windowLength = .minutes(3) })
        #expect(long.contains("a window is longer than any may be"))
        let often = Self.problems(
            .apple(), .appRefresh, every: .minutes(3),
            schedulerPolicy: {
                $0.apple?.wakeInUse = .minutes(3)
                $0.apple?.wakeIdle = .minutes(3)
                $0.apple?.refreshesPerOpen = 1_000
                $0.apple?.shortestRefreshInterval = .minutes(1)
            })
        #expect(often.contains { $0.hasSuffix("is a refresh too many of its app") }, "\(often)")
        let early = Self.problems(
            .doze(), .appRefresh, every: .minutes(8), schedulerPolicy: { $0.doze?.shortestPeriod = .minutes(1) })
        #expect(early.contains { $0.hasSuffix("is a period too early") }, "\(early)")
    }

    @Test("a request that is lost is missed")
    func lostRequest() {
        let problems = Self.problems(
            .prompt, .processing,
            effects: { effects in
                for case .persist(.putRequest(let request)) in effects where request.submission % 5 == 0 {
                    effects.append(.persist(.removeRequest(request.identifier)))
                }
            })
        #expect(problems.contains { $0.hasSuffix("was removed and nobody took it") }, "\(problems)")
    }

    @Test("a run before its floor is seen")
    func earlyRun() {
        let problems = Self.problems(
            .prompt, .processing,
            effects: { effects in
                for (position, effect) in effects.enumerated() {
                    guard case .persist(.putRun(var run)) = effect, run.state == .starting else { continue }
                    run.request.floor = run.startedAt.advanced(by: .seconds(1))
                    effects[position] = .persist(.putRun(run))
                }
            })
        #expect(problems.contains { $0.hasSuffix("began before its floor") }, "\(problems)")
    }

    @Test("a run that is started twice is seen")
    func startedTwice() {
        let problems = Self.problems(
            .prompt, .processing,
            effects: { effects in
                for case .launch(let order) in effects where order.run.number % 5 == 0 {
                    effects.append(.launch(order))
                }
            })
        #expect(problems.contains { $0.hasSuffix("was launched twice") }, "\(problems)")
    }

    @Test("a window that never opens leaves requests waiting, which is seen")
    func noWindows() {
        let stuck = (UInt64(1)...6).flatMap { seed in
            Soak.live(
                seed: seed, policy: .apple(), schedulerPolicy: { $0.apple?.windows = .given }
            ).problems
        }
        #expect(stuck.contains { $0.contains("has waited for ever") }, "\(stuck)")
    }
}
