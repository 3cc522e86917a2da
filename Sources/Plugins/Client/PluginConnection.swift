import Platform
import RPC
import Scheduling

/// The plugin's end of its channel: any thread sends, one thread reads.
final class PluginConnection: Sendable {
    /// How a turn of the reading thread ended.
    enum Turn {
        /// There may be more to read.
        case goesOn
        case timeUp
        /// The runner sends nothing more.
        case ended
        /// What came is not the plugin protocol.
        case violated(String)
    }

    private let socket: OwnedDescriptor
    private let flag: EventFlag
    private let output: Locked<PluginOutput>

    /// - Parameter socket: connected, and never waiting.
    init(_ socket: OwnedDescriptor, longestLine: Int) throws(SystemError) {
        self.socket = socket
        flag = try EventFlag()
        var limits = ConnectionLimits()
        // Answers may be far longer than requests; and reading never waits for writing, or both ends could wait.
        limits.lineBytes = longestLine
        limits.depth = 512
        limits.outputBytes = .max
        output = Locked(PluginOutput(socket: socket.raw, limits: limits))
    }

    // MARK: - Sending

    /// Asks the runner. The answer comes on the reading thread; a request that cannot be sent is answered at once.
    func call(_ method: PluginMethod, _ params: some PluginMessage, answer: @escaping PluginOutput.Answer) {
        let refused = send { $0.call(method, params, isRefusable: true, answer: answer) }
        Self.refuse(refused, answer)
    }

    /// Says how a run ended. Never refused while there is a runner.
    func complete(_ message: CompleteMessage, answer: @escaping PluginOutput.Answer) {
        let refused = send { $0.complete(message, answer: answer) }
        Self.refuse(refused, answer)
    }

    func report(_ message: ProgressMessage) {
        send { $0.report(message) }
    }

    func log(_ message: LogMessage) {
        send { $0.log(message) }
    }

    /// Answers a request of the runner.
    func reply(to token: RequestToken, _ result: some PluginMessage) {
        send { output in
            output.wire.complete(token) { (writer) throws(RPCError) in result.write(into: &writer) }
            output.flush()
        }
    }

    func reply(to token: RequestToken, error: RPCError) {
        send { output in
            output.wire.complete(token, error: error)
            output.flush()
        }
    }

    /// As many requests may wait for their answers as the runner said.
    func setLimit(unansweredRequests: Int) {
        // Half of them: completions come on top.
        output.withLock { $0.unansweredLimit = max(1, unansweredRequests / 2) }
    }

    /// Wakes the reading thread.
    func wake() {
        flag.raise()
    }

    /// Writes what waits, for a limited time: the process is about to end.
    func flushBeforeExit(until deadline: Int64) {
        while true {
            let isWaiting = output.withLock { output in
                output.flush()
                return output.isWaiting
            }
            guard isWaiting, BlockingIO.wait(for: .writing, of: socket.raw, until: deadline) else { return }
        }
    }

    // MARK: - Reading

    /// Waits for the runner, or until the flag is raised, and hands out what came. For one thread only.
    func turn(until deadline: Int64?, _ handle: (ConnectionState.Inbound) -> Void) -> Turn {
        guard wait(reading: true, until: deadline) else { return .timeUp }
        return withUnsafeTemporaryAllocation(byteCount: 65_536, alignment: 16) { buffer in
            switch NonblockingIO.read(socket.raw, into: buffer) {
            case .wouldBlock: return .goesOn
            case .data(let count):
                nonisolated(unsafe) let bytes = UnsafeRawBufferPointer(rebasing: buffer[..<count])
                output.withLock { $0.wire.receive(bytes) }
            case .endOfFile, .failed:
                output.withLock { $0.wire.receiveEnd() }
            }
            return handOut(handle)
        }
    }

    /// Waits until the flag is raised or the time is over, and writes; nothing is read any more.
    func linger(until deadline: Int64) -> Bool {
        wait(reading: false, until: deadline)
    }

    /// Whether nothing is answered any more.
    var isEnded: Bool { output.withLock { $0.isUnanswered } }

    /// The runner answers nothing more: whoever waits is told.
    func endAnswers() {
        let answers = output.withLock { $0.endAnswers() }
        for answer in answers { answer(.failure(Self.hasEnded)) }
    }

    // MARK: - Private

    private static let hasEnded = Refusal(.unavailable, "The runner has ended; call again after its next start.")

    private static func refuse(_ refused: PluginOutput.Refused?, _ answer: PluginOutput.Answer) {
        switch refused {
        case nil: break
        case .ended: answer(.failure(hasEnded))
        case .full:
            answer(
                .failure(Refusal(.limitExceeded, "Too much waits for the runner; call again when it has answered.")))
        }
    }

    @discardableResult
    private func send<Result: Sendable>(_ body: @Sendable (inout PluginOutput) -> Result) -> Result {
        let (result, isWaiting) = output.withLock { output in
            let result = body(&output)
            return (result, output.isWaiting)
        }
        // The reading thread waits for room from now on.
        if isWaiting { flag.raise() }
        return result
    }

    /// False when the time was over.
    private func wait(reading: Bool, until deadline: Int64?) -> Bool {
        let isWriting = output.withLock { $0.isWaiting }
        var awaited = [BlockingIO.Awaited.input(flag.raw)]
        if reading { awaited.append(.input(socket.raw)) }
        if isWriting { awaited.append(.output(socket.raw)) }
        guard BlockingIO.wait(forAnyOf: awaited, until: deadline) != nil else { return false }
        flag.clear()
        if isWriting { output.withLock { $0.flush() } }
        return true
    }

    private func handOut(_ handle: (ConnectionState.Inbound) -> Void) -> Turn {
        while let inbound = output.withLock({ $0.wire.next() }) {
            switch inbound {
            case .request, .notification: handle(inbound)
            case .response(let response): answer(response)
            case .closing(.endOfInput): return .ended
            case .closing(.notJSON): return .violated("it sent something that is not JSON")
            case .closing(.limitExceeded(let limit)): return .violated("it sent more than the limit “\(limit)” allows")
            }
        }
        return .goesOn
    }

    private func answer(_ response: Response) {
        guard let identifier = response.identifier, let answer = output.withLock({ $0.takeAnswer(to: identifier) })
        else { return }
        switch response.outcome {
        case .result(let value): answer(.success(value))
        case .error(let error): answer(.failure(Refusal(error)))
        }
    }
}
