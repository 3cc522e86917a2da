import Scheduling

/// Scenarios by chance: any device, apps of all kinds, and days in which everything happens.
package enum RandomScenario {
    /// The same seed gives the same scenario.
    package static func make(seed: UInt64, days: Int) -> Scenario {
        var random = SplitMix64(seed: seed)
        var scenario = Scenario(name: "random \(seed)", start: WallTime(milliseconds: 1_772_409_600_000))
        scenario.seed = seed
        scenario.days = days
        scenario.utcOffsetSeconds = random.pick([0, 3_600, -18_000, 20_700])
        scenario.inUseAfterOpen = .minutes(1 + random.below(20))
        let kinds: [TaskKind] = [.appRefresh, .processing, .healthResearch]
        for app in 0...random.below(3) {
            var content = ScenarioApp(AppIdentifier(checked: "com.example.app\(app)"))
            content.isPlugin = random.chance(30)
            content.syncsWhenOpened = random.chance(50)
            if random.chance(50) { content.pushes = PushTraffic(perHour: Double(1 + random.below(5))) }
            if random.chance(30) {
                content.fetch = ScenarioFetch(
                    minimumInterval: .minutes(10 + random.below(120)), newData: 0.5, fails: 0.2)
            }
            for task in 0...random.below(3) {
                content.tasks.append(
                    self.task("com.example.app\(app).task\(task)", kind: random.pick(kinds), &random))
            }
            scenario.apps.append(content)
        }
        scenario.devices = [device(&random)]
        for _ in 0..<(10 + random.below(40)) { scenario.events.append(event(scenario, &random)) }
        return scenario
    }

    /// What goes wrong in it.
    package static func faults(seed: UInt64) -> Faults {
        var random = SplitMix64(seed: seed ^ 0xFA17)
        var faults = Faults()
        if random.chance(80) { faults.crashes = random.below(200) }
        if random.chance(60) { faults.failedStarts = random.below(20) }
        if random.chance(60) { faults.deaths = random.below(20) }
        if random.chance(60) { faults.lostSignals = random.below(30) }
        return faults
    }

    // MARK: - Private

    private static func task(_ name: String, kind: TaskKind, _ random: inout SplitMix64) -> ScenarioTask {
        var task = ScenarioTask(TaskIdentifier(checked: name), kind: kind)
        let least = 1 + random.below(40)
        task.takes = .seconds(least)...Duration.seconds(least + random.below(600))
        task.cost = random.pick([0.5, 1, 3])
        task.succeeds = random.pick([1, 0.9, 0.5])
        task.requiresExternalPower = random.chance(20)
        task.requiresNetworkConnectivity = random.chance(30)
        task.ignoresExpiration = random.chance(15)
        task.retriesFailures = random.chance(50)
        if random.chance(40) { task.every = .minutes(1 + random.below(600)) }
        for _ in 0..<random.below(4) {
            task.submissions.append(
                SubmissionRule(
                    when: random.pick(SubmissionRule.Trigger.allCases), after: .minutes(random.below(300)),
                    isAnchored: random.chance(30), ifPending: random.pick(PendingChoice.allCases)))
        }
        return task
    }

    private static func device(_ random: inout SplitMix64) -> ScenarioDevice {
        let policy: Policy
        switch random.below(3) {
        case 0: policy = .prompt
        case 1:
            var parameters = AppleParameters()
            if random.chance(30) { parameters.windows = .given }
            policy = .apple(parameters)
        default:
            var parameters = DozeParameters()
            if random.chance(30) { parameters.windows = .given }
            parameters.onlyInWindows = random.chance(20)
            policy = .doze(parameters)
        }
        var device = ScenarioDevice(name: "device", policy: policy)
        for _ in 0..<random.below(8) {
            device.windows.append(
                ScenarioWindow(at: .minutes(random.below(1_440)), length: .minutes(1 + random.below(15))))
        }
        device.conditions = [
            ScenarioCondition(.externalPower, .flag(random.chance(50))),
            ScenarioCondition(.idle, .flag(random.chance(50))),
            ScenarioCondition(.network, .network(random.pick(NetworkState.allCases))),
            ScenarioCondition(.unlocked, .flag(random.chance(80))),
        ]
        return device
    }

    private static func event(_ scenario: Scenario, _ random: inout SplitMix64) -> ScenarioEvent {
        let time = Duration.seconds(random.below(86_400))
        let first = 1 + random.below(max(1, scenario.days))
        let days = random.chance(50) ? nil : first...(first + random.below(3))
        return ScenarioEvent(
            at: time, spread: .minutes(random.below(60)), days: days, chance: random.pick([1, 0.5]),
            action(scenario, &random))
    }

    private static func action(_ scenario: Scenario, _ random: inout SplitMix64) -> ScenarioAction {
        let app = random.pick(scenario.apps)
        let task = random.pick(app.tasks)
        switch random.below(24) {
        case 0...4: return .open(app.app)
        case 5: return .forceQuit(app.app)
        case 6...8:
            let floors: [ScenarioFloor?] = [
                nil, .after(.minutes(random.below(600))), .timeOfDay(.minutes(random.below(1_440))),
            ]
            return .submit(
                TaskRequest(
                    identifier: task.identifier, requiresNetworkConnectivity: random.chance(20),
                    requiresExternalPower: random.chance(20)), floor: random.pick(floors),
                random.pick(PendingChoice.allCases))
        case 9: return .cancel(task.identifier)
        case 10: return .push(app.app)
        case 11: return .transfer(app.app, takes: .minutes(1 + random.below(90)))
        case 12...16: return .setCondition(condition(&random))
        case 17: return .refreshSwitch(app.app, on: random.chance(50))
        case 18: return .openWindow(.minutes(1 + random.below(15)))
        case 19: return .reboot(off: .minutes(random.below(60)))
        case 20: return .osUpgrade("\(random.below(9))", off: .minutes(random.below(60)))
        case 21: return .setClock(by: .minutes(random.below(360) - 180))
        case 22: return .use(.minutes(random.below(90)))
        default: return random.chance(50) ? .crash : .loseSource(.minutes(random.below(30)))
        }
    }

    private static func condition(_ random: inout SplitMix64) -> ScenarioCondition {
        switch random.below(7) {
        case 0, 1: ScenarioCondition(.externalPower, .flag(random.chance(50)))
        case 2: ScenarioCondition(.lowPowerMode, .flag(random.chance(50)))
        case 3: ScenarioCondition(.network, .network(random.pick(NetworkState.allCases)))
        case 4: ScenarioCondition(.idle, .flag(random.chance(50)))
        case 5: ScenarioCondition(.batteryLevel, .level(Double(random.below(101)) / 100))
        default: ScenarioCondition(.backgroundRefresh, .flag(random.chance(70)))
        }
    }
}
