import FoundationEssentials
import RPC
import Testing

@testable import RunnerControl

@Suite("Simulating days that cannot be lived")
struct SimulateRefusalTests {
    private let folder: ScenarioFolder

    init() throws {
        folder = try ScenarioFolder()
    }

    private func simulate(
        _ text: String = SimulateCommandTests.small, _ arguments: String..., isTerminal: Bool = false, width: Int? = nil
    )
        throws -> Session
    {
        let file = try folder.write(text, to: "day.json")
        return Session(["simulate", file] + arguments, isTerminal: isTerminal, width: width)
    }

    @Test("a bad file is told with its line, its key and the fix, on standard error")
    func badFile() throws {
        let session = try simulate("{\n\"apps\": [],\n\"devices\": [{\"policy\": \"aple\"}]}")
        #expect(session.status == .usage)
        #expect(session.output == "")
        #expect(
            session.errors
                == "\(folder.path)/day.json:3: error: devices[0].policy: “aple” is not known here.\n"
                + "  fix: Did you mean \"apple\"?\n")
        let json = try simulate("{\"apps\": []}", "--json")
        #expect(json.errors.hasPrefix(#"{"problems":[{"severity":"error","name":"missingKey","file":"#))
    }

    @Test("a warning is told, and the days are lived")
    func warning() throws {
        let session = try simulate(
            SimulateCommandTests.small.replacing("\"at\": \"09:00\"", with: "\"at\": \"09:00\", \"day\": 7"))
        #expect(session.status == .done)
        #expect(session.errors.contains("warning: events[2].day: Day 7 never comes: the scenario has 1.\n"))
        #expect(session.output.contains("com.example.a.now"))
    }

    @Test("of very many problems the first are told")
    func manyProblems() throws {
        let events = (0..<30).map { _ in "{}" }.joined(separator: ",")
        let session = try simulate("{\"apps\": [], \"devices\": [{}], \"events\": [\(events)]}")
        #expect(session.errors.hasSuffix("and 40 more problems.\n"))
    }

    @Test("of a very long key the beginning is told")
    func longKey() throws {
        let session = try simulate("{\"\(String(repeating: "a", count: 5_000))\": 1, \"apps\": [], \"devices\": [{}]}")
        #expect(session.status == .usage)
        #expect(session.errors.contains("error: \(String(repeating: "a", count: 200))…: There is no such key.\n"))
        #expect(session.errors.utf8.count < 1_000)
    }

    @Test("a file that is not there is no scenario")
    func missing() throws {
        let session = Session(["simulate", folder.path + "/none.json"])
        #expect(session.status == .usage)
        #expect(
            session.errors
                == "\(folder.path)/none.json: error: The scenario cannot be read: No such file or directory.\n"
                + "  fix: Name a file of JSON text; docs/scenarios.md describes it.\n")
        #expect(Session(["simulate", folder.path]).errors.contains("cannot be read: Is a directory."))
        #expect(try simulate(SimulateCommandTests.small, "--compare", "/nowhere").status == .usage)
    }

    @Test(
        "a command line that makes no sense is explained",
        arguments: [
            (["--runs", "0"], "--runs must be a whole number from 1 to 1000000, not “0”."),
            (["--days", "4001"], "--days must be a whole number from 1 to 4000, not “4001”."),
            (["--seed", "-1"], "--seed must be a whole number from 0 to 9223372036854775807, not “-1”."),
            (["--runs", "2", "--before", "9"], "--before must be a time of day such as 09:00, not “9”."),
            (["--before", "09:00"], "--before is about the chance of many lives; say with --runs how many."),
            (["--runs", "2", "--svg", "a"], "A picture shows one life; leave out --runs, or the picture."),
        ])
    func misuse(arguments: [String], message: String) throws {
        let session = Session(["simulate", "day.json"] + arguments)
        #expect(session.status == .usage)
        #expect(session.errors == "runnerctl: \(message) See “runnerctl simulate --help”.\n")
    }

    @Test("without a file it says what is missing")
    func noFile() {
        let session = Session(["simulate"])
        #expect(session.status == .usage)
        #expect(session.errors.contains("FILE"))
    }

    @Test("names from a file cannot command the terminal")
    func printable() throws {
        let session = try simulate(SimulateCommandTests.small.replacing("small", with: "sm\\u202eall"), "--runs", "2")
        #expect(session.output.contains("sm\u{FFFD}all"))
        #expect(!session.output.contains("\u{202E}"))
    }
}
