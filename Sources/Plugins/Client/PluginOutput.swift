import Platform
import RPC
import Scheduling

/// What a plugin sends, and the requests of its own that wait for an answer. Bounded: whoever reads it may be slow.
struct PluginOutput {
    typealias Answer = @Sendable (Result<JSONValue, Refusal>) -> Void

    enum Refused {
        case ended
        case full
    }

    /// From this much on, no lines of the log are added, and no requests but completions.
    private static let mostBytes = 262_144

    var wire: ConnectionState
    /// How many requests, but for completions, may wait for their answers.
    var unansweredLimit = 512
    /// Nobody will ever read what is written.
    private var isClosed = false
    /// Nothing will ever be answered.
    private(set) var isUnanswered = false
    private var answers: [Int64: Answer] = [:]
    private var progress = NewestProgress()
    private var lostLines = 0
    private let socket: Int32

    init(socket: Int32, limits: ConnectionLimits) {
        self.socket = socket
        wire = ConnectionState(limits: limits)
    }

    var isWaiting: Bool { wire.wantsWrite }

    // MARK: - Messages

    /// Asks the runner; the answer is kept until `takeAnswer`.
    mutating func call(
        _ method: PluginMethod, _ params: some PluginMessage, isRefusable: Bool, answer: @escaping Answer
    ) -> Refused? {
        guard !isClosed, !(isUnanswered && isRefusable) else { return .ended }
        guard !isRefusable || (wire.outputCount < Self.mostBytes && answers.count < unansweredLimit) else {
            return .full
        }
        let identifier = wire.request(method.rawValue) { params.write(into: &$0) }
        flush()
        // A completion is sent nevertheless: its reader may be there.
        if isUnanswered { return .ended }
        answers[identifier] = answer
        return nil
    }

    /// Completes a run; the last that it said of its progress comes before.
    mutating func complete(_ message: CompleteMessage, answer: @escaping Answer) -> Refused? {
        if let last = progress.take(message.run) { notify(.progress, last) }
        return call(.complete, message, isRefusable: false, answer: answer)
    }

    /// Never waits: what a full socket does not take is replaced by what comes next of the same run.
    mutating func report(_ message: ProgressMessage) {
        guard !isClosed else { return }
        progress.put(message)
        flush()
    }

    /// Never waits: lines that there is no room for are counted.
    mutating func log(_ message: LogMessage) {
        guard !isClosed else { return }
        if wire.outputCount < Self.mostBytes {
            notify(.log, message)
        } else {
            lostLines += 1
        }
        flush()
    }

    mutating func takeAnswer(to identifier: Int64) -> Answer? {
        answers.removeValue(forKey: identifier)
    }

    /// No answers come any more: those who wait for one.
    mutating func endAnswers() -> [Answer] {
        isUnanswered = true
        defer { answers = [:] }
        return answers.sorted { $0.key < $1.key }.map(\.value)
    }

    // MARK: - Writing

    /// Writes what the socket takes now.
    mutating func flush() {
        write()
        guard !wire.wantsWrite else { return }
        if lostLines > 0 {
            let words = lostLines == 1 ? "A line of the log was" : "\(lostLines) lines of the log were"
            notify(.log, LogMessage(level: .warning, message: "\(words) lost: there were more than could be sent."))
            lostLines = 0
        }
        for message in progress.takeAll() { notify(.progress, message) }
        write()
    }

    /// Gives up what was not written.
    private mutating func close() {
        isClosed = true
        _ = wire.takeOutput()
    }

    private mutating func notify(_ method: PluginMethod, _ params: some PluginMessage) {
        wire.notify(method.rawValue) { params.write(into: &$0) }
    }

    private mutating func write() {
        var isBroken = isClosed
        wire.writeOutput { [socket] bytes in
            switch NonblockingIO.write(socket, bytes) {
            case .data(let count): return count
            case .wouldBlock: return 0
            case .endOfFile, .failed:
                isBroken = true
                return 0
            }
        }
        if isBroken { close() }
    }
}
