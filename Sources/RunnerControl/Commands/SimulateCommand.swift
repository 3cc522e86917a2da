import Arguments
import Platform
import Plugins
import Scheduling
import Simulation

/// `simulate`: lives through a scenario's days with the scheduler that the daemon has, and tells what was granted and why
/// not sooner.
struct SimulateCommand {
    let surroundings: Surroundings
    let style: Style

    static let description = CommandDescription(
        ["simulate"], summary: "Lives through the days of a scenario, and tells why tasks ran when they did",
        description: """
            FILE says which devices, apps and tasks there are and what happens (docs/scenarios.md); no daemon is needed. \
            The scheduler of this program lives through the days at once, and the command tells what was asked, what was \
            granted, and which gates held it for how long.

            With --runs the days are lived many times, with the seeds that follow the scenario's, and the table tells when \
            each task ran first, how often, and on how many days it had run before the time of --before. With --compare \
            both scenarios are shown side by side.

            The exit status is 1 when the scheduler broke a rule of its own, or a file could not be written, and 2 when \
            FILE is no scenario.
            """,
        positionals: [PositionalDescription("FILE", values: .files, help: "The scenario.")],
        options: [
            OptionDescription(
                SimulateOptions.seedOption, value: "N",
                help: "Draws what is left to chance from another seed than the scenario's."),
            OptionDescription(
                SimulateOptions.daysOption, value: "N", help: "Lives through so many days instead of the scenario's."),
            OptionDescription(
                SimulateOptions.runsOption, value: "N", help: "Lives so many times, and tells the chances."),
            OptionDescription(
                SimulateOptions.beforeOption, value: "HH:MM",
                help: "With --runs: until when of a day tasks should have run; 09:00 by default."),
            OptionDescription(
                SimulateOptions.compareOption, value: "FILE2", values: .files,
                help: "Lives through this scenario too, and shows what differs."),
        ] + PictureFiles.options,
        examples: [
            ExampleDescription(
                "runnerctl simulate examples/scenarios/device-day.json", "What did this day's tasks get, and when?"),
            ExampleDescription(
                "runnerctl simulate examples/scenarios/commuter-week.json --runs 200 --before 04:00",
                "How likely has a task run by four in the morning?"),
        ])

    /// A scenario, and the file that it is from.
    private struct Source {
        let path: String
        let scenario: Scenario
    }

    func run(_ parsed: ParsedArguments) throws(ControlFailure) -> ControlStatus {
        let options = try SimulateOptions(parsed)
        var sources: [Source] = []
        var files: [String] = []
        for path in [options.path, options.otherPath].compactMap(\.self) {
            guard
                let scenario = try ScenarioLoading(console: surroundings.console, style: style).load(
                    path, options, files: &files)
            else { return .usage }
            sources.append(Source(path: path, scenario: scenario))
        }
        try options.pictures.check(against: files)
        return if let runs = options.runs {
            tellChances(sources.map(\.scenario), runs: runs, options)
        } else {
            try tellLives(sources.map(\.scenario), options)
        }
    }

    // MARK: One life

    private func tellLives(_ scenarios: [Scenario], _ options: SimulateOptions) throws(ControlFailure) -> ControlStatus
    {
        let lives = scenarios.map { Life($0, seed: options.seed ?? $0.seed, days: options.days) }
        try options.pictures.write(Life.chart(lives))
        if lives.count == 2 {
            let comparison = LifeComparison(lives[0], lives[1])
            surroundings.console.write(options.isJSON ? comparison.json : comparison.text(style))
        } else {
            let report = LifeReport(life: lives[0], width: surroundings.console.width)
            surroundings.console.write(options.isJSON ? report.json : report.text(style))
        }
        return lives.contains { $0.hasProblems } ? .unsuccessful : .done
    }

    // MARK: Many lives

    private func tellChances(_ scenarios: [Scenario], runs: Int, _ options: SimulateOptions) -> ControlStatus {
        var chances: [Chances] = []
        for scenario in scenarios {
            let first = options.seed ?? scenario.seed
            let days = options.days ?? scenario.days
            var statistics = LifeStatistics(days: days, before: options.before)
            for number in 0..<runs {
                show(number, of: runs, scenario, options)
                statistics.add(VirtualDay.live(scenario, seed: first &+ UInt64(number), days: days))
            }
            clear(options)
            chances.append(Chances(scenario: scenario, firstSeed: first, statistics: statistics))
        }
        if chances.count == 2 {
            let comparison = ChanceComparison(chances[0], chances[1])
            surroundings.console.write(options.isJSON ? comparison.json : comparison.text(style))
        } else {
            let report = ChanceReport(chances: chances[0])
            surroundings.console.write(options.isJSON ? report.json : report.text(style))
        }
        let problems = chances.flatMap(\.statistics.devices).reduce(0) { $0 + $1.problemCount }
        return problems > 0 ? .unsuccessful : .done
    }

    private func show(_ number: Int, of runs: Int, _ scenario: Scenario, _ options: SimulateOptions) {
        guard surroundings.console.isTerminal, !options.isJSON, number % max(1, runs / 100) == 0 else { return }
        surroundings.console.write("\r\u{1B}[Klived \(Printable.text(scenario.name)) \(number) of \(runs) times")
    }

    private func clear(_ options: SimulateOptions) {
        guard surroundings.console.isTerminal, !options.isJSON else { return }
        surroundings.console.write("\r\u{1B}[K")
    }
}
