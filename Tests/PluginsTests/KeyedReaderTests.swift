import Testing

@testable import Plugins

@Suite("The reader of files that people write")
struct KeyedReaderTests {
    @Test(
        "durations have a number and a unit",
        arguments: [
            ("500ms", .milliseconds(500)), ("30s", .seconds(30)), ("15m", .seconds(900)), ("1h", .seconds(3_600)),
            ("2d", .seconds(172_800)), ("0s", .zero), ("36500d", .seconds(3_153_600_000)),
            ("36501d", nil), ("99999999999999999999s", nil), ("9223372036854775807d", nil), ("", nil), ("5", nil),
            ("s", nil), ("-5s", nil), ("1.5h", nil), ("1 h", nil), ("1H", nil), ("1h30m", nil), ("５s", nil),
            ("5min", nil),
        ] as [(String, Duration?)])
    func durations(text: String, expected: Duration?) {
        #expect(DurationText.parse(text) == expected)
    }

    @Test(
        "durations are written in the largest unit that is exact",
        arguments: [
            (Duration.zero, "0s"), (.milliseconds(1), "1ms"), (.milliseconds(1_500), "1500ms"), (.seconds(60), "1m"),
            (.seconds(90), "90s"), (.seconds(86_400), "1d"),
        ])
    func formats(duration: Duration, expected: String) {
        #expect(DurationText.format(duration) == expected)
        #expect(DurationText.parse(expected) == duration)
    }

    @Test(
        "amounts of memory have a number and a unit of powers of 1,024",
        arguments: [
            ("1K", 1_024), ("64KiB", 65_536), ("256M", 268_435_456), ("2GiB", 2_147_483_648), ("5", nil), ("M", nil),
            ("1MB", nil), ("-1M", nil), ("9999999999999G", nil),
        ] as [(String, Int64?)])
    func memory(text: String, expected: Int64?) {
        #expect(ByteCountText.parse(text) == expected)
    }

    @Test("whole numbers may be written with a fraction of zero, and are checked")
    func numbers() {
        let problems = ProblemList(file: "f")
        let reader = KeyedReader(
            ["a": .real(5), "b": .real(5.5), "c": .integer(11), "d": .boolean(true), "e": .real(0.5)],
            problems: problems)
        #expect(reader.integer("a", in: 0...10) == 5)
        #expect(reader.number("e", in: 0...1) == 0.5)
        #expect(reader.integer("missing", in: 0...10) == nil)
        #expect(problems.problems == [])
        #expect(reader.integer("b", in: 0...10) == nil)
        #expect(reader.integer("c", in: 0...10) == nil)
        #expect(reader.number("c", in: 0...10) == nil)
        #expect(reader.number("d", in: 0...10) == nil)
        #expect(problems.problems.map(\.name) == [.wrongType, .invalidValue, .invalidValue, .wrongType])
        #expect(problems.problems.map(\.key) == ["b", "c", "c", "d"])
    }

    @Test("nested dictionaries know their whole key path")
    func paths() throws {
        let problems = ProblemList(file: "f")
        let reader = KeyedReader(
            ["limits": .dictionary(["line": .string("x"), "lne": .integer(1)]), "foreign": .integer(1)],
            problems: problems)
        let limits = try #require(reader.dictionary("limits", example: "{}"))
        #expect(limits.integer("line", in: 1...9) == nil)
        limits.refuseUnknown(besides: ["line"])
        reader.refuseUnknown(besides: ["limits"], beginning: "x")
        #expect(problems.problems.map(\.key) == ["limits.line", "limits.lne"])
        #expect(problems.problems.last?.fix == "Did you mean line?")
        reader.refuseUnknown(besides: ["limits"])
        #expect(problems.problems.last?.key == "foreign")
    }

    @Test("the dictionaries of an array know their place, and what is none is left out")
    func arrays() throws {
        let problems = ProblemList(file: "f")
        let reader = KeyedReader(
            [
                "apps": .array([.dictionary(["a": .integer(1)]), .integer(7), .dictionary([:])]),
                "app": .dictionary([:]),
            ],
            problems: problems)
        let apps = try #require(reader.dictionaries("apps", example: "[{}]"))
        #expect(apps.map(\.path) == ["apps[0]", "apps[2]"])
        #expect(apps[0].integer("a", in: 0...1) == 1)
        #expect(reader.dictionaries("missing", example: "[{}]") == nil)
        #expect(reader.dictionaries("app", example: "[{}]") == nil)
        #expect(problems.problems.map(\.key) == ["apps[1]", "app"])
        #expect(problems.problems.map(\.name) == [.wrongType, .wrongType])
        problems.addLines { $0.isEmpty ? nil : $0.utf8.count }
        #expect(problems.problems.map(\.line) == [7, 3])
    }
}
