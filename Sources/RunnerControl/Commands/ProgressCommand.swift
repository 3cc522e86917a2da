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
            One line for each run, the oldest first: how far it is, its identifier, its title and its subtitle. With \
            --follow the lines are drawn anew in place while the runs go on, and the end of each run stays; where the \
            output is no terminal, a line is printed whenever it says something new. The command then goes on until it \
            is interrupted or its output is closed. With --follow --json it prints first what runs, as without \
            --follow, and then the events; when a daemon has come back, both again.
            """,
        options: [OptionDescription(follow, help: "Goes on with what changes.")],
        examples: [ExampleDescription("runnerctl progress --follow", "Watch exports and uploads:")])

    func run() throws(ControlFailure) -> ControlStatus {
        guard parsed.isSet(Self.follow) else {
            let result = try connect().callBriefly(ControlMethods.running.name)
            if isJSON {
                console.write(JSONLine.text(result))
            } else {
                let lines = lines(of: result, .passed)
                for line in ProgressLayout(console).aligned(lines) { console.write(Printable.text(line) + "\n") }
                if lines.isEmpty { console.write(ProgressBoard.nothing + "\n") }
            }
            return .done
        }
        let end = surroundings.endRequests()
        var board = ProgressBoard(console: console)
        // Whether the daemon that is spoken to has said what runs.
        var isBegun = false
        var stream = EventStream(
            connection: try connect(), types: Self.types.map(\.rawValue), identifiers: [], startsNow: true)
        let follower = EventFollower(surroundings: surroundings, end: end, connect: connect)
        let lose = {
            board.clear()
            isBegun = false
        }
        try follower.follow(&stream, lose: lose) { (items, connection) throws(ControlFailure) in
            if isJSON {
                try write(items, isBegun ? nil : connection)
            } else {
                try draw(items, connection, on: &board)
            }
            isBegun = true
            return true
        }
        return .done
    }

    // MARK: - Private

    private var console: any Console { surroundings.console }
    private var isJSON: Bool { parsed.isSet(ControlDescription.json) }

    /// - Parameter connection: asked for what runs, which comes before the events.
    private func write(_ items: [EventStream.Item], _ connection: ControlConnection?) throws(ControlFailure) {
        for case .gap(let gap) in items { console.write(gap.json) }
        if let result = try connection?.callBriefly(ControlMethods.running.name) {
            console.write(JSONLine.text(result))
        }
        for case .event(let event) in items { console.write(JSONLine.text(event)) }
    }

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
        board.draw(lines(of: result, .begun), ended)
    }

    private func lines(of result: JSONValue, _ time: ProgressLine.Time) -> [ProgressLine] {
        let now = surroundings.wallTime()
        return result.elements("runs").map { ProgressLine($0, time, now: now) }
    }
}
