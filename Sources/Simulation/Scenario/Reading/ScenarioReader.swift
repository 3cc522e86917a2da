import Plugins
import Scheduling

/// Takes over what a scenario file says. What is wrong is noted, and the rest is read on.
struct ScenarioReader {
    let top: KeyedReader
    let problems: ProblemList
    /// The file that this one extends.
    let base: String?
    /// Whether all is there that this file builds on; else nothing is said of what is missing.
    var hasBase = true

    init(_ members: [String: ManifestValue], problems: ProblemList) {
        top = KeyedReader(members, problems: problems)
        self.problems = problems
        let base = top.string("extends", example: "\"device-day.json\"")
        self.base = base == "" ? top.invalid("extends", "The path is empty.", fix: "Write the path of a file.") : base
    }

    func apply(to scenario: inout Scenario) {
        top.refuseUnknown(besides: ScenarioKey.names(in: .scenario))
        set(&scenario.name, top.name("name", example: "\"device-day\""))
        readDays(&scenario)
        let range = Duration.zero...Duration.hours(24)
        set(&scenario.inUseAfterOpen, top.duration("inUseAfterOpen", in: range, example: "10m"))
        var isComplete = hasBase
        if let apps = readApps(&isComplete) { scenario.apps = apps }
        let names = ScenarioNames(scenario, isComplete: isComplete)
        if let devices = readDevices(names) { scenario.devices = devices }
        checkInherited(scenario, names)
        let opensWindows = scenario.devices.contains { $0.takesWindows }
        if let events = readEvents(names, days: scenario.days, opensWindows: opensWindows) {
            if scenario.events.count + events.count > ScenarioLimits.events {
                top.tooMany(
                    "events", scenario.events.count + events.count, "events", limit: ScenarioLimits.events,
                    fix: "Leave some out; what happens every day needs one event.")
            } else {
                scenario.events += events
            }
        }
    }

    // MARK: Days

    private func readDays(_ scenario: inout Scenario) {
        let days = ScenarioLimits.days
        set(&scenario.days, top.integer("days", in: Int64(days.lowerBound)...Int64(days.upperBound)).map { Int($0) })
        let warmUp = ScenarioLimits.warmUpDays
        let warmUpRange = Int64(warmUp.lowerBound)...Int64(warmUp.upperBound)
        set(&scenario.warmUpDays, top.integer("warmUpDays", in: warmUpRange).map { Int($0) })
        set(&scenario.seed, top.integer("seed", in: 0...Int64.max).map { UInt64($0) })
        // Midnight is that of the devices' clocks, whichever of the two the file changes.
        var midnight = scenario.start.advanced(by: .seconds(scenario.utcOffsetSeconds))
        set(&midnight, top.date("start"))
        if let text = top.string("utcOffset", example: "\"+01:00\"") {
            if let offset = ScenarioTime.utcOffset(text) {
                scenario.utcOffsetSeconds = offset
            } else {
                problems.error(
                    .invalidValue, top.key("utcOffset"), "\(KeyedReader.quoted(text)) is no offset.",
                    fix: "Write \"Z\", or hours and minutes with their sign up to 14 hours, such as \"+01:00\".")
            }
        }
        scenario.start = midnight.advanced(by: .seconds(-scenario.utcOffsetSeconds))
    }

    // MARK: Checks

    /// What comes from the extended file has to fit to the apps that are here instead.
    private func checkInherited(_ scenario: Scenario, _ names: ScenarioNames) {
        guard names.isComplete else { return }
        if top.has("apps") {
            for event in scenario.events {
                guard let missing = names.missing(from: event.action) else { continue }
                problems.error(
                    .invalidValue, top.key("apps"),
                    "An event of the extended scenario is about \(missing), which is missing here.",
                    fix: "Add it, or change the extended scenario.")
                break
            }
        }
        guard top.has("apps"), !top.has("devices") else { return }
        for device in scenario.devices {
            guard let app = device.refreshDisabled.first(where: { !names.apps.contains($0) }) else { continue }
            problems.error(
                .invalidValue, top.key("apps"),
                "The device \(device.name) of the extended scenario switches \(app) off, which is missing here.",
                fix: "Add it, or write the devices anew.")
        }
    }

    /// Notes what neither this file has nor one that it extends.
    func checkWhole(others: Set<String>) {
        let fixes = [
            ("devices", "Write [{\"policy\": \"apple\"}] for example."),
            ("apps", "Write [{\"app\": \"com.example.news\", \"tasks\": []}] for example."),
        ]
        for (name, fix) in fixes where !others.contains(name) { top.require(name, of: .scenario, fix: fix) }
    }

    // MARK: Values

    func set<Value>(_ place: inout Value, _ value: Value?) {
        if let value { place = value }
    }
}

extension ScenarioDevice {
    /// Whether windows are given, and not generated.
    var takesWindows: Bool {
        policy.apple?.windows == .given || policy.doze?.windows == .given
    }
}
