import Arguments
import Platform
import RPC
import Scheduling

/// `torture`: runs a task of a live daemon again and again, expires it at other moments each time, and says which rules its
/// handler broke.
struct TortureCommand {
    let parsed: ParsedArguments
    let surroundings: Surroundings
    let style: Style
    let connect: () throws(ControlFailure) -> ControlConnection

    private static let runsOption = "--runs"
    private static let withinOption = "--within"
    private static let onlyOption = "--only"
    private static let defaultRuns = 50
    private static let defaultSeconds = 10

    static let description = CommandDescription(
        ["torture"], summary: "Runs a task many times, expires it at other moments each time, and reports",
        description: """
            First the task runs once without being expired, for at most the time of --within; then as often as --runs \
            says, and is expired at moments that are spread over the time that it took. It is reported when it never \
            completed, completed twice, had no expiration handler, took longer than its grace period, did not submit its \
            next request, or when its process died. What its code does after its completion is out of sight here: for \
            that there is the test kit. What is pending for the identifier is consumed. The exit status is \
            1 when a rule was broken.
            """,
        positionals: [
            PositionalDescription(
                "IDENTIFIER", values: .list(NamedList.registered.rawValue),
                help: "The task, such as com.example.refresh.")
        ],
        options: [
            OptionDescription(
                runsOption, value: "N", help: "How often it is expired; \(defaultRuns) times by default."),
            OptionDescription(
                withinOption, value: "SECONDS",
                help: "How long a run may take before it is expired; \(defaultSeconds) seconds by default."),
            OptionDescription(onlyOption, value: "TRIAL", help: "Only the trial that a report names, once."),
        ],
        examples: [
            ExampleDescription("runnerctl torture com.example.refresh --runs 100", "Does it keep all rules?")
        ])

    func run() throws(ControlFailure) -> ControlStatus {
        let identifier = parsed.positional("IDENTIFIER") ?? ""
        let (runs, seconds, only) = try options()
        let task: TaskIdentifier
        do throws(Refusal) {
            task = try TaskIdentifier(identifier)
        } catch {
            throw .usage(UsageError(error.message, help: Self.help))
        }
        let begun = SystemClock.milliseconds(.awake)
        var torture = Torture(connection: try connect(), identifier: task, longest: Int64(seconds) * 1_000_000)
        if let only {
            // What it does without an expiration is what it is held against.
            if only.moment != .never { try torture.run(ExpiryTrial(seed: 0, .never)) }
            try torture.run(only)
        } else {
            try torture.run(times: runs) { done in show(done, of: runs) }
            clear()
        }
        torture.report.duration = .milliseconds(SystemClock.milliseconds(.awake) - begun)
        let report = torture.report
        surroundings.console.write(
            parsed.isSet(ControlDescription.json) ? TortureReport.json(report) : report.description + "\n")
        return report.findings.isEmpty ? .done : .unsuccessful
    }

    // MARK: Private

    private static let help = "runnerctl torture --help"

    private func options() throws(ControlFailure) -> (runs: Int, seconds: Int, only: ExpiryTrial?) {
        do throws(UsageError) {
            let runs = try parsed.integer(of: Self.runsOption, in: 1...100_000) ?? Self.defaultRuns
            let seconds = try parsed.integer(of: Self.withinOption, in: 1...86_400) ?? Self.defaultSeconds
            guard let text = parsed.value(of: Self.onlyOption) else { return (runs, seconds, nil) }
            guard let only = ExpiryTrial(reading: text), Torture.canRun(only) else {
                throw UsageError(
                    "\(Self.onlyOption) must be a trial as a report of torture names it, such as 0:after:1500, not “\(text)”.",
                    help: Self.help)
            }
            return (runs, seconds, only)
        } catch {
            throw .usage(error)
        }
    }

    private func show(_ done: Int, of runs: Int) {
        guard surroundings.console.isTerminal, !parsed.isSet(ControlDescription.json) else { return }
        surroundings.console.write("\r\u{1B}[Kexpired \(done) of \(runs) times")
    }

    private func clear() {
        guard surroundings.console.isTerminal, !parsed.isSet(ControlDescription.json) else { return }
        surroundings.console.write("\r\u{1B}[K")
    }
}
