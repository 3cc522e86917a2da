import Scheduling

/// The parameters that several methods take, described once.
enum ControlParameters {
    /// The page size of lists when none is given, and the largest.
    static let defaultLimit = 100
    static let largestLimit = 1_000

    /// A year: long enough for anybody, and far from the end of any integer.
    static let longestSeconds = 31_536_000.0

    static let identifier = ParameterDescription(
        "identifier", .string, required: true, summary: "The task's identifier, such as com.example.refresh.")
    static let optionalIdentifier = ParameterDescription(
        "identifier", .string, summary: "Only this task.")
    static let app = ParameterDescription(
        "app", .string, required: true, summary: "The app's identifier, such as com.example.app.")
    static let optionalApp = ParameterDescription("app", .string, summary: "Only this app.")
    static let run = ParameterDescription(
        "run", .integer, required: true, bounds: 1...Double.infinity, summary: "The number of a run.")
    static let limit = ParameterDescription(
        "limit", .integer, bounds: 1...Double(largestLimit), summary: "How many at most; \(defaultLimit) by default.")
    static let after = ParameterDescription(
        "after", .string, summary: "The 'next' of the page before.")
    static let before = ParameterDescription(
        "before", .string, summary: "The 'next' of the page before; only what is older.")
    static let wait = ParameterDescription(
        "wait", .boolean, summary: "Answer when the run has ended, not before.")
    static let timeout = seconds("timeoutSeconds", "How long to wait; without an end by default.")
    static let condition = ParameterDescription(
        "condition", .enumeration(words(DeviceCondition.self)), required: true, summary: "The condition.")
    static let optionalCondition = ParameterDescription(
        "condition", .enumeration(words(DeviceCondition.self)), summary: "Only this condition.")
    static let value = ParameterDescription(
        "value", .any, required: true, shape: ControlTypes.conditionValue,
        summary: "true or false, a level from 0 to 1, or a word of 'network' or 'thermal'.")
    static let reportedValue = ParameterDescription(
        "value", .any, required: true, shape: .either([.null, ControlTypes.conditionValue]),
        summary: "As for an override, or null when the source does not know.")

    static func seconds(_ name: String, _ summary: String) -> ParameterDescription {
        ParameterDescription(name, .number, bounds: 0...longestSeconds, summary: summary)
    }

    static func words<Word: CaseIterable & RawRepresentable<String>>(_ type: Word.Type) -> [String] {
        type.allCases.map(\.rawValue)
    }
}
