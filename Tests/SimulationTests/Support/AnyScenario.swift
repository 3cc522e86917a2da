import Scheduling

@testable import Simulation

/// Scenarios of all shapes from a seed.
struct AnyScenario {
    private var random: SplitMix64

    static func scenario(seed: UInt64) -> Scenario {
        var random = AnyScenario(random: SplitMix64(seed: seed))
        return random.scenario()
    }

    private mutating func scenario() -> Scenario {
        var scenario = Scenario(name: "random \(random.below(1_000))", start: WallTime(milliseconds: 0))
        scenario.utcOffsetSeconds = (random.below(57) - 28) * 1_800
        scenario.start = WallTime(
            milliseconds: (4_000 + Int64(random.below(20_000))) * 86_400_000
                - Int64(scenario.utcOffsetSeconds) * 1_000)
        scenario.days = 1 + random.below(30)
        scenario.warmUpDays = random.below(30)
        scenario.seed = random.next() >> 1
        scenario.inUseAfterOpen = time()
        scenario.apps = (0...random.below(4)).map { app($0) }
        scenario.devices = (0...random.below(3)).map { device($0, apps: scenario.apps.map(\.app)) }
        let canOpenWindows = scenario.devices.contains { $0.takesWindows }
        scenario.events = (0..<random.below(20)).map { _ in
            event(scenario, canOpenWindows: canOpenWindows)
        }
        return scenario
    }

    private mutating func app(_ number: Int) -> ScenarioApp {
        var app = ScenarioApp(AppIdentifier(checked: "com.example.app\(number)"))
        if random.chance(50) {
            app.pushes = PushTraffic(
                perHour: Double(random.below(40)) / 8, from: .hours(random.below(12)), to: .hours(20))
        }
        if random.chance(50) {
            app.fetch = ScenarioFetch(minimumInterval: time(), takes: time(), newData: 0.25, fails: 0.5)
        }
        app.pushTakes = time()
        app.syncsWhenOpened = random.chance(50)
        app.tasks = (0..<random.below(4)).map { task("com.example.app\(number).task\($0)") }
        return app
    }

    private mutating func task(_ identifier: String) -> ScenarioTask {
        var task = ScenarioTask(TaskIdentifier(checked: identifier), kind: random.pick(TaskKind.allCases))
        if task.kind != .continuedProcessing, random.chance(50) {
            task.every = .minutes(1 + random.below(1_000))
            task.retriesFailures = random.chance(50)
        }
        let shortest = time()
        task.takes = shortest...(shortest + .seconds(random.below(60)))
        task.cost = Double(random.below(16)) / 4
        task.succeeds = Double(random.below(5)) / 4
        task.requiresNetworkConnectivity = random.chance(50)
        task.requiresExternalPower = random.chance(50)
        task.ignoresExpiration = random.chance(50)
        task.submissions = (0..<random.below(3)).map { _ in
            SubmissionRule(
                when: random.pick(SubmissionRule.Trigger.allCases), after: time(), isAnchored: random.chance(50),
                ifPending: random.pick(PendingChoice.allCases))
        }
        return task
    }

    private mutating func device(_ number: Int, apps: [AppIdentifier]) -> ScenarioDevice {
        var policy: Policy
        switch random.below(3) {
        case 0:
            var parameters = AppleParameters()
            parameters.windows = random.pick(WindowSource.allCases)
            parameters.wakeIdle = .minutes(1 + random.below(100))
            parameters.wakeSpread = 0.25
            parameters.usualHoursAhead = random.below(24)
            policy = .apple(parameters)
        case 1:
            var parameters = DozeParameters()
            parameters.windows = random.pick(WindowSource.allCases)
            parameters.onlyInWindows = random.chance(50)
            parameters.retryBackoff = .seconds(1 + random.below(100))
            policy = .doze(parameters)
        default: policy = .prompt
        }
        policy.limits = random.chance(50) ? .apple : .generous
        policy.concurrency = 1 + random.below(8)
        policy.budgets.processing = .minutes(1 + random.below(20))
        var device = ScenarioDevice(name: "device \(number)", policy: policy)
        if device.takesWindows {
            device.windows = (0..<random.below(5)).map { _ in
                ScenarioWindow(at: timeOfDay(), length: .seconds(1 + random.below(600)))
            }
        }
        device.conditions = DeviceCondition.allCases.compactMap { random.chance(50) ? condition($0) : nil }
        device.refreshDisabled = apps.filter { _ in random.chance(30) }
        return device
    }

    private mutating func condition(_ condition: DeviceCondition) -> ScenarioCondition {
        switch condition {
        case .batteryLevel: ScenarioCondition(condition, .level(Double(random.below(9)) / 8))
        case .network: ScenarioCondition(condition, .network(random.pick(NetworkState.allCases)))
        case .thermal: ScenarioCondition(condition, .thermal(random.pick(ThermalState.allCases)))
        case .externalPower, .lowPowerMode, .idle, .unlocked, .backgroundRefresh:
            ScenarioCondition(condition, .flag(random.chance(50)))
        }
    }

    private mutating func event(_ scenario: Scenario, canOpenWindows: Bool) -> ScenarioEvent {
        let at = timeOfDay()
        let first = 1 + random.below(scenario.days)
        return ScenarioEvent(
            at: at, spread: .minutes(random.below(60)),
            days: random.chance(50) ? first...(first + random.below(5)) : nil,
            chance: Double(random.below(5)) / 4, action(scenario, canOpenWindows: canOpenWindows))
    }

    private mutating func action(_ scenario: Scenario, canOpenWindows: Bool) -> ScenarioAction {
        let app = random.pick(scenario.apps)
        let off = Duration.seconds(1 + random.below(3_600))
        switch random.below(14) {
        case 0: return .open(app.app)
        case 1: return .forceQuit(app.app)
        case 2: return .push(app.app)
        case 3: return .transfer(app.app, takes: time())
        case 4: return .refreshSwitch(app.app, on: random.chance(50))
        case 5 where canOpenWindows: return .openWindow(off)
        case 6: return .reboot(off: off)
        case 7: return .osUpgrade("27.\(random.below(9))", off: off)
        case 8: return .setClock(by: random.chance(50) ? off : .zero - off)
        case 9: return .crash
        case 10: return .loseSource(off)
        case 11: return .use(off)
        case 12 where !app.tasks.isEmpty: return submission(of: random.pick(app.tasks))
        case 13 where !app.tasks.isEmpty: return .cancel(random.pick(app.tasks).identifier)
        default: return .setCondition(condition(random.pick(DeviceCondition.allCases)))
        }
    }

    private mutating func submission(of task: ScenarioTask) -> ScenarioAction {
        var request = TaskRequest(
            identifier: task.identifier, requiresNetworkConnectivity: random.chance(50),
            requiresExternalPower: random.chance(50))
        if task.kind == .continuedProcessing {
            request.title = task.identifier.text
            request.strategy = random.pick([.fail, .queue, nil])
        }
        var floor: ScenarioFloor?
        if random.chance(60) {
            let time = timeOfDay()
            floor = random.chance(50) ? .after(time) : .timeOfDay(time)
        }
        return .submit(request, floor: floor, random.pick(PendingChoice.allCases))
    }

    private mutating func time() -> Duration { .seconds(random.below(7_200)) }

    private mutating func timeOfDay() -> Duration { .seconds(random.below(86_400)) }
}
