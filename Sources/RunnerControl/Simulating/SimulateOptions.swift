import Arguments
import Plugins
import Scheduling
import Simulation

/// What the command line of `simulate` asks for.
struct SimulateOptions {
    static let seedOption = "--seed"
    static let daysOption = "--days"
    static let runsOption = "--runs"
    static let beforeOption = "--before"
    static let compareOption = "--compare"
    static let help = "runnerctl simulate --help"

    /// How many lives `--runs` can ask for.
    static let mostRuns = 1_000_000

    let path: String
    let otherPath: String?
    let seed: UInt64?
    let days: Int?
    let runs: Int?
    /// Since midnight.
    let before: Duration
    let pictures: PictureFiles
    let isJSON: Bool

    init(_ parsed: ParsedArguments) throws(ControlFailure) {
        path = parsed.positional("FILE") ?? ""
        otherPath = parsed.value(of: Self.compareOption)
        pictures = try PictureFiles(parsed, help: Self.help)
        isJSON = parsed.isSet(ControlDescription.json)
        do throws(UsageError) {
            seed = try parsed.integer(of: Self.seedOption, in: 0...Int.max).map { UInt64($0) }
            days = try parsed.integer(of: Self.daysOption, in: ScenarioLimits.days)
            runs = try parsed.integer(of: Self.runsOption, in: 1...Self.mostRuns)
            before = try Self.time(parsed.value(of: Self.beforeOption))
        } catch {
            throw .usage(error)
        }
        guard runs == nil || pictures.isEmpty else {
            throw Self.misuse("A picture shows one life; leave out \(Self.runsOption), or the picture.")
        }
        guard runs != nil || !parsed.isSet(Self.beforeOption) else {
            throw Self.misuse(
                "\(Self.beforeOption) is about the chance of many lives; say with \(Self.runsOption) how many.")
        }
    }

    private static func misuse(_ message: String) -> ControlFailure {
        .usage(UsageError(message, help: help))
    }

    private static func time(_ text: String?) throws(UsageError) -> Duration {
        guard let text else { return .hours(9) }
        guard let time = ScenarioTime.timeOfDay(text), time > .zero else {
            throw UsageError(
                "\(beforeOption) must be a time of day such as 09:00, not “\(Printable.text(text))”.", help: help)
        }
        return time
    }
}
