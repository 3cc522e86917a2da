import Testing

@testable import Arguments

@Suite("Help")
struct HelpTextTests {
    @Test("of a program reads like a manual page")
    func program() {
        let expected = """
            NAME
                tool - look after tasks

            SYNOPSIS
                tool [OPTION]... COMMAND [ARGUMENT]...
                tool COMMAND --help

            DESCRIPTION
                Tool looks after tasks that run in the background, and says why one has not
                run yet, in as many words as it takes.

                It talks to a daemon:

                    tool status

            COMMANDS
                status          what the daemon does now
                history         what ran, newest first
                app opened      tell that a person opened an app
                app force-quit  tell that a person ended an app
                call            call any method

            OPTIONS
                -s, --socket PATH
                    The daemon's socket.

                -j, --json
                    Prints the result as the socket gave it.

                -q, --quiet
                    Prints nothing.

                -h, --help
                    Shows this help and ends.

                --version
                    Shows the version and ends.

            ENVIRONMENT
                TOOL_SOCKET
                    The socket, unless --socket names it.

            FILES
                /run/tool/control.sock
                    The system's socket.

            EXIT STATUS
                0  Done.
                2  The arguments could not be understood.

            EXAMPLES
                Shows what the daemon does.
                    tool status

            """
        #expect(HelpText(sampleProgram).text() == expected)
    }

    @Test("of a command shows its own options and then those of all")
    func command() throws {
        let history = try #require(sampleProgram.command(["history"]))
        let text = HelpText(sampleProgram).text(for: history)
        #expect(
            text.hasPrefix(
                """
                NAME
                    tool history - what ran, newest first

                SYNOPSIS
                    tool history [--limit NUMBER] [--state STATE]... [IDENTIFIER]

                DESCRIPTION
                    Shows the runs that have ended.

                ARGUMENTS
                    IDENTIFIER
                        Only runs of this task.

                OPTIONS
                    -l, --limit NUMBER
                        How many runs.

                    --state STATE
                        Only runs that ended so. May be given more than once.

                COMMON OPTIONS

                """))
        #expect(text.hasSuffix("EXAMPLES\n    Shows the last five runs.\n        tool history --limit 5\n"))
    }

    @Test("never passes 80 columns, unless one word does")
    func width() {
        let word = String(repeating: "x", count: 100)
        var program = sampleProgram
        let sentence = String(repeating: "many words that wrap ", count: 20) + "\(word) and more"
        program.description = sentence
        program.options.append(OptionDescription("--a-very-long-name", value: "VALUE", help: sentence))
        program.commands.append(
            CommandDescription(
                ["a-command-whose-name-is-wider-than-its-column"], summary: sentence,
                options: (0..<6).map { OptionDescription("--option-number-\($0)", value: "VALUE", help: sentence) }))
        program.exitStatuses.append(.init("3", sentence))
        for command in [nil, program.commands.last] {
            for line in HelpText(program).text(for: command).split(separator: "\n") {
                #expect(line.count <= 80 || line.drop { $0 == " " } == word, "\(line)")
            }
        }
    }

    @Test("many options are not listed in the synopsis")
    func manyOptions() {
        let options = (0..<7).map { OptionDescription("--option-\($0)", help: "Help.") }
        let command = CommandDescription(["do"], summary: "do it", options: options)
        let text = HelpText(sampleProgram).text(for: command)
        #expect(text.contains("SYNOPSIS\n    tool do [OPTION]...\n"))
    }

    @Test("blank descriptions leave no trace")
    func empty() {
        let text = HelpText(ProgramDescription(name: "one", version: "1", summary: "s")).text()
        #expect(text.hasPrefix("NAME\n    one - s\n\nSYNOPSIS\n    one\n\nOPTIONS\n"))
    }
}
