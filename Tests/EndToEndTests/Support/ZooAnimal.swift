import Foundation
import Testing

/// A plugin of `Tests/Fixtures/plugins/zoo` that does one thing wrong, and what must come of it.
struct ZooAnimal: Sendable, CustomTestStringConvertible {
    /// What becomes of the run that it is given.
    enum Outcome: Sendable {
        /// Its process fails before the handler is entered, so there is none.
        case isNotEntered
        /// It ends by itself.
        case ends(_ state: String, exit: JSONNode = .null)
        /// It goes on until it is expired, and does not end then.
        case mustBeExpired
    }

    /// Its function in the program.
    var name: String
    var outcome: Outcome
    /// Names of diagnostics that appear.
    var diagnostics: [String] = []
    /// What some diagnostic or refusal says, or its log has.
    var words: [String] = []
    var limits: JSONNode = [:]

    var testDescription: String { name }

    static let all = beforeItHasLaunched + inARun + ofRuns + ofFloods + ofMessages

    private static let beforeItHasLaunched = [
        ZooAnimal(name: "exits_at_once", outcome: .isNotEntered, diagnostics: ["processFailed"]),
        ZooAnimal(name: "hangs_before_hello", outcome: .isNotEntered, diagnostics: ["processFailed"]),
        ZooAnimal(
            name: "never_finishes_launching", outcome: .isNotEntered, diagnostics: ["processFailed"]),
        ZooAnimal(
            name: "speaks_another_version", outcome: .isNotEntered, diagnostics: ["processFailed"]),
        ZooAnimal(
            name: "registers_before_hello", outcome: .isNotEntered, diagnostics: ["processFailed"]),
        ZooAnimal(
            name: "registers_others", outcome: .ends("succeeded"), diagnostics: ["registrationRefused"],
            words: ["com.example.zoo.run"]),
    ]

    private static let inARun = [
        ZooAnimal(
            name: "exits_in_the_handler", outcome: .ends("crashed", exit: ["code": 3]),
            diagnostics: ["processCrashed"],
            words: ["this is the last line"]),
        ZooAnimal(
            name: "traps", outcome: .ends("crashed", exit: ["signal": .number(Double(SIGILL))]),
            diagnostics: ["processCrashed"]),
        ZooAnimal(
            name: "exhausts_its_memory", outcome: .ends("crashed", exit: ["code": 1]),
            diagnostics: ["processCrashed"],
            words: ["MemoryError"], limits: ["memory": "64M"]),
        ZooAnimal(
            name: "closes_its_channel", outcome: .ends("crashed"), diagnostics: ["processCrashed"]),
        ZooAnimal(
            name: "leaves_a_child_with_its_channel", outcome: .ends("crashed", exit: ["code": 0]),
            diagnostics: ["processCrashed"]),
        ZooAnimal(name: "ignores_expiration", outcome: .mustBeExpired, diagnostics: ["graceEnded"]),
        ZooAnimal(name: "answers_with_an_error", outcome: .isNotEntered, diagnostics: ["startFailed"]),
        ZooAnimal(
            name: "never_answers", outcome: .isNotEntered, diagnostics: ["startFailed", "processFailed"]),
        ZooAnimal(
            name: "answers_with_wrong_numbers", outcome: .isNotEntered,
            diagnostics: ["startFailed", "processFailed"]),
        ZooAnimal(name: "ignores_everything", outcome: .ends("succeeded")),
    ]

    private static let ofRuns = [
        ZooAnimal(
            name: "completes_twice", outcome: .ends("succeeded"), diagnostics: ["duplicateCompletion"],
            words: ["accepted True, then False"]),
        ZooAnimal(name: "completes_others", outcome: .ends("succeeded"), words: ["the other run: "]),
        ZooAnimal(name: "submits_others", outcome: .ends("succeeded"), words: ["notPermitted"]),
        ZooAnimal(
            name: "calls_unknown_methods", outcome: .ends("succeeded"),
            words: ["task.compleet methodNotFound", "simulateLaunch methodNotFound"]),
        ZooAnimal(name: "sends_a_batch", outcome: .ends("succeeded"), words: ["in a batch"]),
    ]

    private static let ofFloods = [
        ZooAnimal(
            name: "floods_its_output", outcome: .ends("succeeded"), words: ["the rest is not kept"]),
        ZooAnimal(name: "floods_the_log", outcome: .ends("succeeded"), words: ["the rest is not kept"]),
        ZooAnimal(name: "floods_progress", outcome: .ends("succeeded")),
    ]

    private static let ofMessages = [
        ZooAnimal(
            name: "sends_garbage", outcome: .ends("crashed"), diagnostics: ["processCrashed"],
            words: ["not JSON"]),
        ZooAnimal(name: "half_a_line", outcome: .mustBeExpired, diagnostics: ["graceEnded"]),
        ZooAnimal(
            name: "half_a_line_and_the_end", outcome: .ends("crashed"), diagnostics: ["processCrashed"]),
        ZooAnimal(
            name: "a_long_line", outcome: .ends("crashed"), diagnostics: ["processCrashed"],
            words: ["the limit"]),
        ZooAnimal(
            name: "deep_brackets", outcome: .ends("crashed"), diagnostics: ["processCrashed"],
            words: ["the limit"]),
    ]
}
