import Plugins
import RPC
import Scheduling

@testable import Simulation

/// Writes a scenario as a file would have it, with every key said.
struct ScenarioText {
    private var writer = JSONWriter()

    static func of(_ scenario: Scenario) -> String {
        var text = ScenarioText()
        text.write(scenario)
        return String(decoding: text.writer.bytes, as: UTF8.self)
    }

    // MARK: Parts

    private mutating func write(_ scenario: Scenario) {
        object {
            $0.member("name", scenario.name)
            let midnight = scenario.start.milliseconds + Int64(scenario.utcOffsetSeconds) * 1_000
            $0.member("start", String(RFC3339.format(midnight).prefix(10)))
            $0.member("days", scenario.days)
            $0.member("warmUpDays", scenario.warmUpDays)
            let minutes = abs(scenario.utcOffsetSeconds) / 60
            let offset = ScenarioTime.text(timeOfDay: .minutes(minutes))
            $0.member("utcOffset", (scenario.utcOffsetSeconds < 0 ? "-" : "+") + offset)
            $0.member("seed", Int64(scenario.seed))
            $0.member("inUseAfterOpen", scenario.inUseAfterOpen)
            $0.array("devices", scenario.devices) { $0.write($1) }
            $0.array("apps", scenario.apps) { $0.write($1) }
            $0.array("events", scenario.events) { $0.write($1) }
        }
    }

    private mutating func write(_ device: ScenarioDevice) {
        object {
            $0.member("name", device.name)
            $0.member("policy", device.policy.name)
            $0.member("limits", device.policy.limits.name)
            $0.member("concurrency", device.policy.concurrency)
            $0.key("budgets")
            $0.object {
                $0.member("appRefresh", device.policy.budgets.appRefresh)
                $0.member("processing", device.policy.budgets.processing)
                $0.member("grace", device.policy.budgets.grace)
            }
            if let apple = device.policy.apple { $0.write(apple, AppleParameters.keys) }
            if let doze = device.policy.doze { $0.write(doze, DozeParameters.keys) }
            if device.takesWindows {
                $0.array("windows", device.windows) { text, window in
                    text.object {
                        $0.member("at", ScenarioTime.text(timeOfDay: window.at))
                        $0.member("for", window.length)
                    }
                }
            }
            $0.key("conditions")
            $0.object {
                for condition in device.conditions { $0.write(condition) }
            }
            $0.writer.member("refreshDisabled", strings: device.refreshDisabled.map(\.text))
        }
    }

    private mutating func write<Parameters>(_ parameters: Parameters, _ keys: [ParameterKey<Parameters>]) {
        key("parameters")
        object { text in
            for key in keys {
                text.key(key.name)
                text.writer.raw(Array(key.text(of: parameters).utf8))
            }
        }
    }

    private mutating func write(_ condition: ScenarioCondition, as name: String? = nil) {
        let name = name ?? condition.condition.rawValue
        switch condition.value {
        case .flag(let flag): member(name, flag)
        case .level(let level): member(name, level)
        case .network(let network): member(name, network.rawValue)
        case .thermal(let thermal): member(name, thermal.rawValue)
        }
    }

    private mutating func write(_ app: ScenarioApp) {
        object {
            $0.member("app", app.app.text)
            $0.array("tasks", app.tasks) { $0.write($1) }
            if let pushes = app.pushes {
                $0.key("pushes")
                $0.object {
                    $0.member("perHour", pushes.perHour)
                    $0.member("from", ScenarioTime.text(timeOfDay: pushes.from))
                    $0.member("to", ScenarioTime.text(timeOfDay: pushes.to))
                }
            }
            $0.member("pushTakes", app.pushTakes)
            if let fetch = app.fetch {
                $0.key("fetch")
                $0.object {
                    $0.member("minimumInterval", fetch.minimumInterval)
                    $0.member("takes", fetch.takes)
                    $0.member("newData", fetch.newData)
                    $0.member("fails", fetch.fails)
                }
            }
            $0.member("syncsWhenOpened", app.syncsWhenOpened)
        }
    }

