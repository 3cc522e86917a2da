import Plugins
import Scheduling
import Testing

@testable import Simulation

@Suite("Limits of scenarios, and hostile files")
struct ScenarioLimitTests {
    private func problems(
        devices: String = "[{}]", apps: String = "[]", events: String = "[]", more: String = ""
    ) -> [ManifestProblem] {
        read("{\(more)\"devices\": \(devices), \"apps\": \(apps), \"events\": \(events)}").problems
    }

    private func list(_ count: Int, _ element: (Int) -> String) -> String {
        "[" + (0..<count).map(element).joined(separator: ",") + "]"
    }

    @Test("the longest scenario has 4,000 days, and the longest warm-up 400")
    func days() {
        #expect(problems(more: "\"days\": 4000, \"warmUpDays\": 400, ") == [])
        #expect(problems(more: "\"days\": 4001, ").map(\.key) == ["days"])
        #expect(problems(more: "\"days\": 1e400, ").map(\.name) == [.syntax])
        #expect(problems(more: "\"days\": -9223372036854775808, ").map(\.key) == ["days"])
    }

    @Test("16 devices live through the same days")
    func devices() {
        #expect(problems(devices: list(16) { "{\"name\": \"\($0)\"}" }) == [])
        #expect(
            problems(devices: list(17) { "{\"name\": \"\($0)\"}" }).map(\.message)
                == ["There are 17 devices, and there may be 16."])
    }

    @Test("there may be 2,000 apps, and 10,000 tasks in all")
    func apps() {
        #expect(problems(apps: list(2_000) { "{\"app\": \"a\($0)\"}" }) == [])
        #expect(
            problems(apps: list(2_001) { "{\"app\": \"a\($0)\"}" }).map(\.message)
                == ["There are 2001 apps, and there may be 2000."])
        func tasks(_ count: Int) -> String {
            "[{\"app\": \"a\", \"tasks\": \(list(count) { "{\"identifier\": \"t\($0)\"}" })}]"
        }
        #expect(problems(apps: tasks(10_000)) == [])
        #expect(
            problems(apps: tasks(10_001)).map(\.message) == ["There are 10001 tasks in all, and there may be 10000."])
    }

    @Test("a task has 16 times to submit at most")
    func submissions() {
        func task(_ count: Int) -> String {
            "[{\"app\": \"a\", \"tasks\": [{\"identifier\": \"t\", \"submit\": \(list(count) { _ in "{\"when\": \"run\"}" })}]}]"
        }
        #expect(problems(apps: task(16)) == [])
        #expect(problems(apps: task(17)).map(\.key) == ["apps[0].tasks[0].submit"])
    }

    @Test("there may be 20,000 events, however a file multiplies them")
    func events() {
        #expect(problems(events: list(20_000) { _ in "{\"at\": \"00:00\", \"crash\": true}" }) == [])
        #expect(problems(events: list(20_001) { _ in "{\"at\": \"00:00\", \"crash\": true}" }).map(\.key) == ["events"])
        let days = list(200) { _ in "1" }
        let multiplied = list(101) { _ in "{\"at\": \"00:00\", \"crash\": true, \"days\": \(days)}" }
        #expect(problems(events: multiplied).map(\.key) == ["events"])
    }

    @Test("after 1,000 problems no more events are read")
    func manyProblems() {
        let all = problems(events: list(20_000) { _ in "{\"at\": \"25:00\", \"crash\": true}" })
        #expect(all.count == 1_000)
        let hostile = problems(events: list(20_001) { _ in "{\"at\": \"25:00\", \"crash\": true}" })
        #expect(hostile.map(\.key) == ["events"])
    }

    @Test("a device has 1,440 windows a day at most")
    func windows() {
        func device(_ count: Int) -> String {
            "[{\"policy\": \"doze\", \"windows\": \(list(count) { "\"\(ScenarioTime.text(timeOfDay: .seconds($0)))\"" })}]"
        }
        #expect(problems(devices: device(1_440)) == [])
        #expect(problems(devices: device(1_441)).map(\.key) == ["devices[0].windows"])
    }

    @Test("a name has 100 bytes at most, and no control characters")
    func names() {
        #expect(problems(more: "\"name\": \"\(String(repeating: "a", count: 100))\", ") == [])
        #expect(
            problems(more: "\"name\": \"\(String(repeating: "a", count: 101))\", ").map(\.message)
                == ["The name has 101 bytes, and may have 100."])
        #expect(problems(more: "\"name\": \"\\u001b[31m\", ").map(\.key) == ["name"])
        #expect(problems(more: "\"name\": \"\\u0000\", ").map(\.key) == ["name"])
    }

    @Test(
        "what is no scenario has its line and a sentence",
        arguments: [
            ("", 1), ("[]", 1), ("\n\n{\"a\" 1}", 3), ("{\"days\": 1,\n\"days\": 2}", 2), ("// nothing\n", 2),
            ("{\"apps\": \u{FEFF}[]}", 1), (String(repeating: "[", count: 40), 1), ("\"text\"", 1), ("{}}", 1),
        ])
    func noScenario(text: String, line: Int) {
        let reading = read(text)
        #expect(reading.scenario == nil)
        #expect(reading.problems.map(\.name) == [.syntax])
        #expect(reading.problems.first?.line == line)
        #expect(reading.problems.first?.message.isEmpty == false)
    }

    @Test(
        "any value at any key is a problem or is fine, and never the end",
        arguments: ["null", "7", "-1", "1e300", "\"\"", "\"x\"", "[]", "[[]]", "[{}]", "{}", "{\"a\": {}}", "true"])
    func anyValue(value: String) {
        func app(_ members: String) -> String { "{\"devices\": [{}], \"apps\": [{\"app\": \"a\", \(members)}]}" }
        func event(_ members: String) -> String {
            "{\"devices\": [{}], \"apps\": [{\"app\": \"a\"}], \"events\": [{\(members)}]}"
        }
        for key in ScenarioKey.all {
            let member = "\"\(key.name)\": \(value)"
            let text =
                switch key.place {
                case .scenario: "{\(member)}"
                case .device: "{\"apps\": [], \"devices\": [{\(member)}]}"
                case .budgets: "{\"apps\": [], \"devices\": [{\"budgets\": {\(member)}}]}"
                case .window: "{\"apps\": [], \"devices\": [{\"policy\": \"doze\", \"windows\": [{\(member)}]}]}"
                case .app: "{\"devices\": [{}], \"apps\": [{\(member)}]}"
                case .task: app("\"tasks\": [{\(member)}]")
                case .submission: app("\"tasks\": [{\"identifier\": \"t\", \"submit\": [{\(member)}]}]")
                case .pushes: app("\"pushes\": {\(member)}")
                case .fetch: app("\"fetch\": {\(member)}")
                case .event: event(["at", "from", "to"].contains(key.name) ? member : "\"at\": \"00:00\", \(member)")
                }
            let reading = read(text)
            #expect(reading.scenario != nil || reading.problems.contains { $0.severity == .error }, "\(text)")
            #expect(reading.problems.allSatisfy { $0.line == 1 || $0.file != "day.json" }, "\(text)")
        }
    }

    @Test("what is not in a file has the line of what it would stand in, also under names with dots and escapes")
    func lines() {
        let text = """
            {
                "apps": [
                    // a comment, "apps"
                    {"app": "com.example.a", "tasks": []},
                    {
                        "tasks": [{"identifier": "t",
                                   "t\\u0061kes": "soon"}]
                    }
                ],
                "devices": [{"policy": "apple", "parameters": {
                    "a.b": 1
                }}]
            }
            """
        let problems = read(text).problems
        #expect(problems.map(\.key) == ["apps[1].app", "apps[1].tasks[0].takes", "devices[0].parameters.a.b"])
        #expect(problems.map(\.line) == [5, 7, 11])
    }
}
