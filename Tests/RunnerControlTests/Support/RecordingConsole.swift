@testable import RunnerControl

/// Keeps what was written.
final class RecordingConsole: Console {
    let isTerminal: Bool
    var width: Int?
    var height: Int?
    let hasLostOutput = false
    let descriptor: Int32? = nil
    /// How many lines somebody reads; after them nobody does.
    var mostLines = Int.max
    private(set) var output = ""
    private(set) var errors = ""

    init(isTerminal: Bool = false) {
        self.isTerminal = isTerminal
    }

    func write(_ text: String) { output += text }
    func complain(_ text: String) { errors += text + "\n" }

    var isClosed: Bool { lines.count > mostLines }

    /// The output, a line each.
    var lines: [String] { output.split(separator: "\n", omittingEmptySubsequences: false).map { String($0) } }
}
