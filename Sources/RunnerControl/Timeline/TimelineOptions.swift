import Arguments
import Scheduling
import Simulation

/// What the command line of `timeline` asks for.
struct TimelineOptions {
    static let sinceOption = "--since"
    static let untilOption = "--until"
    static let identifierOption = "--identifier"
    static let widthOption = "--width"
    static let help = "runnerctl timeline --help"

    /// How far back it looks when nobody says.
    private static let defaultLength: Int64 = 86_400_000
    /// What the pictures are made for; what is shorter is shown with what was before it.
    private static let shortest: Int64 = 60_000
    private static let longest = Int64(ScenarioLimits.days.upperBound) * 86_400_000
    private static let widths = 60...400

    let span: TimelineSpan
    let identifier: String?
    let app: String?
    let pictures: PictureFiles
    let width: Int?
    let isJSON: Bool

    /// - Parameter now: milliseconds since 1970.
    init(_ parsed: ParsedArguments, now: Int64) throws(ControlFailure) {
        identifier = parsed.value(of: Self.identifierOption)
        app = parsed.value(of: ControlDescription.app)
        pictures = try PictureFiles(parsed, help: Self.help)
        isJSON = parsed.isSet(ControlDescription.json)
        do throws(UsageError) {
            width = try parsed.integer(of: Self.widthOption, in: Self.widths)
            let end = try Self.date(parsed, Self.untilOption, now: now) ?? now
            let start = try Self.date(parsed, Self.sinceOption, now: now) ?? end - Self.defaultLength
            guard start < end else {
                throw UsageError(
                    "\(Self.sinceOption) must be before \(Self.untilOption), which is now by default.", help: Self.help)
            }
            guard end - start <= Self.longest else {
                throw UsageError("A timeline has \(ScenarioLimits.days.upperBound) days at most.", help: Self.help)
            }
            span = TimelineSpan(start: min(start, end - Self.shortest), end: end, now: now)
        } catch {
            throw .usage(error)
        }
        if let identifier {
            do throws(Refusal) {
                _ = try TaskIdentifier(identifier)
            } catch {
                throw .usage(UsageError(error.message, help: Self.help))
            }
        }
    }

    private static func date(_ parsed: ParsedArguments, _ option: String, now: Int64) throws(UsageError) -> Int64? {
        guard let text = parsed.value(of: option) else { return nil }
        // Within what calendars and sums can have.
        guard let date = PastDateArgument(now: now).parse(text), abs(date) < 1 << 52 else {
            throw UsageError(
                "\(option) must be \(PastDateArgument.expectation), not “\(Printable.text(text))”.", help: help)
        }
        return date
    }
}

/// The time that a timeline shows, in milliseconds since 1970.
struct TimelineSpan: Equatable {
    var start: Int64
    var end: Int64
    var now: Int64

    /// Until when something can have happened.
    var known: Int64 { min(end, now) }
}
