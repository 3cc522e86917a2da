import Plugins
import Scheduling
import Testing

@testable import Simulation

@Suite("What is wrong with a scenario")
struct ScenarioProblemTests {
    /// A file of one line a member, so that each has a line of its own.
    private func file(_ members: [String]) -> String {
        let base = [
            "\"devices\": [{\"policy\": \"apple\", \"windows\": []}]",
            "\"apps\": [{\"app\": \"com.example.news\", \"tasks\": [{\"identifier\": \"com.example.news.refresh\"}]}]",
        ]
        let names = members.map { $0.prefix { $0 != ":" } }
        let lines = members + base.filter { line in !names.contains { line.hasPrefix($0 + ":") } }
        return "{\n" + lines.joined(separator: ",\n") + "\n}"
    }

    struct Case: Sendable, CustomTestStringConvertible {
        var member: String
        var key: String
        var message: String
        var fix: String

        init(_ member: String, _ key: String, _ message: String, _ fix: String) {
            self.member = member
            self.key = key
            self.message = message
            self.fix = fix
        }

        var testDescription: String { member }
    }

    @Test("is told with the line, the key, one sentence and the fix", arguments: scenario + devices + apps + events)
    func cases(_ wrong: Case) {
        let problems = read(file(["\"name\": \"day\"", wrong.member])).problems
        #expect(problems.map(\.key) == [wrong.key])
        #expect(problems.first?.message == wrong.message)
        #expect(problems.first?.fix == wrong.fix)
        #expect(problems.first?.line == 3, "the line of the member")
    }

    @Test("an event that says nothing is told what it could say")
    func emptyEvent() {
        let problems = read(file([Self.event("\"at\": \"08:00\"")])).problems
        #expect(problems.map(\.key) == ["events[0]"])
        #expect(problems.first?.message == "This event does not say what happens.")
        #expect(problems.first?.fix.hasPrefix("Add one of open, use, forceQuit, submit, ") == true)
    }

    @Test("a window opens only on a device that takes them")
    func windowWithoutDevice() {
        let window = Self.event("\"at\": \"08:00\", \"window\": \"5m\"")
        #expect(read(file([window])).problems == [])
        let problems = read(file([window, "\"devices\": [{\"policy\": \"apple\"}]"])).problems
        #expect(problems.map(\.key) == ["events[0].window"])
        #expect(problems.first?.message == "No device takes windows: they are generated, or its policy has none.")
    }

    @Test("one reading finds everything")
    func all() {
        let problems = read("{\"dyas\": 1, \"apps\": [{\"app\": \"a\", \"x\": 1}], \"devices\": [{\"y\": 1}]}").problems
        #expect(problems.map(\.key) == ["dyas", "apps[0].x", "devices[0].y"])
    }

    @Test("a warning does not keep the scenario from being read")
    func warning() {
        let reading = read(file([Self.event("\"at\": \"08:00\", \"crash\": true, \"day\": 2")]))
        #expect(reading.problems.map(\.severity) == [.warning])
        #expect(reading.scenario?.events.count == 1)
    }
}
