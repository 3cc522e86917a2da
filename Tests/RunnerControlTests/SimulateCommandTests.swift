import FoundationEssentials
import RPC
import Testing

@testable import RunnerControl

@Suite("Simulating days")
struct SimulateCommandTests {
    private let folder: ScenarioFolder

    init() throws {
        folder = try ScenarioFolder()
    }

    /// One app that asks once and gets what it asks for at once, and one that never gets it.
    static let small = """
        {"name": "small", "start": "2026-03-02", "utcOffset": "+01:00", "devices": [{"name": "box"}],
         "apps": [{"app": "com.example.a", "tasks": [
            {"identifier": "com.example.a.now", "takes": "20s"},
            {"identifier": "com.example.a.power", "kind": "processing", "requiresExternalPower": true}]}],
         "events": [
            {"at": "00:00", "externalPower": false},
            {"at": "08:30", "submit": "com.example.a.now", "earliestBeginDate": "08:45"},
            {"at": "09:00", "submit": "com.example.a.power"}]}
        """

    private func simulate(_ text: String = small, _ arguments: String..., isTerminal: Bool = false, width: Int? = nil)
        throws -> Session
    {
        let file = try folder.write(text, to: "day.json")
        return Session(["simulate", file] + arguments, isTerminal: isTerminal, width: width)
    }

    // MARK: One life

