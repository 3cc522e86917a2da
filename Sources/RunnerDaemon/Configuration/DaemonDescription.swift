import Arguments
import Platform
import Runner

/// The command line of `runnerd` and its manual page.
enum DaemonDescription {
    static let helpCommand = "runnerd --help"

    static let config = OptionDescription(
        "--config", value: "FILE", help: "Reads this configuration instead of the usual one; it must be there.")
    static let socket = OptionDescription(
        "--socket", value: "PATH",
        help: """
            Listens there. Socket and folder are for this user alone unless the configuration says otherwise; the \
            folder is made where it is missing.
            """)
    static let state = OptionDescription(
        "--state", value: "DIR", help: "Keeps the store there. One daemon at a time can hold it.")
    static let plugins = OptionDescription(
        "--plugins", value: "DIR",
        help: "Loads the bundles in this folder, NAME.plugin each, instead of those in the usual folders.",
        isRepeatable: true)
    static let policy = OptionDescription(
        "--policy", value: "NAME", help: "Decides by this policy. prompt, apple or doze.")
    static let log = OptionDescription(
        "--log", value: "LEVEL", help: "Logs error, warning, notice, info or debug, each with those before it.")
    static let foreground = OptionDescription(
        "--foreground",
        help: "Logs to standard error, whatever the configuration says. runnerd never goes to the background by itself."
    )
    static let record = OptionDescription(
        "--record", value: "FILE", help: "Writes the starting state and every event with its time to a file.")
    static let trustBundles = OptionDescription(
        "--trust-bundles", help: "Loads bundles that other users could have written, too.")
    static let define = OptionDescription(
        "--define", value: "NAME=VALUE", help: "Gives a value for $(NAME) in manifests.", isRepeatable: true)

    static let program = ProgramDescription(
        name: "runnerd", version: RunnerVersion.text, summary: "runs background tasks when they may run",
        description: """
            Loads the bundles of its plugin folders, keeps the requests that are submitted for their tasks, and runs \
            each one when all its gates are open: not before its earliest begin date, with the power and the network \
            that it needs, and within a budget of time. What was acknowledged outlives a crash of the daemon and of \
            the machine.

            It is asked and told over its control socket; runnerctl does that. “runnerctl explain IDENTIFIER” says \
            why a task has not run yet.

            Started by root it is the system's runner, else the user's own. A socket that systemd passes under the \
            name control stands over all others.
            """,
        options: [
            config, socket, state, plugins, policy, log, foreground, record, trustBundles, define,
        ],
        environment: [
            .init(SocketLocation.variable, "The control socket, when --socket does not name it. Clients read it too."),
            .init("XDG_RUNTIME_DIR", "Where a user's socket is; without it that is /tmp/runner-UID."),
            .init("XDG_STATE_HOME", "Where a user's state is; without it that is ~/.local/state."),
            .init("XDG_CONFIG_HOME", "Where a user's configuration and bundles are; without it that is ~/.config."),
            .init("XDG_DATA_HOME", "Where more bundles of a user are; without it that is ~/.local/share."),
            .init("NOTIFY_SOCKET, LISTEN_FDS, WATCHDOG_USEC", "Set by systemd, and obeyed."),
        ],
        files: [
            .init("/etc/runner/runner.json", "The configuration of the system's runner."),
            .init("$XDG_CONFIG_HOME/runner/runner.json", "The configuration of a user's runner."),
            .init("/etc/runner/plugins, /usr/lib/runner/plugins", "The bundles of the system's runner."),
            .init(
                "$XDG_CONFIG_HOME/runner/plugins, $XDG_DATA_HOME/runner/plugins", "The bundles of a user's runner."),
            .init("/var/lib/runner, $XDG_STATE_HOME/runner", "The state of the system's runner and of a user's."),
            .init(
                "\(SocketLocation.system), $XDG_RUNTIME_DIR/runner/control.sock",
                "The control socket of the system's runner and of a user's."),
        ],
        exitStatuses: [
            .init("0", "It drained and ended, as it was told to."),
            .init("1", "It could not start; the reason is on standard error."),
            .init("2", "The command line cannot be understood."),
        ],
        examples: [
            ExampleDescription(
                "runnerd --state ./state --socket ./socket --plugins ./bundles",
                "To try bundles out, beside any other runner:"),
            ExampleDescription("systemctl --user enable --now runner.service", "As a service of the user:"),
            ExampleDescription(
                "runnerd --config ./runner.json --log debug --record ./events", "To see what it decides, and why:"),
        ])

    /// The sections that only this program has.
    private static var ownSections: [ManualSection] {
        [
            ManualSection(
                "CONFIGURATION",
                text: """
                    The file is JSON, in which // begins a comment. Options beat the environment, and the \
                    environment beats the file. A name with a dot stands for a member of a dictionary. Durations are \
                    strings such as "500ms", "30s", "15m", "1h" or "2d", and paths begin with / or ~/. An unknown key \
                    is an error.
                    """,
                entries: ConfigurationKey.all.map { key in
                    ManualSection.Entry(name: key.path, text: [key.help, "Default: \(key.standard.text)"])
                }),
            ManualSection(
                "SIGNALS",
                entries: [
                    .init(
                        name: "SIGTERM, SIGINT",
                        text: [
                            "Starts nothing more, lets runs finish for 10 s, then expires them, and ends. A second one "
                                + "expires them at once."
                        ]),
                    .init(name: "SIGHUP", text: ["Reads the bundles again."]),
                ]),
        ]
    }

    /// The whole manual page: what every program's help has, with the sections of this program before the environment.
    static func manual(_ page: String) -> String {
        let own = ownSections.map { "\n" + $0.text }.joined()
        guard let place = page.firstRange(of: "\n\nENVIRONMENT\n") else { return page + own }
        return page[...place.lowerBound] + own + page[place.lowerBound...].dropFirst()
    }
}
