import Arguments
import Platform
import RPC

/// The program `runnerctl`.
package struct ControlProgram {
    let surroundings: Surroundings

    /// Does what the command line says, and ends the process.
    package static func main() -> Never {
        ThreadSignals.ignoreSIGPIPE()
        let program = ControlProgram(surroundings: .ofProcess())
        let status = program.run(Array(CommandLine.arguments.dropFirst()))
        let hasLostOutput = status == .done && program.surroundings.console.hasLostOutput
        ProcessEnvironment.exit((hasLostOutput ? .unsuccessful : status).rawValue)
    }

    /// Does what the arguments say.
    func run(_ arguments: [String]) -> ControlStatus {
        var isJSON = false
        do throws(ControlFailure) {
            switch try parse(arguments) {
            case .help(let text):
                surroundings.console.write(text)
                return .done
            case .version(let text):
                surroundings.console.write(text + "\n")
                return .done
            case .run(let parsed):
                isJSON = parsed.isSet(ControlDescription.json)
                return try run(parsed)
            }
        } catch {
            report(error, asJSON: isJSON)
            return error.status
        }
    }

    // MARK: Private

    private func parse(_ arguments: [String]) throws(ControlFailure) -> ArgumentParser.Outcome {
        if let short = ControlDescription.program(for: arguments) {
            let outcome = try? ArgumentParser(short).parse(arguments)
            // Help, and what is wrong, are told with all commands in mind.
            if case .run = outcome, let outcome { return outcome }
        }
        do throws(UsageError) {
            return try ArgumentParser(ControlDescription.program).parse(arguments)
        } catch {
            throw .usage(EventsCommand.isSubscription(arguments) ? EventsCommand.noSubscription : error)
        }
    }

    private func run(_ parsed: ParsedArguments) throws(ControlFailure) -> ControlStatus {
        guard let command = parsed.command else { return .usage }
        switch command.words {
        case ControlDescription.help.words:
            return try HelpCommand(console: surroundings.console).run(parsed.positionals("COMMAND"))
        case ControlDescription.manifestCheck.words:
            return try ManifestCheck(console: surroundings.console, style: style(parsed)).run(parsed)
        case PluginNew.description.words:
            return try PluginNew(surroundings: surroundings).run(parsed)
        case EventsCommand.description.words:
            return try EventsCommand(
                parsed: parsed, surroundings: surroundings, style: style(parsed),
                connect: connect(parsed, appIsParameter: false)
            ).run()
        case ProgressCommand.description.words:
            return try ProgressCommand(
                parsed: parsed, surroundings: surroundings, style: style(parsed),
                connect: connect(parsed, appIsParameter: false)
            ).run()
        case TimelineCommand.description.words:
            return try TimelineCommand(
                parsed: parsed, surroundings: surroundings, style: style(parsed),
                connect: connect(parsed, appIsParameter: true)
            ).run()
        case ControlDescription.call.words:
            return try RawCall(
                parsed: parsed, surroundings: surroundings, connect: connect(parsed, appIsParameter: false)
            ).run()
        case TortureCommand.description.words:
            return try TortureCommand(
                parsed: parsed, surroundings: surroundings, style: style(parsed),
                connect: connect(parsed, appIsParameter: false)
            ).run()
        case ControlDescription.sockets.words:
            return try SocketsCommand(surroundings: surroundings, style: style(parsed)).run(parsed)
        case ControlDescription.replay.words:
            return try ReplayCommand(surroundings: surroundings, style: style(parsed)).run(parsed)
        case SimulateCommand.description.words:
            return try SimulateCommand(surroundings: surroundings, style: style(parsed)).run(parsed)
        case ControlDescription.completions.words:
            return try CompletionsCommand(surroundings: surroundings).run(parsed)
        default:
            guard let method = MethodCommand.all.first(where: { $0.words == command.words }) else {
                preconditionFailure("a command without a method")
            }
            let connection = connect(parsed, appIsParameter: method.takesApp)
            if method.hasSummary, parsed.isSet(HistorySummary.option) {
                return try HistorySummary(
                    command: method, parsed: parsed, surroundings: surroundings, style: style(parsed),
                    connection: connection
                ).run()
            }
            if method.canFollow, parsed.isSet(LogFollow.option) {
                return try LogFollow(
                    command: method, parsed: parsed, surroundings: surroundings, style: style(parsed),
                    connect: connection
                ).run()
            }
            return try MethodCall(
                command: method, parsed: parsed, surroundings: surroundings, style: style(parsed),
                connection: connection
            ).run()
        }
    }

    /// Connects when it is asked for, so that a command line which makes no sense needs no daemon.
    private func connect(
        _ parsed: ParsedArguments, appIsParameter: Bool
    ) -> () throws(ControlFailure) -> ControlConnection {
        { () throws(ControlFailure) in
            let location = SocketLocation(variable: surroundings.variable, uid: surroundings.user)
            let search = try SocketSearch(parsed, location: location, appIsParameter: appIsParameter)
            let connection = ControlConnection(
                try search.connect(surroundings.connect), answerTime: surroundings.answerTime)
            try connection.greet(until: SystemClock.milliseconds(.awake) + surroundings.greetingTime)
            return connection
        }
    }

    private func style(_ parsed: ParsedArguments) -> Style {
        let isUnwanted =
            parsed.isSet(ControlDescription.noColor) || surroundings.variable("NO_COLOR")?.isEmpty == false
            || surroundings.variable("TERM") == "dumb"
        return Style(isColored: surroundings.console.isTerminal && !isUnwanted)
    }

    private func report(_ failure: ControlFailure, asJSON: Bool) {
        if asJSON, let error = failure.answer {
            var writer = JSONWriter()
            writer.object { writer in
                writer.member("code", error.code)
                writer.member("message", error.message)
                writer.member("data", error.data)
            }
            surroundings.console.complain(String(decoding: writer.bytes, as: UTF8.self))
        } else {
            surroundings.console.complain("runnerctl: \(failure.message)")
        }
    }
}
