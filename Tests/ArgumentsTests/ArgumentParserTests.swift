import Testing

@testable import Arguments

/// A program like ours, for the tests.
let sampleProgram = ProgramDescription(
    name: "tool", version: "1.2", summary: "look after tasks",
    description: """
        Tool looks after tasks that run in the background, and says why one has not run yet, in as many words as it takes.

        It talks to a daemon:

            tool status
        """,
    options: [
        OptionDescription("--socket", "-s", value: "PATH", help: "The daemon's socket."),
        OptionDescription("--json", "-j", help: "Prints the result as the socket gave it."),
        OptionDescription("--quiet", "-q", help: "Prints nothing."),
    ],
    commands: [
        CommandDescription(["status"], summary: "what the daemon does now"),
        CommandDescription(
            ["history"], summary: "what ran, newest first", description: "Shows the runs that have ended.",
            positionals: [PositionalDescription("IDENTIFIER", help: "Only runs of this task.", isOptional: true)],
            options: [
                OptionDescription("--limit", "-l", value: "NUMBER", help: "How many runs."),
                OptionDescription("--state", value: "STATE", help: "Only runs that ended so.", isRepeatable: true),
            ],
            examples: [ExampleDescription("tool history --limit 5", "Shows the last five runs.")]),
        CommandDescription(
            ["app", "opened"], summary: "tell that a person opened an app",
            positionals: [PositionalDescription("APP", help: "The app's identifier.")]),
        CommandDescription(
            ["app", "force-quit"], summary: "tell that a person ended an app",
            positionals: [PositionalDescription("APP", help: "The app's identifier.")]),
        CommandDescription(
            ["call"], summary: "call any method",
            positionals: [
                PositionalDescription("METHOD", help: "The method's name."),
                PositionalDescription("PARAMS", help: "Its params.", isOptional: true, isRepeatable: true),
            ]),
    ],
    environment: [.init("TOOL_SOCKET", "The socket, unless --socket names it.")],
    files: [.init("/run/tool/control.sock", "The system's socket.")],
    exitStatuses: [.init("0", "Done."), .init("2", "The arguments could not be understood.")],
    examples: [ExampleDescription("tool status", "Shows what the daemon does.")])

@Suite("Reading arguments")
struct ArgumentParserTests {
    private func parse(_ line: String, _ program: ProgramDescription = sampleProgram) throws -> ParsedArguments {
        let arguments = line.split(separator: " ").map(String.init)
        guard case .run(let parsed) = try ArgumentParser(program).parse(arguments) else {
            throw UsageError("help or version")
        }
        return parsed
    }

    @Test(
        "all forms of an option give the same value",
        arguments: [
            "--socket /a history", "--socket=/a history", "-s /a history", "-s/a history", "-s=/a history",
            "history --socket /a", "history -qs /a", "history -qs/a", "-q history x -s /a", "history -jqs=/a x",
        ])
    func forms(line: String) throws {
        let parsed = try parse(line)
        #expect(parsed.command?.words == ["history"])
        #expect(parsed.value(of: "--socket") == "/a")
        #expect(parsed.value(of: "-s") == "/a")
        #expect(parsed.isSet("--quiet") == line.contains("q"))
        #expect(parsed.positional("IDENTIFIER") == (line.contains(" x") ? "x" : nil))
    }

    @Test("values may be empty, hold =, look like a number or be a dash")
    func values() throws {
        #expect(try parse("status --socket=").value(of: "--socket") == "")
        #expect(try parse("status --socket=a=b").value(of: "--socket") == "a=b")
        #expect(try parse("history --limit -5").value(of: "--limit") == "-5")
        #expect(try parse("status -s -").value(of: "--socket") == "-")
    }

    @Test("repeatable options keep every value in order")
    func repeatable() throws {
        let parsed = try parse("history --state failed -l 3 --state=expired")
        #expect(parsed.values(of: "--state") == ["failed", "expired"])
        #expect(try parsed.integer(of: "--limit", in: 1...10) == 3)
        #expect(try parse("history -q -q").isSet("-q"))
    }

    @Test("commands may have several words")
    func words() throws {
        let parsed = try parse("-j app opened com.example.app")
        #expect(parsed.command?.name == "app opened")
        #expect(parsed.positional("APP") == "com.example.app")
    }

    @Test("-- ends the options, a dash is a word, and a negative number too")
    func endOfOptions() throws {
        #expect(try parse("call -- --json -x").positionals("PARAMS") == ["-x"])
        #expect(try parse("call -- --json -x").positional("METHOD") == "--json")
        #expect(try parse("call - -5 -1.5").positionals("PARAMS") == ["-5", "-1.5"])
        #expect(try parse("call m a b c").positionals("PARAMS") == ["a", "b", "c"])
        #expect(try parse("call m").positionals("PARAMS") == [])
    }

