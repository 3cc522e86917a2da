import RPC

/// What was typed for a parameter, as it goes into a request.
enum ArgumentValue: Equatable {
    case string(String)
    case flag(Bool)
    case integer(Int64)
    case number(Double)
    /// Milliseconds.
    case duration(Int64)
    /// Milliseconds since 1970.
    case date(Int64)
    /// A text that is JSON.
    case json([UInt8])

    /// Nil when the text is not what the parameter takes.
    init?(_ text: String, for parameter: ParameterDescription, now: Int64) {
        switch parameter.type {
        case .string: self = .string(text)
        case .boolean:
            switch text.lowercased() {
            case "true", "on", "yes": self = .flag(true)
            case "false", "off", "no": self = .flag(false)
            default: return nil
            }
        case .integer:
            guard let integer = Int64(text), parameter.bounds?.contains(Double(integer)) != false else { return nil }
            self = .integer(integer)
        case .number where ArgumentRule.isDuration(parameter):
            guard let duration = DurationText.parse(text), parameter.bounds?.contains(Double(duration) / 1_000) != false
            else { return nil }
            self = .duration(duration)
        case .number:
            guard let number = Double(text), number.isFinite, parameter.bounds?.contains(number) != false else {
                return nil
            }
            self = .number(number)
        case .date:
            guard let date = DateArgument(now: now).parse(text), RFC3339.range.contains(date) else { return nil }
            self = .date(date)
        case .enumeration(let words):
            guard let word = words.first(where: { CommandWords.means(text, $0) }) else { return nil }
            self = .string(word)
        case .object, .stringArray:
            guard (try? JSONDocument.parse(Array(text.utf8))) != nil else { return nil }
            self = .json(Array(text.utf8))
        case .any:
            self = Self.any(text)
        }
    }

    func write(into writer: inout JSONWriter) {
        switch self {
        case .string(let text): writer.string(text)
        case .flag(let flag): writer.bool(flag)
        case .integer(let integer): writer.integer(integer)
        case .number(let number): writer.double(number)
        case .duration(let milliseconds): writer.seconds(milliseconds: milliseconds)
        case .date(let milliseconds): writer.date(milliseconds: milliseconds)
        case .json(let bytes): writer.raw(bytes)
        }
    }

    /// Completes "must be …".
    static func expectation(of parameter: ParameterDescription) -> String {
        switch parameter.type {
        case .boolean: "on or off"
        case .number where ArgumentRule.isDuration(parameter): "a duration such as 30s, 15m or 1h30m"
        case .date: DateArgument.expectation
        case .enumeration(let words): "one of " + words.map { CommandWords.kebab($0) }.joined(separator: ", ")
        case .string, .integer, .number, .object, .any, .stringArray: parameter.expectation
        }
    }

    /// JSON where it is JSON, else a word; `on` and `off` are flags.
    private static func any(_ text: String) -> ArgumentValue {
        switch text {
        case "on": return .flag(true)
        case "off": return .flag(false)
        default: break
        }
        let bytes = Array(text.utf8)
        return (try? JSONDocument.parse(bytes, allowsFragments: true)) != nil ? .json(bytes) : .string(text)
    }
}
