@testable import RunnerControl

/// Keeps what was written.
final class RecordingConsole: Console {
    let isTerminal: Bool
    let hasLostOutput = false
    private(set) var output = ""
    private(set) var errors = ""

    init(isTerminal: Bool = false) {
        self.isTerminal = isTerminal
    }

    func write(_ text: String) { output += text }
    func complain(_ text: String) { errors += text + "\n" }

    /// The output, a line each.
    var lines: [String] { output.split(separator: "\n", omittingEmptySubsequences: false).map { String($0) } }
}
