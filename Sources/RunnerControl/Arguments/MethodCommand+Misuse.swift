import Arguments
import RPC
import Scheduling

/// What of a command line makes no sense, as far as that is known before the daemon is asked, and what it said of it after.
extension MethodCommand {
    /// Checks what no single argument shows.
    func check(_ parsed: ParsedArguments, app: String?) throws(ControlFailure) {
        switch method.name {
        case ControlMethods.stop.name:
            guard parsed.positional("IDENTIFIER") == nil, !parsed.isSet("--run") else { return }
            throw misuse(
                "It is not clear what is meant; give the task's IDENTIFIER, or the number of its run with --run.")
        case ControlMethods.log.name:
            switch (parsed.isSet("--run"), app != nil) {
            case (true, false), (false, true): return
            case (false, false):
                throw misuse(
                    "It is not clear what is meant; give the number of a run with --run, or an app with --app.")
            case (true, true): throw misuse("--run and --app exclude each other; give one of them.")
            }
        case ControlMethods.submit.name:
            guard try value(of: "toleranceSeconds", parsed, now: 0) != nil,
                !CommandWords.means(parsed.value(of: "--if-pending") ?? "", PendingChoice.keepEarlier.rawValue)
            else { return }
            throw misuse("--tolerance is only for --if-pending keep-earlier; add that, or leave it out.")
        case ControlMethods.deviceOverride.name, ControlMethods.deviceReport.name: try checkCondition(parsed)
        default: return
        }
    }

    /// A refusal of the command line itself, in the words of the command line.
    func reworded(_ failure: ControlFailure) -> ControlFailure {
        guard case .refused(let error) = failure, error.kind == Refusal.Kind.invalidParams.rawValue else {
            return failure
        }
        let message = rules.reduce(Printable.text(error.message)) { text, rule in
            text.replacing("'\(rule.parameter.name)'", with: rule.typedAs)
        }
        return .misunderstood(UsageError(message, help: helpCommand), error)
    }

    func misuse(_ message: String, suggestion: String? = nil) -> ControlFailure {
        .usage(UsageError(message, suggestion: suggestion, help: helpCommand))
    }

    /// What is wrong with an identifier; nil when nothing is.
    static func problem(ofIdentifier text: String, typedAs subject: String) -> String? {
        if let problem = IdentifierSyntax.problem(ofPattern: text) { return problem }
        return IdentifierSyntax.problem(in: text).map { problem in
            "\(subject) must be an identifier, such as com.example.refresh, and not "
                + "“\(IdentifierSyntax.printable(text))”: \(problem)."
        }
    }

    static func problem(of text: String, for parameter: ParameterDescription, typedAs subject: String) -> String? {
        guard parameter.type == .string, ["identifier", "app"].contains(parameter.name) else { return nil }
        return problem(ofIdentifier: text, typedAs: subject)
    }

    // MARK: Private

    private var helpCommand: String { "runnerctl \(words.joined(separator: " ")) --help" }

    /// Whether the condition can have the value.
    private func checkCondition(_ parsed: ParsedArguments) throws(ControlFailure) {
        guard case .string(let word) = try value(of: "condition", parsed, now: 0),
            let condition = DeviceCondition(rawValue: word), let value = try value(of: "value", parsed, now: 0)
        else { return }
        var writer = JSONWriter()
        value.write(into: &writer)
        guard let json = try? JSONDocument.parse(writer.bytes, allowsFragments: true).root else { return }
        if json.isNull, method.name == ControlMethods.deviceReport.name { return }
        guard ConditionValue(json, for: condition) == nil else { return }
        let words = condition.typedValues
        let expected = words.isEmpty ? condition.expectation : "one of \(words.joined(separator: ", "))"
        let typed = parsed.positional("VALUE") ?? ""
        throw misuse(
            "VALUE must be \(expected) for \(CommandWords.kebab(word)), not “\(Printable.text(typed))”.",
            suggestion: NearestName.nearest(to: typed, among: words))
    }
}

extension DeviceCondition {
    /// The words that stand for its values on the command line; none when it is a number.
    var typedValues: [String] {
        switch self {
        case .externalPower, .lowPowerMode, .idle, .unlocked, .backgroundRefresh: ["on", "off"]
        case .batteryLevel: []
        case .network: NetworkState.allCases.map(\.rawValue)
        case .thermal: ThermalState.allCases.map(\.rawValue)
        }
    }
}
