import Arguments
import Platform
import RPC

/// A command that calls its method, and waits for the run that it is about if it should.
struct MethodCall {
    let command: MethodCommand
    let parsed: ParsedArguments
    let surroundings: Surroundings
    let style: Style
    let connection: () throws(ControlFailure) -> ControlConnection

    /// What the client gives the daemon beyond the time that the caller allows it.
    private static let margin: Int64 = 5_000

    func run() throws(ControlFailure) -> ControlStatus {
        try checkOptions()
        try command.check(parsed, app: app)
        do throws(ControlFailure) {
            return try waits && !isJSON ? callAndWatch() : call()
        } catch {
            throw command.reworded(error)
        }
    }

    // MARK: Private

    private func call() throws(ControlFailure) -> ControlStatus {
        let params = try command.params(parsed, app: app, now: surroundings.wallTime())
        let deadline = try timeout().map { SystemClock.milliseconds(.awake) + $0 + Self.margin }
        let result = try answer(on: connection(), params, until: deadline, isWaiting: waits)
        if isJSON {
            surroundings.console.write(JSONLine.text(result))
        } else {
            let renderer = ResultText(style: style, now: surroundings.wallTime())
            surroundings.console.write(renderer.text(result, of: method, subject: subject))
        }
        return waits ? status(of: result["run"]) : .done
    }

    /// The answer as it comes, unless the daemon hangs: only a run may take as long as it wants, or a start.
    private func answer(
        on connection: ControlConnection, _ params: [UInt8]?, until deadline: Int64?, isWaiting: Bool
    ) throws(ControlFailure) -> JSONValue {
        guard deadline == nil, !isWaiting, method != ControlMethods.simulateLaunch.name else {
            return try connection.call(method, params: params, until: deadline)
        }
        return try connection.callBriefly(method, params: params)
    }

    private func checkOptions() throws(ControlFailure) {
        guard command.waitsOnTerminal, parsed.isSet(MethodCommand.wait), parsed.isSet(MethodCommand.noWait) else {
            return
        }
        throw .usage(
            UsageError(
                "\(MethodCommand.wait) and \(MethodCommand.noWait) exclude each other; give one of them.",
                help: "runnerctl \(command.words.joined(separator: " ")) --help"))
    }

    private var method: String { command.method.name }
    private var isJSON: Bool { parsed.isSet(ControlDescription.json) }

    private var app: String? {
        command.takesApp ? parsed.value(of: ControlDescription.app) : nil
    }

    /// What the command is about, for a sentence.
    private var subject: String? {
        for case .positional(let positional) in command.rules.map(\.form) {
            return parsed.positional(positional.name).map { Printable.text($0) }
        }
        return app.map { Printable.text($0) }
    }

    private var waits: Bool {
        if method == ControlMethods.wait.name { return true }
        guard command.method.parameters.contains(where: { $0.name == "wait" }) else { return false }
        if parsed.isSet(MethodCommand.wait) { return true }
        guard command.waitsOnTerminal, !parsed.isSet(MethodCommand.noWait) else { return false }
        return surroundings.console.isTerminal && !isJSON
    }

    private func timeout() throws(ControlFailure) -> Int64? {
        guard case .duration(let milliseconds) = try command.value(of: "timeoutSeconds", parsed, now: 0) else {
            return nil
        }
        return milliseconds
    }

    private func status(of run: JSONValue?) -> ControlStatus {
        run?["state"]?.string == "succeeded" ? .done : .unsuccessful
    }

    /// Calls without waiting, so that there is something to show while the run goes on.
    private func callAndWatch() throws(ControlFailure) -> ControlStatus {
        let deadline = try timeout().map { SystemClock.milliseconds(.awake) + $0 }
        let connection: ControlConnection
        let number: Int64
        if method == ControlMethods.wait.name {
            guard case .integer(let run) = try command.value(of: "run", parsed, now: 0) else { return .usage }
            connection = try self.connection()
            number = run
        } else {
            let params = try command.params(parsed, app: app, now: surroundings.wallTime(), omitting: ["wait"])
            connection = try self.connection()
            let result = try answer(
                on: connection, params, until: deadline.map { $0 + Self.margin }, isWaiting: false)
            guard let run = result["run"]?["run"]?.integer else {
                throw .lost("What answers is not a runner: there is no run in its answer.")
            }
            number = run
        }
        let watch = RunWatch(connection: connection, run: number, surroundings: surroundings)
        let ended = try watch.untilEnd(deadline: deadline)
        let renderer = ResultText(style: style, now: surroundings.wallTime())
        surroundings.console.write(renderer.end(of: ended))
        return status(of: ended)
    }
}