    @Test("a program without commands takes words by position")
    func noCommands() throws {
        let program = ProgramDescription(
            name: "one", version: "1", summary: "s", options: [OptionDescription("--all", "-a", help: "All.")],
            positionals: [PositionalDescription("FILE", help: "A file.", isOptional: true)])
        #expect(try parse("-a status", program).positional("FILE") == "status")
        #expect(try parse("", program).command == nil)
        #expect(throws: UsageError.self) { try parse("a b", program) }
    }

    @Test(
        "what cannot be understood is told, with what was probably meant",
        arguments: [
            ("histroy", "no command “histroy”", "tool history"),
            ("xyzzy", "no command “xyzzy”", nil),
            ("app", "“app” must be followed by one of: opened, force-quit", nil),
            ("app open x", "no command “app open”", "tool app opened"),
            ("app.opened x", "no command “app.opened”", "tool app opened"),
            ("", "A command is missing", nil),
            ("-q", "A command is missing", nil),
            ("status --jsn", "no option --jsn for tool status", "--json"),
            ("status --zzzzz", "no option --zzzzz", nil),
            ("status -x", "no option -x", nil),
            ("status -qx", "no option -x", nil),
            ("status -json=1", "-json=1 has one dash too few", "--json=1"),
            ("status --json=1", "--json takes no value", "--json"),
            ("history --limit", "--limit needs a value: --limit NUMBER", nil),
            ("history --limit --json", "--limit needs a value", nil),
            ("history --limit --", "--limit needs a value", nil),
            ("history -l", "-l needs a value", nil),
            ("history --limit 1 -l 2", "-l is given more than once", nil),
            ("--limit 5 history", "must be written after it", "tool history --limit 5"),
            ("--limit=5 history a", "must be written after it", "tool history --limit=5 a"),
            ("--json --limit 5 history", "must be written after it", "tool history --json --limit 5"),
            ("--state history history", "must be written after it", "tool history --state history"),
            ("--limit ? history", "must be written after it", "tool history --limit '?'"),
            ("--limit 5", "must be written after it", "tool history --limit"),
            ("history a b", "“b” is one argument too many; expected is [IDENTIFIER]", nil),
            ("status a", "expected is nothing", nil),
            ("app opened", "APP is missing: The app's identifier.", nil),
        ] as [(String, String, String?)])
    func errors(line: String, fragment: String, suggestion: String?) throws {
        let error = try #require(throws: UsageError.self) { try parse(line) }
        #expect(error.message.contains(fragment), "\(error.message)")
        #expect(error.suggestion == suggestion)
        #expect(error.help.hasPrefix("tool "))
        #expect(error.help.hasSuffix("--help"))
    }

    @Test("an error reads as sentences")
    func errorText() throws {
        let error = try #require(throws: UsageError.self) { try parse("history --limt 5") }
        #expect(
            error.description
                == "There is no option --limt for tool history. Did you mean “--limit”? See “tool history --help”.")
    }

    @Test("typed values are checked")
    func typedValues() throws {
        let parsed = try parse("history --limit 50 --state expird")
        #expect(throws: UsageError.self) { try parsed.integer(of: "--limit", in: 1...10) }
        #expect(try parsed.integer(of: "--limit", in: 1...50) == 50)
        let error = try #require(throws: UsageError.self) {
            try parsed.word(of: "--state", among: ["failed", "expired"])
        }
        #expect(error.suggestion == "expired")
        #expect(try parse("history").integer(of: "--limit", in: 1...10) == nil)
    }

    @Test(
        "help is given wherever it is asked for, even when something is missing",
        arguments: [
            ("--help", "tool - look after tasks"), ("-h", "tool - look after tasks"),
            ("history --help", "tool history - what ran"), ("app opened -h", "tool app opened - tell"),
            ("--help history", "tool history - what ran"), ("app --help", "tool - look after tasks"),
        ])
    func help(line: String, fragment: String) throws {
        let arguments = line.split(separator: " ").map(String.init)
        guard case .help(let text) = try ArgumentParser(sampleProgram).parse(arguments) else {
            Issue.record("no help")
            return
        }
        #expect(text.contains(fragment))
    }

    @Test("the version is given, and -- hides both")
    func version() throws {
        guard case .version("tool 1.2") = try ArgumentParser(sampleProgram).parse(["--version"]) else {
            Issue.record("no version")
            return
        }
        #expect(try parse("call -- --help").positional("METHOD") == "--help")
    }
}
