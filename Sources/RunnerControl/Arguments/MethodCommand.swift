import Arguments
import RPC
import Scheduling

/// A method of the control socket as a command.
struct MethodCommand {
    let method: MethodDescription

    static let wait = "--wait"
    static let noWait = "--no-wait"

    /// All but what is of use only on a connection that stays, as that of `events --follow` does.
    static let all = ControlMethods.all.filter { !connectionBound.contains($0.name) }.map { MethodCommand($0) }

    private static let connectionBound: Set<String> = [
        ControlMethods.eventsSubscribe.name, ControlMethods.eventsUnsubscribe.name,
    ]

    init(_ method: MethodDescription) {
        self.method = method
    }

    /// Made when asked for: of all the commands one is used.
    var rules: [ArgumentRule] {
        method.parameters.map { ArgumentRule($0, of: method.name) }
    }

    var words: [String] { CommandWords.command(of: method.name) }

    /// Whether `--app` can mean an app of the daemon.
    var takesApp: Bool {
        method.parameters.contains { $0.name == "app" && !$0.isRequired }
    }

    /// A person who launches a task wants to see it run.
    var waitsOnTerminal: Bool { method.name == ControlMethods.simulateLaunch.name }

    /// Whether its runs can be counted instead of listed.
    var hasSummary: Bool { method.name == ControlMethods.history.name }

    /// Whether it can go on with what comes.
    var canFollow: Bool { method.name == ControlMethods.log.name }

    var description: CommandDescription {
        var positionals: [PositionalDescription] = []
        var options: [OptionDescription] = []
        for rule in rules {
            switch rule.form {
            case .positional(let positional): positionals.append(positional)
            case .option(let option): options.append(option)
            case .app: break
            }
        }
        if waitsOnTerminal {
            options.append(
                OptionDescription(Self.noWait, help: "Answer as soon as the handler was entered, on a terminal too."))
        }
        if hasSummary {
            options.append(
                OptionDescription(
                    HistorySummary.option,
                    help: """
                        Counts the runs by task and by hour of the day instead of listing them: those that the \
                        scheduler granted, how they ended and how long they had waited. --limit says how many runs are \
                        looked at, \(HistorySummary.defaultLimit) by default.
                        """))
        }
        if canFollow {
            options.append(
                OptionDescription(
                    LogFollow.option,
                    help: "Goes on with new lines as they come; with --run until the run has ended."))
        }
        let notes = CommandNotes.notes(for: method.name)
        return CommandDescription(
            words, summary: String(method.summary.dropLast()), description: notes.description, positionals: positionals,
            options: options, examples: notes.examples)
    }

    /// The params of a request, without those that are left to the caller; nil when there are none.
    func params(
        _ parsed: ParsedArguments, app: String?, now: Int64, omitting omitted: Set<String> = []
    ) throws(ControlFailure) -> [UInt8]? {
        var writer = JSONWriter()
        writer.beginObject()
        let isEmpty = try !writeParams(parsed, app: app, now: now, omitting: omitted, into: &writer)
        writer.endObject()
        return isEmpty ? nil : writer.bytes
    }

    /// Writes the params as members of an object; says whether there were any.
    func writeParams(
        _ parsed: ParsedArguments, app: String?, now: Int64, omitting omitted: Set<String>,
        into writer: inout JSONWriter
    ) throws(ControlFailure) -> Bool {
        var hasAny = false
        for rule in rules where !omitted.contains(rule.parameter.name) {
            guard let value = try value(of: rule, parsed, app: app, now: now) else { continue }
            writer.key(dynamic: rule.parameter.name)
            value.write(into: &writer)
            hasAny = true
        }
        return hasAny
    }

    /// What was typed for a parameter.
    func value(
        of parameter: String, _ parsed: ParsedArguments, now: Int64
    ) throws(ControlFailure) -> ArgumentValue? {
        guard let rule = rules.first(where: { $0.parameter.name == parameter }) else { return nil }
        return try value(of: rule, parsed, app: nil, now: now)
    }

    // MARK: Private

    private func value(
        of rule: ArgumentRule, _ parsed: ParsedArguments, app: String?, now: Int64
    ) throws(ControlFailure) -> ArgumentValue? {
        let text: String
        let subject: String
        switch rule.form {
        case .app:
            return app.map { .string($0) }
        case .option(let option) where option.valueName == nil:
            return parsed.isSet(option.name) ? .flag(true) : nil
        case .option(let option):
            guard let value = parsed.value(of: option.name) else { return nil }
            (text, subject) = (value, option.name)
        case .positional(let positional):
            guard let value = parsed.positional(positional.name) else { return nil }
            (text, subject) = (value, positional.name)
        }
        if let problem = Self.problem(of: text, for: rule.parameter, typedAs: subject) {
            throw misuse(problem)
        }
        if let value = ArgumentValue(text, for: rule.parameter, now: now) { return value }
        var words: [String] = []
        if case .enumeration(let all) = rule.parameter.type { words = all.map { CommandWords.kebab($0) } }
        throw .usage(
            UsageError(
                "\(subject) must be \(ArgumentValue.expectation(of: rule.parameter)), not “\(Printable.text(text))”.",
                suggestion: NearestName.nearest(to: text, among: words),
                help: "runnerctl \(self.words.joined(separator: " ")) --help"))
    }
}
