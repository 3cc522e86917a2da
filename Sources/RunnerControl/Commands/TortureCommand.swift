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
    private static let overOption = "--or-over-at-once"
    private static let defaultRuns = 50
    private static let defaultSeconds = 10

    static let description = CommandDescription(
        ["torture"], summary: "Runs a task many times, expires it at other moments each time, and reports",
        description: """
            First the task runs once without being expired, for at most the time of --within; then as often as --runs \
            says, and is expired at moments that are spread over the time that it took. It is reported when it never \
            completed, completed twice, had no expiration handler, took longer than its grace period, when its process \
            died, and when nothing was pending after it was expired although something was after the first run. Whether \
            it submits its next request at all is for “runnerctl doctor” to say, and what its code does after its \
            completion is out of sight here: for that there is the test kit. What is pending for the identifier is \
            consumed, and an app whose process dies again and again comes into quarantine as ever. The exit status is 1 \
            when a rule was broken, and when the task was always over before it could be expired, which proves nothing.
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
            OptionDescription(overOption, help: "A task that is over before it can be expired is as it should be."),
        ],
        examples: [
            ExampleDescription("runnerctl torture com.example.refresh --runs 100", "Does it keep all rules?")
        ])

    func run() throws(ControlFailure) -> ControlStatus {
        let identifier = parsed.positional("IDENTIFIER") ?? ""
        let (runs, seconds, only) = try options()
        if let problem = MethodCommand.problem(ofIdentifier: identifier, typedAs: "IDENTIFIER") {
            throw .usage(UsageError(problem, help: Self.help))
        }
        let begun = SystemClock.milliseconds(.awake)
        var torture = Torture(
            connection: try connect(), identifier: TaskIdentifier(checked: identifier),
            longest: Int64(seconds) * 1_000_000, reproduction: try reproduction(of: identifier))
        var failure: ControlFailure?
        do throws(ControlFailure) {
            try torture.look()
            if let only {
                try torture.run(only: only)
            } else {
                // The first is the one that nobody expires.
                show(0, of: runs)
                try torture.run(times: runs) { done in show(done, of: runs) }
            }
        } catch {
            failure = error
        }
        clear()
        torture.report.duration = .milliseconds(SystemClock.milliseconds(.awake) - begun)
        let report = torture.report
        // What was found is worth more than what ended the search.
        if let failure, report.findings.isEmpty { throw failure }
        console.write(
            parsed.isSet(ControlDescription.json) ? TortureReport.json(report) : report.description + "\n")
        if let failure {
            let lives = CountedWord.text(report.trials, "life", "lives")
            console.complain("runnerctl: It was stopped after \(lives): \(failure.message)")
        }
        guard report.findings.isEmpty else { return .unsuccessful }
        guard !report.provesSomething, !parsed.isSet(Self.overOption) else { return .done }
        console.complain(
            "runnerctl: Each run was over before it could be expired, which proves nothing; give \(Self.overOption) where "
                + "that is as it should be.")
        return .unsuccessful
    }

    // MARK: Private

    private static let help = "runnerctl torture --help"

    private var console: any Console { surroundings.console }

    /// The command that shows a trial again, at the same daemon and in the same time.
    private func reproduction(of identifier: String) throws(ControlFailure) -> String {
        var words = ["runnerctl", "torture", identifier]
        words += try SocketChoice(parsed, appIsParameter: false).words
        if let seconds = parsed.value(of: Self.withinOption) { words += [Self.withinOption, seconds] }
        return (words.map(ShellWord.quoted) + [Self.onlyOption, "TRIAL"]).joined(separator: " ")
    }

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
        guard console.isTerminal, !parsed.isSet(ControlDescription.json) else { return }
        console.write("\r\u{1B}[Krun \(done) of \(runs)")
    }

    private func clear() {
        guard console.isTerminal, !parsed.isSet(ControlDescription.json) else { return }
        console.write("\r\u{1B}[K")
    }
}
