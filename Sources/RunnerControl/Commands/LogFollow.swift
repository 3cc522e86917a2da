import Arguments
import Platform
import RPC

/// `log --follow`: the kept lines, then new ones as they come, until the run has ended or nobody wants more.
///
/// Events only say that there is something to read: a page's `end` says where, also in the daemon's next life.
struct LogFollow {
    let command: MethodCommand
    let parsed: ParsedArguments
    let surroundings: Surroundings
    let style: Style
    let connect: () throws(ControlFailure) -> ControlConnection

    static let option = "--follow"

    private static let limitOption = "--limit"
    private static let page = 1_000

    func run() throws(ControlFailure) -> ControlStatus {
        do throws(ControlFailure) {
            return try follow()
        } catch {
            throw command.reworded(error)
        }
    }

    // MARK: - Private

    private func follow() throws(ControlFailure) -> ControlStatus {
        guard parsed.value(of: Self.limitOption) == nil else {
            throw .usage(
                UsageError(
                    "\(Self.option) and \(Self.limitOption) exclude each other; give one of them.",
                    help: "runnerctl log --help"))
        }
        try command.check(parsed, app: app)
        // What makes no sense is said without a daemon.
        let run = try run(typed: "run")
        var after = try typed("after")
        _ = try params(after: after)
        let end = surroundings.endRequests()
        var stream = EventStream(
            connection: try connect(), types: run == nil ? ["logged"] : ["logged", "ended"], identifiers: [],
            startsNow: true)
        var isFirst = true
        let follower = EventFollower(surroundings: surroundings, end: end, connect: connect)
        try follower.follow(&stream) { (items, connection) throws(ControlFailure) in
            guard isFirst || items.contains(where: { isNews($0, of: run) }) else { return true }
            isFirst = false
            // Asked before the lines are read: what a run wrote is kept when it has ended.
            let isOver = try run.map { (run) throws(ControlFailure) in try hasEnded(run, connection) } ?? false
            while true {
                let result = try connection.callBriefly(command.method.name, params: params(after: after))
                show(result)
                after = result["end"]?.string ?? result["next"]?.string ?? after
                if result["next"] == nil || surroundings.console.isClosed { return !isOver }
            }
        }
        return .done
    }

    private var app: String? { parsed.value(of: ControlDescription.app) }

    private func run(typed name: String) throws(ControlFailure) -> Int64? {
        guard case .integer(let number) = try command.value(of: name, parsed, now: 0) else { return nil }
        return number
    }

    private func typed(_ name: String) throws(ControlFailure) -> String? {
        guard case .string(let text) = try command.value(of: name, parsed, now: 0) else { return nil }
        return text
    }

    /// Whether there may be lines that were not shown, or the end of the run.
    private func isNews(_ item: EventStream.Item, of run: Int64?) -> Bool {
        guard case .event(let event) = item else { return true }
        guard let run else { return event["app"]?.string == app }
        let data = event["data"]
        return data?["run"]?.integer == run || data?["run"]?["run"]?.integer == run
    }

    private func hasEnded(_ run: Int64, _ connection: ControlConnection) throws(ControlFailure) -> Bool {
        var writer = JSONWriter()
        writer.object { $0.member("run", run) }
        let result = try connection.callBriefly(ControlMethods.run.name, params: writer.bytes)
        return StateWords.isEnded(result["run"]?.text("state") ?? "")
    }

    private func show(_ result: JSONValue) {
        if parsed.isSet(ControlDescription.json) {
            for line in result.elements("lines") { surroundings.console.write(JSONLine.text(line)) }
        } else {
            let text = ResultText(style: style, now: surroundings.wallTime())
            surroundings.console.write(text.lines(of: result))
        }
    }

    /// The params of a page.
    private func params(after: String?) throws(ControlFailure) -> [UInt8] {
        var writer = JSONWriter()
        writer.beginObject()
        _ = try command.writeParams(
            parsed, app: app, now: surroundings.wallTime(), omitting: ["limit", "after"], into: &writer)
        writer.member("limit", Self.page)
        writer.member("after", after)
        writer.endObject()
        return writer.bytes
    }
}
