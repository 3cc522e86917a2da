import FoundationEssentials
import Plugins
import Scheduling
import Testing

@testable import Simulation

@Suite("Keys of scenario files")
struct ScenarioKeyTests {
    @Test("every key is read: a value that fits nowhere is a problem of it", arguments: ScenarioKey.all)
    func everyKeyIsRead(key: ScenarioKey) {
        let (text, path) = file(key, "null")
        let problems = read(text).problems
        let ofKey = path.isEmpty ? key.name : "\(path).\(key.name)"
        #expect(problems.contains { $0.key == ofKey && $0.name == .wrongType }, "\(problems)")
    }

    @Test("what is called the default is the default", arguments: ScenarioKey.all)
    func defaults(key: ScenarioKey) {
        guard key.standard.hasPrefix("`"), key.standard.filter({ $0 == "`" }).count == 2 else { return }
        let standard = key.standard.dropFirst().dropLast()
        let (without, _) = file(key, nil)
        let (text, _) = file(key, String(standard))
        #expect(read(text).scenario == read(without).scenario)
        #expect(read(text).problems == [])
    }

    /// A file with a value for a key, or without it, and the path of the key's dictionary; what that needs besides is there.
    private func file(_ key: ScenarioKey, _ value: String?) -> (text: String, path: String) {
        let name = "\"\(key.name)\""
        let member = value.map { "\(name): \($0)" } ?? ""
        func whole(devices: String = "{}", app: String = "", events: String = "") -> String {
            """
            {"devices": [\(devices)], "apps": [{"app": "com.example.news"\(app)}], "events": [\(events)]}
            """
        }
        func joined(_ others: String...) -> String {
            (others.filter { !$0.hasPrefix(name + ":") } + [member]).filter { !$0.isEmpty }
                .joined(separator: ", ")
        }
        switch key.place {
        case .scenario:
            let text = joined(
                "\"devices\": [{}]", "\"apps\": [{\"app\": \"com.example.news\"}]", "\"name\": \"day\"")
            return ("{\(text)}", "")
        case .device: return (whole(devices: "{\(joined())}"), "devices[0]")
        case .budgets: return (whole(devices: "{\"budgets\": {\(joined())}}"), "devices[0].budgets")
        case .window:
            let window = "{\"policy\": \"doze\", \"windows\": [{\(joined("\"at\": \"01:00\""))}]}"
            return (whole(devices: window), "devices[0].windows[0]")
        case .app:
            return ("{\"devices\": [{}], \"apps\": [{\(joined("\"app\": \"com.example.news\""))}]}", "apps[0]")
        case .task:
            let task = joined("\"identifier\": \"com.example.news.task\"")
            return (whole(app: ", \"tasks\": [{\(task)}]"), "apps[0].tasks[0]")
        case .submission:
            let rule = joined("\"when\": \"run\"")
            let task = ", \"tasks\": [{\"identifier\": \"t\", \"submit\": [{\(rule)}]}]"
            return (whole(app: task), "apps[0].tasks[0].submit[0]")
        case .pushes: return (whole(app: ", \"pushes\": {\(joined("\"perHour\": 1"))}"), "apps[0].pushes")
        case .fetch: return (whole(app: ", \"fetch\": {\(joined())}"), "apps[0].fetch")
        case .event:
            return (whole(app: ", \"tasks\": [{\"identifier\": \"t\"}]", events: event(key.name, joined)), "events[0]")
        }
    }

    private func event(_ name: String, _ joined: (String...) -> String) -> String {
        switch EventCompanion(rawValue: name)?.word {
        case .submit: return "{\(joined("\"at\": \"01:00\"", "\"submit\": \"t\""))}"
        case .transfer: return "{\(joined("\"at\": \"01:00\"", "\"transfer\": \"com.example.news\""))}"
        case .refreshSwitch: return "{\(joined("\"at\": \"01:00\"", "\"refreshSwitch\": \"com.example.news\""))}"
        case .osUpgrade: return "{\(joined("\"at\": \"01:00\"", "\"osUpgrade\": \"2\""))}"
        default: break
        }
        if ["from", "to", "then"].contains(name) {
            return "{\(joined("\"from\": \"01:00\"", "\"to\": \"02:00\"", "\"idle\": true"))}"
        }
        if EventWord(rawValue: name) != nil { return "{\(joined("\"at\": \"01:00\""))}" }
        return "{\(joined("\"at\": \"01:00\"", "\"crash\": true"))}"
    }
}

@Suite("docs/scenarios.md")
struct ScenarioDocumentTests {
    private let text: String

    init() throws {
        let tests = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        let file = tests.deletingLastPathComponent().appending(path: "docs/scenarios.md")
        text = String(decoding: try Data(contentsOf: file), as: UTF8.self)
    }

    @Test("its example is a scenario, and nothing is wrong with it")
    func example() throws {
        let parts = text.split(separator: "```json\n")
        let example = try #require(parts.dropFirst().first?.split(separator: "```").first)
        let reading = read(String(example))
        #expect(reading.problems == [])
        #expect(reading.scenario?.devices.count == 2)
    }

    @Test("it has every key with its type, default and meaning, and no other", arguments: ScenarioKey.Place.allCases)
    func keys(place: ScenarioKey.Place) {
        let rows = ScenarioKey.all.filter { $0.place == place }.map { key in
            "| `\(key.name)` | \(key.type) | \(key.standard.isEmpty ? "needed" : key.standard) | \(key.help) |"
        }
        expect(rows, in: place.title)
    }

    @Test("it has every figure of the policies with its type, default and meaning, and no other")
    func parameters() {
        expect(rows(AppleParameters.keys, AppleParameters()), in: "Parameters of `apple`")
        expect(rows(DozeParameters.keys, DozeParameters()), in: "Parameters of `doze`")
    }

    private func rows<Parameters>(_ keys: [ParameterKey<Parameters>], _ parameters: Parameters) -> [String] {
        keys.map { "| `\($0.name)` | \($0.type) | `\($0.text(of: parameters))` | \($0.help) |" }
    }

    private func expect(_ rows: [String], in title: String) {
        let section = text.split(separator: "\n### \(title)\n").dropFirst().first?.split(separator: "\n#").first ?? ""
        let there = section.split(separator: "\n").filter { $0.hasPrefix("| `") }.map { String($0) }
        let should = "\(title) should be:\n" + rows.joined(separator: "\n")
        #expect(there == rows, "\(should)")
    }
}

extension ScenarioKey.Place {
    /// The title of its keys in the documentation.
    fileprivate var title: String {
        switch self {
        case .scenario: "The scenario"
        case .device: "A device"
        case .budgets: "Budgets of a device"
        case .window: "A window"
        case .app: "An app"
        case .task: "A task"
        case .submission: "When a task is submitted"
        case .pushes: "Silent pushes of an app"
        case .fetch: "The legacy fetch of an app"
        case .event: "An event"
        }
    }
}
