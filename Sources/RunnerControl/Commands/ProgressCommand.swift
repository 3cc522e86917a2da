import Arguments
import Platform
import RPC

/// `progress`: how far everything is that runs, one line for each run; with `--follow` until nobody wants to see more.
struct ProgressCommand {
    let parsed: ParsedArguments
    let surroundings: Surroundings
    let style: Style
    let connect: () throws(ControlFailure) -> ControlConnection

    private static let follow = "--follow"
    /// What can change a line, or whether there is one.
    private static let types: [EventType] = [.launched, .progress, .expiring, .ended]

    static let description = CommandDescription(
        ["progress"], summary: "Shows how far everything is that runs",
        description: """
            One line for each run, the oldest first. With --follow the lines are drawn anew in place while the runs go on, \
            and stay when a run has ended; where the output is no terminal, a line is printed whenever it says something \
            new. The command then goes on until it is interrupted or its output is closed. With --follow --json it prints \
            the events.
            """,
        options: [OptionDescription(follow, help: "Goes on with what changes.")],
        examples: [ExampleDescription("runnerctl progress --follow", "Watch exports and uploads:")])

    func run() throws(ControlFailure) -> ControlStatus {
        guard parsed.isSet(Self.follow) else {
            let result = try connect().callBriefly(ControlMethods.running.name)
            if isJSON {
                console.write(JSONLine.text(result))
            } else {
                let runs = result.elements("runs")
                for run in runs { console.write(line(of: run) + "\n") }
                if runs.isEmpty { console.write("Nothing runs.\n") }
            }
            return .done
        }
        let end = surroundings.endRequests()
        var board = ProgressBoard(console: console)
        var stream = EventStream(
            connection: try connect(), types: Self.types.map(\.rawValue), identifiers: [], startsNow: true)
        let follower = EventFollower(surroundings: surroundings, end: end, connect: connect)
        try follower.follow(&stream) { (items, connection) throws(ControlFailure) in
            if isJSON {
                for case .event(let event) in items { console.write(JSONLine.text(event)) }
            } else {
                try draw(items, connection, on: &board)
            }
            return true
        }
        return .done
    }

    // MARK: - Private

    private var console: any Console { surroundings.console }
    private var isJSON: Bool { parsed.isSet(ControlDescription.json) }

    /// Events only say that there is something new: a run's own end is told by its event, all others are asked for.
    private func draw(
        _ items: [EventStream.Item], _ connection: ControlConnection, on board: inout ProgressBoard
    ) throws(ControlFailure) {
        var ended: [String] = []
        for case .event(let event) in items where event["type"]?.string == EventType.ended.rawValue {
            guard let run = event["data"]?["run"] else { continue }
            board.forget(run["run"]?.integer ?? 0)
            ended.append(EventText(style: style, now: surroundings.wallTime()).line(of: event))
        }
        let result = try connection.callBriefly(ControlMethods.running.name)
        let runs = result.elements("runs").map { run in
            (run: run["run"]?.integer ?? 0, line: line(of: run), hasProgress: run["progress"] != nil)
        }
        board.draw(runs, ended)
    }

    private func line(of run: JSONValue) -> String {
        Printable.text(ProgressBar.line(of: run, now: surroundings.wallTime(), isNamed: true))
    }
}
