import Arguments
import RPC
import Scheduling

/// How one parameter of a method is given on the command line.
struct ArgumentRule {
    enum Form {
        case positional(PositionalDescription)
        case option(OptionDescription)
        /// By the option `--app`, which all commands have.
        case app
    }

    let parameter: ParameterDescription
    let form: Form

    /// Parameters whose option is not simply their name.
    private static let optionNames = [
        "earliestBeginDate": "--earliest",
        "requiresNetworkConnectivity": "--network",
        "requiresExternalPower": "--power",
    ]

    /// Optional parameters that say what a command is about, and so need no option before them.
    private static let optionalPositionals: Set<String> = [
        "stop.identifier", "pending.identifier", "device.clear.condition",
    ]

    init(_ parameter: ParameterDescription, of method: String) {
        self.parameter = parameter
        if parameter.name == "app", !parameter.isRequired {
            form = .app
        } else if parameter.isRequired || Self.optionalPositionals.contains("\(method).\(parameter.name)") {
            form = .positional(
                PositionalDescription(
                    CommandWords.kebab(parameter.name).uppercased(), values: Self.values(of: parameter, of: method),
                    help: Self.help(parameter), isOptional: !parameter.isRequired))
        } else {
            form = .option(Self.option(for: parameter, of: method))
        }
    }

    /// What the parameter is called on the command line.
    var typedAs: String {
        switch form {
        case .positional(let positional): positional.name
        case .option(let option): option.name
        case .app: ControlDescription.app
        }
    }

    // MARK: Private

    private static func option(for parameter: ParameterDescription, of method: String) -> OptionDescription {
        let words = CommandWords.kebab(isDuration(parameter) ? String(parameter.name.dropLast(7)) : parameter.name)
        let name = optionNames[parameter.name] ?? "--" + words
        let value: String? =
            switch parameter.type {
            case .boolean: nil
            case .number where isDuration(parameter): "DURATION"
            case .integer, .number: parameter.name == "run" ? "RUN" : "NUMBER"
            case .date: "DATE"
            case .any, .object: "JSON"
            case .string, .enumeration, .stringArray: words.uppercased()
            }
        return OptionDescription(
            name, value: value, values: values(of: parameter, of: method), help: help(parameter))
    }

    private static func values(of parameter: ParameterDescription, of method: String) -> ValueSource {
        switch parameter.type {
        case .enumeration(let words): return .words(words.map { CommandWords.kebab($0) })
        case .boolean: return .words(["on", "off"])
        case .string, .integer, .number, .date, .object, .any, .stringArray: break
        }
        switch (method, parameter.name) {
        case (ControlMethods.deviceOverride.name, "value"): return values(more: [])
        case (ControlMethods.deviceReport.name, "value"): return values(more: ["null"])
        default: break
        }
        return NamedList.of(parameter.name, of: method).map { .list($0.rawValue) } ?? .anything
    }

    /// The values that each condition of the device can have.
    private static func values(more: [String]) -> ValueSource {
        .byPrevious(
            Dictionary(
                uniqueKeysWithValues: DeviceCondition.allCases.map {
                    (CommandWords.kebab($0.rawValue), $0.typedValues + more)
                }))
    }

    private static func help(_ parameter: ParameterDescription) -> String {
        switch parameter.type {
        case .enumeration(let words):
            "\(parameter.summary) One of \(words.map { CommandWords.kebab($0) }.joined(separator: ", "))."
        case .number where isDuration(parameter): "\(parameter.summary) Such as 30s, 15m or 1h30m."
        case .date: "\(parameter.summary) Such as +15m, 18:00, “tomorrow 08:00” or an RFC 3339 date."
        case .string, .boolean, .integer, .number, .object, .any, .stringArray: parameter.summary
        }
    }

    static func isDuration(_ parameter: ParameterDescription) -> Bool {
        parameter.type == .number && parameter.name.hasSuffix("Seconds")
    }
}