    private mutating func write(_ task: ScenarioTask) {
        object {
            $0.member("identifier", task.identifier.text)
            $0.member("kind", task.kind.rawValue)
            if let every = task.every { $0.member("every", every) }
            $0.array("takes", [task.takes.lowerBound, task.takes.upperBound]) {
                $0.writer.string(DurationText.format($1))
            }
            $0.member("cost", task.cost)
            $0.member("succeeds", task.succeeds)
            $0.member("requiresNetworkConnectivity", task.requiresNetworkConnectivity)
            $0.member("requiresExternalPower", task.requiresExternalPower)
            $0.member("ignoresExpiration", task.ignoresExpiration)
            $0.member("retry", task.retriesFailures)
            $0.array("submit", task.submissions) { text, rule in
                text.object {
                    $0.member("when", rule.when.rawValue)
                    $0.member("after", rule.after)
                    $0.member("anchored", rule.isAnchored)
                    $0.member("ifPending", rule.ifPending.rawValue)
                }
            }
        }
    }

    private mutating func write(_ event: ScenarioEvent) {
        object {
            $0.member("at", ScenarioTime.text(timeOfDay: event.at))
            $0.member("spread", event.spread)
            if let days = event.days { $0.member("day", "\(days.lowerBound)-\(days.upperBound)") }
            $0.member("chance", event.chance)
            $0.write(event.action)
        }
    }

    private mutating func write(_ action: ScenarioAction) {
        switch action {
        case .open(let app): member("open", app.text)
        case .use(let length): member("use", length)
        case .forceQuit(let app): member("forceQuit", app.text)
        case .submit(let request, let floor, let choice):
            member("submit", request.identifier.text)
            member("requiresNetworkConnectivity", request.requiresNetworkConnectivity)
            member("requiresExternalPower", request.requiresExternalPower)
            if let strategy = request.strategy { member("strategy", strategy.rawValue) }
            member("ifPending", choice.rawValue)
            switch floor {
            case .timeOfDay(let time):
                member("earliestBeginDate", ScenarioTime.text(timeOfDay: time))
            case .after(let time): member("after", time)
            case nil: break
            }
        case .cancel(let task): member("cancel", task.text)
        case .push(let app): member("push", app.text)
        case .transfer(let app, let takes):
            member("transfer", app.text)
            member("takes", takes)
        case .setCondition(let condition): write(condition)
        case .refreshSwitch(let app, let on):
            member("refreshSwitch", app.text)
            member("on", on)
        case .openWindow(let length): member("window", length)
        case .reboot(let off): member("reboot", off)
        case .osUpgrade(let version, let off):
            member("osUpgrade", version)
            member("off", off)
        case .setClock(let change):
            member("setClock", change < .zero ? "-" + Self.text(.zero - change) : "+" + Self.text(change))
        case .crash: member("crash", true)
        case .loseSource(let time): member("loseSource", time)
        }
    }

    // MARK: Values

    private static func text(_ duration: Duration) -> String { DurationText.format(duration) }

    private mutating func object(_ body: (inout ScenarioText) -> Void) {
        writer.beginObject()
        body(&self)
        writer.endObject()
    }

    private mutating func array<Element>(
        _ name: String, _ elements: [Element], _ body: (inout ScenarioText, Element) -> Void
    ) {
        key(name)
        writer.beginArray()
        for element in elements { body(&self, element) }
        writer.endArray()
    }

    private mutating func key(_ name: String) { writer.key(dynamic: name) }

    private mutating func member(_ name: String, _ value: String) {
        key(name)
        writer.string(value)
    }

    private mutating func member(_ name: String, _ value: Bool) {
        key(name)
        writer.bool(value)
    }

    private mutating func member(_ name: String, _ value: Int) {
        key(name)
        writer.integer(value)
    }

    private mutating func member(_ name: String, _ value: Int64) {
        key(name)
        writer.integer(value)
    }

    private mutating func member(_ name: String, _ value: Double) {
        key(name)
        writer.double(value)
    }

    private mutating func member(_ name: String, _ value: Duration) {
        member(name, Self.text(value))
    }
}
