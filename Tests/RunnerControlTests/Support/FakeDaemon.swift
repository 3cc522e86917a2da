import Platform
import RPC

@testable import RunnerControl

/// A daemon that answers as a test says, on a thread of its own.
final class FakeDaemon: Sendable {
    enum Answer: Sendable {
        case result(String)
        case error(Int, String, String)
        /// As `error`, with more members of `data`.
        case refusal(Int, String, String, String)
        /// Answered when another answer releases it.
        case held
        /// Gives what is held its result, and then this one's.
        indirect case releasing(String, Answer)
        /// An answer with the params of `event` notifications behind it.
        indirect case events(Answer, [String])
        case hangUp
        /// Bytes that are no answer.
        case noise(String)
        /// None, ever.
        case silence
    }

    struct Call: Equatable, Sendable {
        let method: String
        /// As JSON; empty when there are none.
        let params: String
    }

    /// Stands behind events after which the daemon hangs up.
    static let hangUp = "hang up"

    /// What the program asks first of whoever it speaks to.
    static let greeting = #"{"client":"runnerctl","protocols":[1]}"#

    private let calls = Locked<[Call]>([])
    private let answer: @Sendable (Call, Int) -> Answer
    private let greets: Bool

    /// - Parameters:
    ///   - greets: whether it answers the greeting as a runner does, so that nobody else hears of it.
    ///   - answer: gets a call and how many of the same method came before it.
    init(greets: Bool = true, _ answer: @escaping @Sendable (Call, Int) -> Answer) {
        self.greets = greets
        self.answer = answer
    }

    /// Answers everything with the same.
    convenience init(result: String) {
        self.init { _, _ in .result(result) }
    }

    var received: [Call] { calls.withLock { $0 } }

    /// The client's end of a connection.
    func connect() throws(SystemError) -> OwnedDescriptor {
        let (client, server) = try UnixSocket.pair()
        _ = try NamedThread(name: "fake-daemon") { [self] in serve(server) }
        return client
    }

    // MARK: Private

    private func serve(_ descriptor: OwnedDescriptor) {
        var state = ConnectionState()
        var held: [RequestToken] = []
        var buffer = [UInt8](repeating: 0, count: 4_096)
        while true {
            guard
                case .data(let count) = buffer.withUnsafeMutableBytes({ NonblockingIO.read(descriptor.raw, into: $0) })
            else { return }
            state.receive(Array(buffer[..<count]))
            while let inbound = state.next() {
                guard case .request(let token, let request) = inbound else { continue }
                switch reply(to: request, token, &state, &held) {
                case .goOn: break
                case .close: return
                case .closeAfterWriting:
                    write(state.takeOutput(), to: descriptor)
                    return
                case .noise(let text): write(Array(text.utf8), to: descriptor)
                }
            }
            write(state.takeOutput(), to: descriptor)
        }
    }

    private enum Next {
        case goOn
        case close
        case closeAfterWriting
        case noise(String)
    }

    private func reply(
        to request: Request, _ token: RequestToken, _ state: inout ConnectionState, _ held: inout [RequestToken]
    ) -> Next {
        let params = request.params.map { String(JSONLine.text($0).dropLast()) } ?? ""
        let call = Call(method: request.method, params: params)
        if greets, call == Call(method: "hello", params: Self.greeting) {
            state.complete(token) { (writer) throws(RPCError) in
                writer.raw(Self.line(#"{"protocol":1,"instance":"one"}"#))
            }
            return .goOn
        }
        let before = calls.withLock { calls in
            defer { calls.append(call) }
            return calls.count { $0.method == call.method }
        }
        var next = answer(call, before)
        while true {
            switch next {
            case .result(let text):
                state.complete(token) { (writer) throws(RPCError) in writer.raw(Self.line(text)) }
                return .goOn
            case .error(let code, let kind, let message):
                state.complete(token, error: RPCError(code: code, kind: kind, message: message))
                return .goOn
            case .refusal(let code, let kind, let message, let members):
                let error = RPCError(code: code, kind: kind, message: message) { writer in
                    writer.members(raw: Array(members.utf8.dropFirst().dropLast()))
                }
                state.complete(token, error: error)
                return .goOn
            case .held:
                held.append(token)
                return .goOn
            case .silence: return .goOn
            case .releasing(let text, let then):
                for token in held {
                    state.complete(token) { (writer) throws(RPCError) in writer.raw(Self.line(text)) }
                }
                held = []
                next = then
            case .events(let then, let events):
                guard case .result(let text) = then else {
                    next = then
                    continue
                }
                state.complete(token) { (writer) throws(RPCError) in writer.raw(Self.line(text)) }
                for event in events where event != Self.hangUp {
                    state.notify("event") { $0.raw(Self.line(event)) }
                }
                return events.last == Self.hangUp ? .closeAfterWriting : .goOn
            case .hangUp: return .close
            case .noise(let text): return .noise(text)
            }
        }
    }

    /// Tests may write JSON over several lines.
    private static func line(_ text: String) -> [UInt8] {
        text.utf8.filter { $0 != UInt8(ascii: "\n") }
    }

    private func write(_ bytes: [UInt8], to descriptor: OwnedDescriptor) {
        _ = bytes.withUnsafeBytes { BlockingIO.writeAll(descriptor.raw, $0) }
    }
}
