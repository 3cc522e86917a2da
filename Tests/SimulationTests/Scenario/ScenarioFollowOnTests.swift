import Plugins
import Scheduling
import Testing

@testable import Simulation

@Suite("One mistake in a scenario is one problem")
struct ScenarioFollowOnTests {
    private static let events =
        #""events": [{"at": "08:00", "open": "com.example.news"}, {"at": "09:00", "submit": "a.t"}]"#

    private func problems(_ files: [String: String]) -> [String] {
        ScenarioFiles(files: files).read("day.json").problems.map {
            "\($0.file):\($0.line ?? 0): \($0.key ?? "-"): \($0.message)"
        }
    }

    @Test("a file that cannot be extended is told where it is named, with its key")
    func unreadableBase() {
        let day = "{\n\"name\": \"day\",\n\"extends\": \"none.json\",\n\(Self.events)}"
        #expect(
            problems(["day.json": day]) == [
                "day.json:3: extends: “none.json” cannot be extended. There is no such file."
            ])
    }

    @Test("files that extend each other in a circle are told of once, and nothing is missing because of it")
    func circle() {
        let message = "extends: The files extend each other in a circle."
        #expect(
            problems(["day.json": "{\"extends\": \"day.json\", \(Self.events)}"]) == ["day.json:1: \(message)"])
        #expect(
            problems(["day.json": "{\"extends\": \"b.json\", \(Self.events)}", "b.json": #"{"extends": "day.json"}"#])
                == ["b.json:1: \(message)"])
    }

    @Test("a broken file that is extended is told of, and nothing is missing because of it")
    func brokenBase() {
        let found = problems(["day.json": "{\"extends\": \"b.json\", \(Self.events)}", "b.json": "{"])
        #expect(found.count == 1)
        #expect(found.first?.hasPrefix("b.json:1: -: ") == true)
    }

    @Test("too many apps are one problem, and not one for each event too")
    func tooManyApps() {
        let apps = (0...2_000).map { #"{"app": "com.example.a\#($0)"}"# }.joined(separator: ",")
        let found = problems([
            "day.json":
                "{\"devices\": [{\"refreshDisabled\": [\"com.example.a1\"]}], \"apps\": [\(apps)], \(Self.events)}"
        ])
        #expect(found == ["day.json:1: apps: There are 2001 apps, and there may be 2000."])
    }

    @Test("of an app without a name the tasks are not missing too")
    func namelessApp() {
        let found = problems([
            "day.json":
                #"{"devices": [{}], "apps": [{"tasks": [{"identifier": "a.t"}]}, {"app": "com.example.news"}], "#
                + Self.events + "}"
        ])
        #expect(found == ["day.json:1: apps[0].app: This key is missing."])
    }

    @Test("an app that is there in no way is told of, whatever else is wrong")
    func otherMistake() {
        let found = problems([
            "day.json": #"{"devices": [{}], "apps": [{"app": "com.example.news", "pushTakes": "9"}], "# + Self.events
                + "}"
        ])
        #expect(found.map { $0.split(separator: ": ")[1] } == ["apps[0].pushTakes", "events[1].submit"])
    }

    @Test(
        "what is no JSON says what to do about it",
        arguments: [
            ("{\"days\": 1,}", "Remove the comma before it, or correct what is written there."),
            ("/* day */ {}", "Begin comments with //; /* is none."),
            ("{\"days\": 1, \"days\": 2}", "Remove one of the two."),
            ("{'days': 1}", "Write names and texts between \" and \"."),
            ("", "Write the scenario's keys and values between { and }."),
            ("{\"days\": 1", "Add what is missing at its end, such as } or \"."),
            ("\u{FEFF}{}", "Save the file without a byte order mark."),
            ("{\"seed\": 99999999999999999999}", "Write a number of at most 9223372036854775807."),
            (String(repeating: "[", count: 40), "Write fewer brackets within each other."),
            ("{\"name\": \"a\tb\"}", "Correct the file there."),
        ])
    func syntax(text: String, fix: String) {
        #expect(read(text).problems.map(\.fix) == [fix])
    }
}
