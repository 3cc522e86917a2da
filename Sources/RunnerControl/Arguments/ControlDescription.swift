import Arguments
import Platform
import RPC

/// The command line of `runnerctl`, as the parser reads it and help shows it.
enum ControlDescription {
    static let version = RunnerVersion.text

    static let call = CommandDescription(
        ["call"], summary: "Calls any method and prints its result",
        description:
            "PARAMS is a JSON object, or an array of values by position. “runnerctl help METHOD” describes a method."
            + " A subscription would end with the call: for events use “\(EventsCommand.followCommand)”.",
        positionals: [
            PositionalDescription(
                "METHOD", values: .words(ControlMethods.all.map(\.name)),
                help: "The method's name, such as simulateLaunch."),
            PositionalDescription("PARAMS", help: "Its params as JSON; null is none.", isOptional: true),
        ],
        examples: [
            ExampleDescription("runnerctl call explain '{\"identifier\": \"com.example.refresh\"}'", "By name:")
        ])

    static let help = CommandDescription(
        ["help"], summary: "Describes a command and its method",
        positionals: [
            PositionalDescription(
                "COMMAND", values: .commands, help: "A command or a method, such as “app opened” or simulateLaunch.",
                isOptional: true,
                isRepeatable: true)
        ])

    static let trust = "--trust-bundles"
    static let define = "--define"
    static let embedded = "--embedded"

    static let manifestCheck = CommandDescription(
        ["manifest", "check"], summary: "Checks a bundle or a manifest, without a daemon",
        description: """
            PATH is a bundle, an Info.plist or Info.json, or a folder of bundles. Each problem is printed with its file, \
            its key and its fix. The exit status is 1 when there are errors, and 0 when there are none, or only warnings.
            """,
        positionals: [PositionalDescription("PATH", values: .files, help: "What is to be checked.")],
        options: [
            OptionDescription(
                define, value: "NAME=VALUE", help: "Gives a value for $(NAME).", isRepeatable: true),
            OptionDescription(
                embedded, help: "The manifest belongs to a program that embeds the runner, so nothing in it runs tasks."
            ),
            OptionDescription(trust, help: "Only warns of files that other users could have written."),
        ],
        examples: [ExampleDescription("runnerctl manifest check examples/logs.plugin", "Before it is installed:")])

    static let sockets = CommandDescription(
        ["sockets"], summary: "Lists the control sockets that can be found, and who answers there",
        description: """
            Looks at the user's socket, the system's, and those of programs that embed the runner; with --socket, --user, \
            --system or --app only at that one. The exit status is 4 when none of them answers.
            """)

    static let replay = CommandDescription(
        ["replay"], summary: "Lives through a recording again, and says where it differs, without a daemon",
        description: """
            FILE was written by “runnerd --record FILE”: the state at the start, each event, and what the scheduler \
            wanted done. The scheduler of this program is given the same events at the same times; where it wants \
            something else, the first differences are shown. That FILE was cut off before its end is said. The exit status \
            is 0 when nothing differs, 1 when something does, and 2 when FILE is no recording.
            """,
        positionals: [PositionalDescription("FILE", values: .files, help: "The recording.")],
        examples: [
            ExampleDescription("runnerctl replay /tmp/runner.record", "Does this version decide as that one did?")
        ])

    static let completions = CommandDescription(
        ["completions"], summary: "Prints the script with which a shell completes runnerctl",
        description: """
            With WORDs it prints what can stand for the last of them; the scripts ask for that. Identifiers, runs and \
            apps are asked of the daemon, when there is one.
            """,
        positionals: [
            PositionalDescription(
                "SHELL", values: .words(CompletionShell.allCases.map(\.rawValue)), help: "One of bash, zsh and fish."),
            PositionalDescription(
                "WORD", help: "The words after “runnerctl”, up to the cursor; write -- before them.", isOptional: true,
                isRepeatable: true),
        ],
        examples: [
            ExampleDescription("source <(runnerctl completions bash)", "In ~/.bashrc:"),
            ExampleDescription("source <(runnerctl completions zsh)", "In ~/.zshrc, after compinit:"),
            ExampleDescription("runnerctl completions fish | source", "In ~/.config/fish/config.fish:"),
        ])

