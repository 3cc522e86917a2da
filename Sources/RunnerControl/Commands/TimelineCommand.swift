import Arguments
import Platform
import Simulation

/// `timeline`: draws what a daemon was asked and what it granted, from its history.
struct TimelineCommand {
    let parsed: ParsedArguments
    let surroundings: Surroundings
    let style: Style
    let connect: () throws(ControlFailure) -> ControlConnection

    /// Where the output is no terminal.
    private static let defaultWidth = 100

    static let description = CommandDescription(
        ["timeline"], summary: "Draws what was asked, what was granted and what held it, from the daemon's history",
        description: """
            A line for each task that had something to do in the last 24 hours, or since and until when you say: when it \
            was asked, what held it, when it ran and how that ended; above them the device's conditions, as far as the \
            daemon knew them. “simulate” draws the same of days that were not lived.

            The daemon keeps how long each gate held a request that ran, and not when: of more than one gate the picture \
            shows that only where it follows from the rest. Requests that were cancelled or replaced are not kept. With --app only the tasks of that app are shown. --json prints what the daemon \
            answered.
            """,
        options: [
            OptionDescription(
                TimelineOptions.sinceOption, value: "DATE",
                help: "Begins there: 6h (ago), 18:00, “yesterday 08:00” or an RFC 3339 date."),
            OptionDescription(
                TimelineOptions.untilOption, value: "DATE",
                help: "Ends there instead of now; +6h shows for how long requests have to wait."),
            OptionDescription(
                TimelineOptions.identifierOption, value: "IDENTIFIER", values: .list(NamedList.registered.rawValue),
                help: "Only this task."),
        ] + PictureFiles.options + [
            OptionDescription(
                TimelineOptions.widthOption, value: "COLUMNS", help: "Draws as wide, instead of as the terminal is.")
        ],
        examples: [
            ExampleDescription("runnerctl timeline", "What ran in the last 24 hours, and what waits?"),
            ExampleDescription(
                "runnerctl timeline --since monday --app com.example.mail --html mail.html",
                "An app's week, as a page with details:"),
        ])

    func run() throws(ControlFailure) -> ControlStatus {
        let options = try TimelineOptions(parsed, now: surroundings.wallTime())
        let answers = try TimelineReader(connection: try connect(), options: options).read()
        let chart = TimelineChart(
            answers: answers, span: options.span, subject: options.identifier ?? options.app,
            utcOffsetSeconds: LocalTime(wallMilliseconds: options.span.end)?.offsetSeconds ?? 0
        ).chart
        try options.pictures.write(chart)
        if options.isJSON {
            surroundings.console.write(answers.json(options.span))
        } else if let unknown = answers.unknownTask {
            surroundings.console.write(Printable.text(unknown.text("summary")) + "\n")
        } else {
            surroundings.console.write(
                TerminalPicture.draw(
                    chart, width: options.width ?? surroundings.console.width ?? Self.defaultWidth,
                    colour: style.isColored, unicode: isUnicode))
        }
        return .done
    }

    /// Whether the locale says that more than ASCII can be shown.
    private var isUnicode: Bool {
        let locale = ["LC_ALL", "LC_CTYPE", "LANG"].lazy.compactMap { surroundings.variable($0) }.first { !$0.isEmpty }
        let name = locale?.lowercased() ?? ""
        return name.contains("utf-8") || name.contains("utf8")
    }
}
