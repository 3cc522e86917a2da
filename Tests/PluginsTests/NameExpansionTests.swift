import Scheduling
import Testing

@testable import Plugins

@Suite("Expansion of $(NAME)")
struct NameExpansionTests {
    @Test(
        "puts values in the place of names",
        arguments: [
            ("$(A)", "1"), ("x$(A)y$(B)z", "x1y$(A)z"), ("$(A)$(A)", "11"), ("$$(A)", "$(A)"), ("$$$(A)", "$$(A)"),
            ("$", "$"), ("$(", "$("), ("$()", "$()"), ("$(date +%s)", "$(date +%s)"), ("$((1+2))", "$((1+2))"),
            ("${A}", "${A}"), ("$A", "$A"), ("é$(A)é", "é1é"), ("$(NAME:rfc1034identifier)", "My-App-1.0-"),
            ("$(1A)", "$(1A)"),
        ])
    func expands(text: String, expected: String) {
        let problems = ProblemList(file: "f")
        let expansion = NameExpansion(["A": "1", "B": "$(A)", "NAME": "My App_1.0é"])
        #expect(expansion.expand(.string(text), key: "k", problems) == .string(expected))
        #expect(problems.problems == [])
    }

    @Test("reaches strings and names at every level, and names the key of what has no value")
    func levels() {
        let problems = ProblemList(file: "f")
        let expansion = NameExpansion(["APP": "com.example"])
        let value = ManifestValue.dictionary([
            "$(APP).refresh": .array([.string("$(APP)"), .integer(1), .dictionary(["a": .string("$(NO)")])])
        ])
        let expanded = expansion.expand(value, key: "RunnerTasks", problems)
        #expect(
            expanded
                == .dictionary([
                    "com.example.refresh": .array([
                        .string("com.example"), .integer(1), .dictionary(["a": .string("$(NO)")]),
                    ])
                ]))
        #expect(problems.problems.map(\.key) == ["RunnerTasks.com.example.refresh[2].a"])
        #expect(problems.problems.first?.fix.contains("Info.settings.json or with --define NO=VALUE") == true)
    }

    @Test("two names that become one are an error")
    func collision() {
        let problems = ProblemList(file: "f")
        _ = NameExpansion(["A": "x"]).expand(.dictionary(["$(A)": .integer(1), "x": .integer(2)]), key: "k", problems)
        #expect(problems.problems.map(\.name) == [.invalidValue])
    }

    @Test("a modifier that is not known is an error")
    func modifier() {
        let problems = ProblemList(file: "f")
        _ = NameExpansion(["A": "x"]).expand(.string("$(A:upper)"), key: "k", problems)
        #expect(problems.problems.map(\.name) == [.undefinedName])
    }

    @Test("values come from the settings file, and definitions beat them")
    func sources() throws {
        let bundle = try TemporaryBundle()
        let text = manifestText([
            "CFBundleIdentifier": #""$(APP)""#, "BGTaskSchedulerPermittedIdentifiers": #"["$(APP).refresh"]"#,
            "RunnerTasks": #"{"$(APP).refresh": {"command": ["bin/refresh", "$(SPEED)"]}}"#,
        ])
        try bundle.write("Info.json", text)
        #expect(Set(bundle.read().problems.map(\.name)) == [.undefinedName])

        try bundle.write(
            "Info.settings.json", "{\n  // Values.\n  \"APP\": \"com.example.mail\", \"SPEED\": \"slow\"\n}")
        let settled = try #require(bundle.read().manifest)
        #expect(settled.identifier.text == "com.example.mail")
        #expect(settled.commands.first?.command == ["bin/refresh", "slow"])

        let defined = bundle.read(definitions: ["SPEED": "fast"])
        #expect(defined.manifest?.commands.first?.command == ["bin/refresh", "fast"])
        #expect(defined.contents != bundle.read().contents)
    }

    @Test("a broken settings file is an error of that file", arguments: ["{\"A\": }", "{\"A\": 1}"])
    func brokenSettings(text: String) throws {
        let bundle = try TemporaryBundle()
        try bundle.write("Info.json", manifestText())
        try bundle.write("Info.settings.json", text)
        let reading = bundle.read()
        #expect(reading.manifest == nil)
        #expect(reading.problems.map(\.file) == ["\(bundle.folder)/Info.settings.json"])
    }
}