    static let socket = "--socket"
    static let user = "--user"
    static let system = "--system"
    static let app = "--app"
    static let json = "--json"
    static let noColor = "--no-color"

    static var program: ProgramDescription {
        program(
            commands: MethodCommand.all.map(\.description) + [
                EventsCommand.description, ProgressCommand.description, TimelineCommand.description,
                TortureCommand.description, call, sockets, replay, SimulateCommand.description, manifestCheck,
                PluginNew.description, completions, help,
            ])
    }

    /// A program of only those commands that the arguments can mean, so that a call does not pay for them all.
    ///
    /// It understands what `program` does but for the commands that no method has, and of its help the commands' pages.
    static func program(for arguments: [String]) -> ProgramDescription? {
        let meant = MethodCommand.all.filter { command in command.words.first.map(arguments.contains) ?? false }
        return meant.isEmpty ? nil : program(commands: meant.map(\.description))
    }

    private static func program(commands: [CommandDescription]) -> ProgramDescription {
        ProgramDescription(
            name: "runnerctl", version: version, summary: "asks a runner why tasks wait, and lets them run",
            description: """
                Speaks to runnerd, or to a program that embeds the runner, over its control socket. Without options the \
                user's own daemon is looked for first, then the system's, which is root's own.

                Dates and durations may be written as people say them: --earliest +15m, --earliest “tomorrow 08:00”, \
                --timeout 1h30m. Dates are shown in local time; --json keeps UTC.
                """,
            options: [
                OptionDescription(socket, value: "PATH", values: .files, help: "Uses this socket."),
                OptionDescription(user, help: "Speaks to the user's daemon only."),
                OptionDescription(system, help: "Speaks to the system's daemon only."),
                OptionDescription(
                    app, value: "APP", values: .list(NamedList.apps.rawValue),
                    help: """
                        Speaks to the program that embeds the runner as this app. For commands that can be about one app \
                        (pending, timeline, log, pause, resume, cancel-all), it is the app of the daemon when there is \
                        no such program.
                        """),
                OptionDescription(json, help: "Prints the result as the socket gave it, in one line of JSON."),
                OptionDescription(noColor, help: "Prints without colours."),
            ],
            commands: commands,
            environment: [
                .init("RUNNER_SOCKET", "The socket to use, when no option names one."),
                .init("XDG_RUNTIME_DIR", "Where the user's sockets are."),
                .init("NO_COLOR", "Prints without colours when it is set."),
                .init("RUNNER_PACKAGE", "Where “plugin new” gets the Swift package Runner from."),
                .init("TZ", "The time zone in which dates are read and shown."),
            ],
            files: [
                .init(SocketLocation.system, "The socket of the system's daemon, and of root's."),
                .init(
                    "$XDG_RUNTIME_DIR/runner/control.sock",
                    "The socket of the user's daemon; /tmp/runner-UID/control.sock where there is no such folder."),
                .init("$XDG_RUNTIME_DIR/runner/apps/APP.sock", "The socket of a program that embeds the runner."),
            ],
            exitStatuses: [
                .init("0", "Done."),
                .init(
                    "1",
                    """
                    The run that was waited for did not succeed, a manifest has errors, a replay differs, a bundle or a \
                    picture could not be made, or the output could not be written.
                    """),
                .init("2", "The command line cannot be understood, here or by the daemon."),
                .init("3", "The daemon refused; its reason is on standard error."),
                .init("4", "There is no daemon, or none that answers."),
                .init("5", "The time to wait was over."),
            ],
            examples: [
                ExampleDescription("runnerctl status", "Is it there, and what does it do?"),
                ExampleDescription("runnerctl submit com.example.refresh --earliest +15m", "Let a task run later:"),
                ExampleDescription("runnerctl explain com.example.refresh", "Why has it not run yet?"),
                ExampleDescription("runnerctl simulate-launch com.example.refresh --submit", "Run it now:"),
            ])
    }
}
