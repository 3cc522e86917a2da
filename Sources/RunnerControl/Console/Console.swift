import Platform

/// Where the program's words go.
protocol Console: AnyObject {
    /// Whether a person looks at the output.
    var isTerminal: Bool { get }
    /// The columns of the terminal that a person looks at; `nil` where there is none.
    var width: Int? { get }
    /// Its lines.
    var height: Int? { get }
    /// Whether some of the output was lost. (That nobody wants to read on is no loss.)
    var hasLostOutput: Bool { get }
    /// Nobody reads the output any more.
    var isClosed: Bool { get }
    /// The output's descriptor, to see that its reader has gone while there is nothing to write.
    var descriptor: Int32? { get }
    /// Writes to the output, as it is.
    func write(_ text: String)
    /// Writes a line for a person about what went wrong.
    func complain(_ text: String)
}

/// Standard output and standard error.
final class StandardConsole: Console {
    private static let output: Int32 = 1
    private static let errors: Int32 = 2
    /// Nobody reads the output any more; then there is nothing to say either.
    private(set) var isClosed = false
    private(set) var hasLostOutput = false

    let descriptor: Int32? = StandardConsole.output
    let isTerminal = ProcessEnvironment.isTerminal(StandardConsole.output)

    // Looked up each time, since windows change.
    var width: Int? { ProcessEnvironment.terminalSize(Self.output)?.columns }
    var height: Int? { ProcessEnvironment.terminalSize(Self.output)?.lines }

    func write(_ text: String) {
        guard !isClosed else { return }
        switch put(text, Self.output) {
        case .data, .wouldBlock: break
        case .endOfFile: isClosed = true
        case .failed(let error):
            isClosed = true
            hasLostOutput = true
            complain("runnerctl: The output could not be written: \(error).")
        }
    }

    func complain(_ text: String) {
        // There is no other place to say that this failed.
        _ = put(text + "\n", Self.errors)
    }

    private func put(_ text: String, _ descriptor: Int32) -> NonblockingIO.Outcome {
        var text = text
        return text.withUTF8 { BlockingIO.writeAll(descriptor, UnsafeRawBufferPointer($0)) }
    }
}
