import FoundationEssentials
import Testing

@testable import RunnerControl

@Suite("Where pictures are drawn")
struct PictureFilesTests {
    private let folder: ScenarioFolder
    private let file: String

    init() throws {
        folder = try ScenarioFolder()
        file = try folder.write(SimulateCommandTests.small, to: "day.json")
    }

    private func refusal(_ arguments: String...) throws -> String {
        let session = Session(["simulate", file] + arguments)
        #expect(session.status == .usage)
        #expect(session.output == "")
        #expect(try folder.text("day.json") == SimulateCommandTests.small, "the scenario is as it was")
        #expect(session.errors.hasSuffix(" See “runnerctl simulate --help”.\n"))
        return session.errors
    }

    @Test("never over a scenario, by whatever name", arguments: ["--svg", "--html"])
    func scenario(option: String) throws {
        let sentence = "is a scenario that is read; name another file with \(option)."
        #expect(try refusal(option, file).hasPrefix("runnerctl: \(file) \(sentence)"))
        let link = folder.path + "/link.svg"
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: file)
        #expect(try refusal(option, link).hasPrefix("runnerctl: \(link) \(sentence)"))
        let other = try folder.write(SimulateCommandTests.small, to: "other.json")
        #expect(try refusal("--compare", other, option, other).hasPrefix("runnerctl: \(other) \(sentence)"))
        let heir = try folder.write(#"{"extends": "day.json", "name": "heir"}"#, to: "heir.json")
        #expect(Session(["simulate", heir, option, file]).errors.hasPrefix("runnerctl: \(file) \(sentence)"))
    }

    @Test("never both into one file")
    func same() throws {
        let both = "runnerctl: --svg and --html name the same file; give each a file of its own."
        #expect(try refusal("--svg", folder.path + "/a", "--html", folder.path + "/a").hasPrefix(both))
        #expect(try refusal("--svg", folder.path + "/a", "--html", folder.path + "/./a").hasPrefix(both))
        _ = try folder.write("", to: "b")
        try FileManager.default.createSymbolicLink(
            atPath: folder.path + "/c", withDestinationPath: folder.path + "/b")
        #expect(try refusal("--svg", folder.path + "/b", "--html", folder.path + "/c").hasPrefix(both))
        #expect(!Session(["simulate", file, "--svg", "/dev/null", "--html", "/dev/null"]).errors.contains("same file"))
    }

    @Test("- is no file", arguments: ["--svg", "--html"])
    func dash(option: String) throws {
        let message = "runnerctl: \(option) needs the path of a file, since the report goes to standard output;"
        #expect(try refusal(option, "-").hasPrefix("\(message) write ./- for a file of that name."))
        #expect(Session(["timeline", option, "-"]).errors.hasPrefix(message))
        #expect(Session(["timeline", option, ""]).errors.hasPrefix(message))
    }
}