    @Test("tells what was asked, what was granted, and what held it for how long")
    func table() throws {
        let session = try simulate()
        #expect(session.status == .done)
        #expect(session.errors == "")
        #expect(session.tried.isEmpty, "it needs no daemon")
        let lines = session.console.lines
        #expect(lines.first == "box (prompt): one day from 2026-03-02 on, seed 1")
        let columns = ["TASK", "ASKED", "FLOOR", "GRANTED", "WAITED", "HELD BY", "RESULT"]
        #expect(words(lines[2]) == columns.flatMap { words($0) })
        #expect(
            words(lines[3])
                == words("com.example.a.now 08:30 08:45 08:45 0s earliestBeginDate 15m succeeded in 20s"))
        #expect(words(lines[4]) == words("com.example.a.power 09:00 still waits 15h externalPower 15h"))
        #expect(session.output.contains("Apps were woken once, 1.0 times a day: 1 for a run.\n"))
    }

    @Test("on a narrow terminal what held a request stands below it")
    func narrow() throws {
        let session = try simulate(Self.small, "--no-color", isTerminal: true, width: 72)
        let lines = session.console.lines
        #expect(words(lines[3]) == words("com.example.a.now 08:30 08:45 08:45 0s"))
        #expect(lines[4] == "    earliestBeginDate 15m; succeeded in 20s")
        #expect(lines[6] == "    externalPower 15h")
        #expect(lines.allSatisfy { $0.count <= 72 })
        let wide = try simulate(Self.small, "--no-color", isTerminal: true, width: 200)
        #expect(wide.output == (try simulate().output))
    }

    @Test("a program gets everything in one line of JSON")
    func json() throws {
        let session = try simulate(Self.small, "--json")
        #expect(session.status == .done)
        #expect(session.output.filter { $0 == "\n" }.count == 1)
        let root = try JSONDocument.parse(Array(session.output.utf8.dropLast())).root
        #expect(root["scenario"]?.string == "small")
        let device = try #require(root["devices"]?.array?.first)
        #expect(device["from"]?.string == "2026-03-01T23:00:00.000Z")
        let tasks = try #require(device["tasks"]?.array)
        let request = try #require(tasks.first?["requests"]?.array?.first)
        #expect(request["outcome"]?.string == "granted")
        #expect(request["submittedAt"]?.string == "2026-03-02T07:30:00.000Z")
        #expect(request["startedAt"]?.string == "2026-03-02T07:45:00.000Z")
        #expect(request["waits"]?.array?.first?["gate"]?.string == "earliestBeginDate")
        #expect(request["waits"]?.array?.first?["seconds"]?.integer == 900)
        #expect(tasks.last?["requests"]?.array?.first?["outcome"]?.string == "pending")
        #expect(device["wakes"]?.array?.count == 1)
        #expect(device["problems"]?.array?.isEmpty == true)
    }

    @Test("what was said in the warm-up is not told")
    func warmUp() throws {
        let text = Self.small.replacing("\"small\",", with: "\"small\", \"warmUpDays\": 2,")
        let session = try simulate(text, "--json")
        let root = try JSONDocument.parse(Array(session.output.utf8.dropLast())).root
        let device = try #require(root["devices"]?.array?.first)
        #expect(device["from"]?.string == "2026-03-01T23:00:00.000Z")
        #expect(device["diagnostics"]?.array?.map { $0["at"]?.string } == ["2026-03-02T07:45:20.000Z"])
        #expect(try simulate(text).output.contains("\n08:45:20  com.example.a.now: willNotRunAgain. "))
    }

    @Test("--days lives longer or shorter than the scenario says")
    func days() throws {
        let session = try simulate(Self.small, "--days", "2")
        #expect(session.console.lines.first == "box (prompt): 2 days from 2026-03-02 on, seed 1")
        #expect(session.output.contains("day 2 08:45"))
    }

    @Test("--seed draws other days")
    func seed() throws {
        let text = Self.small.replacing("\"at\": \"08:30\"", with: "\"at\": \"08:30\", \"spread\": \"5h\"")
        let first = try simulate(text, "--seed", "1").output
        #expect(first == (try simulate(text, "--seed", "1").output))
        let second = try simulate(text, "--seed", "2").output
        #expect(second.contains("seed 2"))
        #expect(first.replacing("seed 1", with: "seed 2") != second)
    }

    @Test("of many requests the tasks are counted")
    func manyRequests() throws {
        let session = try simulate(Self.small, "--days", "60")
        let lines = session.console.lines
        #expect(lines[2] == "120 requests; --json lists them all.")
        #expect(words(lines[3]).prefix(4) == ["TASK", "ASKED", "GRANTED", "FIRST"])
        #expect(
            words(lines[4])
                == words("com.example.a.now 60 60 08:45 0s 0s earliestBeginDate 100%"))
    }

    // MARK: Many lives

    @Test("--runs tells when tasks ran first, how often, and on how many days they had run by a time")
    func chances() throws {
        let text = Self.small.replacing(
            "\"at\": \"08:30\", \"submit\"", with: "\"at\": \"08:30\", \"chance\": 0.5, \"submit\"")
        let session = try simulate(text, "--runs", "40", "--before", "08:46")
        #expect(session.status == .done)
        let lines = session.console.lines
        #expect(lines.first == "small: one day, lived 40 times with the seeds 1 to 40.")
        #expect(lines[3].contains("NEVER  BEFORE 08:46"))
        let row = words(lines[4])
        #expect(row.prefix(6) == ["com.example.a.now", "08:45", "08:45", "08:45", "08:45", "08:45"])
        let never = try #require(Int(row[6].dropLast()))
        let before = try #require(Int(row[7].dropLast()))
        #expect((25...75).contains(never), "half of the lives")
        #expect((99...101).contains(never + before), "both are rounded")
        #expect(words(lines[5]).prefix(3) == ["com.example.a.power", "100%", "0%"])
        let late = try simulate(text, "--runs", "40", "--before", "08:45")
        #expect(words(late.console.lines[4])[7] == "0%", "08:45 is not before 08:45")
    }

    @Test("one life of --runs is one")
    func oneRun() throws {
        let session = try simulate(Self.small, "--runs", "1")
        #expect(session.console.lines.first == "small: one day, lived once with the seed 1.")
    }

    @Test("the example that is published is neither certain nor hopeless")
    func publishedExample() throws {
        let session = Session([
            "simulate", ScenarioFolder.example("commuter-week"), "--runs", "40", "--before", "04:00",
        ])
        let line = try #require(session.console.lines.first { $0.hasPrefix("com.example.news.refresh") })
        let share = try #require(words(line).first { $0.hasSuffix("%") }.flatMap { Int($0.dropLast()) })
        #expect((20...80).contains(share), "\(line)")
    }

    @Test("chances as JSON")
    func chancesAsJSON() throws {
        let session = try simulate(Self.small, "--runs", "3", "--json")
        let root = try JSONDocument.parse(Array(session.output.utf8.dropLast())).root
        #expect(root["runs"]?.integer == 3)
        #expect(root["before"]?.string == "09:00")
        let tasks = try #require(root["devices"]?.array?.first?["tasks"]?.array)
        #expect(tasks.first?["firstGrant"]?["median"]?.string == "2026-03-02T07:45:00.000Z")
        #expect(tasks.first?["chanceBefore"]?.number == 1)
        #expect(tasks.last?["firstGrant"]?.isNull == true)
        #expect(tasks.last?["never"]?.integer == 3)
    }

    @Test("on a terminal it says how far it is, and takes that back")
    func progress() throws {
        let session = try simulate(Self.small, "--runs", "2", isTerminal: true)
        #expect(session.output.contains("\r\u{1B}[Klived small 1 of 2 times"))
        #expect(!(try simulate(Self.small, "--runs", "2").output.contains("\u{1B}")))
    }

    // MARK: Comparing

    @Test("--compare shows which requests went another way, and the counts side by side")
    func comparison() throws {
        let other = try folder.write(
            Self.small.replacing("\"small\"", with: "\"mains\"").replacing(
                "\"externalPower\": false", with: "\"externalPower\": true"), to: "other.json")
        let session = try simulate(Self.small, "--compare", other)
        #expect(session.status == .done)
        let lines = session.console.lines
        #expect(lines[0] == "box: small and mains; 1 of 2 requests and pushes went another way.")
        #expect(words(lines[2]) == ["WHAT", "ASKED", "small", "mains"])
        #expect(words(lines[3]) == words("com.example.a.power 09:00 still waits 09:00"))
        #expect(session.output.contains("runs of com.example.a.power"))
        let wakes = try #require(lines.first { $0.hasPrefix("wakes") })
        #expect(words(wakes) == ["wakes", "1", "2", "+1"])
    }

    @Test("of many requests that went another way only the counts are shown")
    func manyDifferences() throws {
        let other = try folder.write(Self.small.replacing("08:45", with: "10:00"), to: "other.json")
        let session = try simulate(Self.small, "--compare", other, "--days", "150")
        #expect(session.console.lines[0] == "box: first and second; 150 of 300 requests and pushes went another way.")
        #expect(session.console.lines[1] == "These are too many to list; --json has them all.")
        #expect(session.output.contains("runs of com.example.a.now"))
    }

    @Test("a scenario is no different from itself")
    func sameTwice() throws {
        let session = try simulate(Self.small, "--compare", folder.path + "/day.json")
        #expect(session.console.lines[0] == "box: first and second; all 2 requests and pushes went the same way.")
        #expect(
            try simulate(Self.small, "--compare", folder.path + "/day.json", "--json").output.contains(
                #"{"scenarios":[{"#))
    }

    @Test("devices that only one scenario has are named")
    func otherDevices() throws {
        let other = try folder.write(
            Self.small.replacing(
                "[{\"name\": \"box\"}]", with: "[{\"name\": \"box\"}, {\"name\": \"phone\", \"policy\": \"apple\"}]"),
            to: "other.json")
        let session = try simulate(Self.small, "--compare", other)
        #expect(session.output.hasSuffix("Only second has the device phone.\n"))
    }

    @Test("many lives of two scenarios are compared by their medians")
    func comparedChances() throws {
        let other = try folder.write(Self.small.replacing("08:45", with: "10:00"), to: "other.json")
        let session = try simulate(Self.small, "--compare", other, "--runs", "3")
        #expect(session.status == .done)
        let rows = session.console.lines.map { words($0) }
        #expect(rows.contains(words("com.example.a.now first run 08:45 10:00")))
        #expect(rows.contains(words("com.example.a.now run before 09:00 100% 0% -100 points")))
        #expect(
            try simulate(Self.small, "--compare", other, "--runs", "3", "--json").output.contains(#"{"scenarios":[{"#))
    }

    // MARK: Pictures

    @Test("pictures are drawn into the files that are named")
    func pictures() throws {
        let session = try simulate(
            Self.small, "--svg", folder.path + "/day.svg", "--html", folder.path + "/day.html")
        #expect(session.status == .done)
        #expect(try folder.text("day.svg").contains("<svg xmlns="))
        #expect(try folder.text("day.svg").contains("com.example.a.now"))
        #expect(try folder.text("day.html").hasPrefix("<!DOCTYPE html>"))
        #expect(try folder.text("day.html").contains("com.example.a.now"))
    }

    @Test("a picture that cannot be written is one sentence")
    func unwritable() throws {
        let session = try simulate(Self.small, "--svg", "/nowhere/day.svg")
        #expect(session.status == .unsuccessful)
        #expect(session.errors == "runnerctl: /nowhere/day.svg could not be written: No such file or directory.\n")
        let full = try simulate(Self.small, "--html", "/dev/full")
        #expect(full.errors == "runnerctl: /dev/full could not be written: No space left on device.\n")
        #expect(full.output == "")
    }

    private func words(_ line: String) -> [String] {
        line.split(separator: " ").map { String($0) }
    }
}
