import Arguments

/// What the help of a command says beyond what the method's description does.
enum CommandNotes {
    struct Notes {
        var description = ""
        var examples: [ExampleDescription] = []
    }

    static func notes(for method: String) -> Notes {
        switch method {
        case "submit":
            Notes(
                description: """
                    A request waits until its floor has passed and its conditions hold. One request is pending for each \
                    identifier: a new one replaces the old one, unless --if-pending says otherwise.
                    """,
                examples: [
                    ExampleDescription(
                        "runnerctl submit com.example.refresh --earliest +15m", "In a quarter of an hour:"),
                    ExampleDescription(
                        "runnerctl submit com.example.backup --earliest \"tomorrow 03:00\" --power --network",
                        "In the night, with external power and a network:"),
                    ExampleDescription(
                        "runnerctl submit com.example.refresh --earliest +1h --if-pending keep-earlier --tolerance 5m",
                        "Without ever postponing what is pending:"),
                ])
        case "simulateLaunch":
            Notes(
                description: """
                    The run has no time budget unless --budget is given. On a terminal the command shows a progress bar \
                    until the run has ended, unless --no-wait is given; elsewhere only with --wait.
                    """,
                examples: [
                    ExampleDescription(
                        "runnerctl simulate-launch com.example.refresh --submit --wait --timeout 30s",
                        "Run a task now, whether a request is pending or not, and wait for it:")
                ])
        case "simulateExpiration":
            Notes(examples: [
                ExampleDescription(
                    "runnerctl simulate-expiration com.example.backup --reason condition-lost --wait",
                    "See whether a handler ends well when its condition is lost:")
            ])
        case "stop":
            Notes(description: "Give the task's identifier, or the number of its run with --run.")
        case "explain":
            Notes(examples: [
                ExampleDescription("runnerctl explain com.example.refresh", "Why has it not run yet?")
            ])
        case "history":
            Notes(examples: [
                ExampleDescription(
                    "runnerctl history --identifier com.example.refresh --state failed --limit 10",
                    "The last ten failures of a task:"),
                ExampleDescription("runnerctl history --summary", "How often did each task run, and when of the day?"),
            ])
        case "log":
            Notes(
                description: """
                    Give the number of a run with --run, or an app with --app. An app's lines are those of all its runs, and \
                    what its process wrote outside of them, in the order in which they were kept. With --follow the command \
                    goes on until it is interrupted, its output is closed or the run has ended, also over restarts of the \
                    daemon.
                    """,
                examples: [
                    ExampleDescription("runnerctl log --run 12", "What a run wrote:"),
                    ExampleDescription("runnerctl log --app com.example.mail --follow", "What an app writes:"),
                ])
        case "device.override":
            Notes(
                description: """
                    CONDITION takes on or off, but for battery-level (0 to 1), network (none, metered, unmetered) and \
                    thermal (nominal, fair, serious, critical).
                    """,
                examples: [
                    ExampleDescription(
                        "runnerctl device override external-power off --for 10m",
                        "As if the plug was pulled for a while:")
                ])
        case "device.report":
            Notes(
                description: "VALUE is as for “device override”, or null when the source does not know it.",
                examples: [
                    ExampleDescription(
                        "runnerctl device report network metered hotspot --valid 1h", "What a script found out:")
                ])
        case "pause", "resume", "cancelAll":
            Notes(description: "With --app only for that app.")
        default: Notes()
        }
    }
}
