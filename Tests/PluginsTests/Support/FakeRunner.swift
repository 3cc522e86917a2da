import Glibc
import Platform
import Plugins
import RPC
import Scheduling
import Testing

/// The runner's end of a plugin's channel, which does what a test says; the plugin is on threads of this process.
final class FakeRunner {
    static let app = AppIdentifier(checked: "com.example.mail")
    static let refresh = "com.example.mail.refresh"

    /// A message of the plugin.
    struct Message {
        /// `nil` for a notification.
        let token: RequestToken?
        let method: PluginMethod
        let params: JSONValue?
    }

    private struct NothingCame: Error {}

    private static let patience: Int64 = 30_000

    private let socket: OwnedDescriptor
    private var wire = ConnectionState()
    private var isHolding = false
    private let thread: NamedThread
    private let ending = Locked<PluginSession.Ending?>(nil)
    private let complained = Locked<[String]>([])

    init(_ plugin: ClosurePlugin, longestLine: Int = 16 << 20) throws {
        let (ours, its) = try UnixSocket.pair()
        try its.setNonblocking()
        socket = ours
        let (ending, complained) = (ending, complained)
        let session = try PluginSession(its, longestLine: longestLine) { sentence in
            complained.withLock { $0.append(sentence) }
        }
        // Gone when it has ended, so that its end of the channel is closed as by the end of a process.
        let holder = Locked<PluginSession?>(session)
        thread = try NamedThread(name: "plugin") {
            let result = holder.withLock { session in
                defer { session = nil }
                return session
            }?.run(plugin)
            ending.withLock { $0 = result }
        }
    }

    /// Answers hello and what is registered, and lets the plugin finish launching.
    func welcome(recovered: RecoveryCause? = nil) throws {
        try answerHello(recovered: recovered)
        while true {
            let message = try receive()
            switch message.method {
            case .register: try reply(message, RegisterResult())
            case .finishLaunching: return try reply(message, EmptyMessage())
            default: Issue.record("\(message.method) came before the launch was finished")
            }
        }
    }

    func answerHello(recovered: RecoveryCause? = nil) throws {
        let message = try receive(.hello)
        #expect(try HelloMessage(fromPlugin: message.params).kit == "swift")
        try reply(message, HelloResult(app: Self.app, permitted: ["com.example.mail.*"], recovered: recovered))
    }

    // MARK: - Receiving

    /// The next message; answers to our requests are passed over.
    func receive() throws -> Message {
        while true {
            if let inbound = try next() {
                switch inbound {
                case .request(let token, let request): return try message(request, token)
                case .notification(let request): return try message(request, nil)
                case .response: continue
                case .closing: throw NothingCame()
                }
            }
        }
    }

    func receive(_ method: PluginMethod) throws -> Message {
        let message = try receive()
        try #require(message.method == method)
        return message
    }

    /// The plugin's answer to a request of ours.
    func response(to identifier: Int64) throws -> Response.Outcome {
        while true {
            guard let inbound = try next() else { continue }
            if case .response(let response) = inbound, response.identifier == identifier { return response.outcome }
            if case .closing = inbound { throw NothingCame() }
            if case .request(_, let request) = inbound { Issue.record("\(request.method) came instead of an answer") }
        }
    }

    /// The plugin's answer to the line that was sent as request 1, or to the first request of ours.
    func responseToAnything() throws -> Response.Outcome {
        // The state machine passes on only answers to what it asked itself, so it has to have asked.
        _ = wire.request("unused")
        _ = wire.takeOutput()
        return try response(to: 1)
    }

    /// Everything that comes until the plugin closes its end.
    func rest() throws -> [Message] {
        var messages: [Message] = []
        while true {
            switch try next() {
            case .request(let token, let request): messages.append(try message(request, token))
            case .notification(let request): messages.append(try message(request, nil))
            case .closing(.endOfInput): return messages
            case .closing, .response, nil: continue
            }
        }
    }

    // MARK: - Sending

    func reply(_ message: Message, _ result: some PluginMessage) throws {
        let token = try #require(message.token)
        wire.complete(token) { (writer) throws(RPCError) in result.write(into: &writer) }
        flush()
    }

    func reply(_ message: Message, _ refusal: Refusal) throws {
        wire.complete(try #require(message.token), error: RPCError(refusal))
        flush()
    }

    func reply(_ message: Message, _ body: (inout JSONWriter) -> Void) throws {
        wire.complete(try #require(message.token)) { (writer) throws(RPCError) in body(&writer) }
        flush()
    }

    /// Sends a launch without waiting for its answer, whose number it gives.
    @discardableResult
    func sendLaunch(_ run: Int64, _ identifier: String = refresh, budget: Duration? = nil) throws -> Int64 {
        let order = LaunchOrder(
            run: RunIdentifier(run), identifier: try TaskIdentifier(identifier), app: Self.app, kind: .appRefresh,
            origin: .scheduled, attempt: 1, budget: budget)
        let number = wire.request(PluginMethod.launch.rawValue) { LaunchMessage(order).write(into: &$0) }
        flush()
        return number
    }

    /// Launches, and waits until the handler was entered.
    func launch(_ run: Int64, _ identifier: String = refresh, budget: Duration? = nil) throws {
        guard case .result = try response(to: sendLaunch(run, identifier, budget: budget)) else {
            Issue.record("run \(run) was not entered")
            return
        }
    }

    func send(_ method: PluginMethod, _ params: some PluginMessage) {
        wire.notify(method.rawValue) { params.write(into: &$0) }
        flush()
    }

    func send(_ text: String) {
        Array(text.utf8).withUnsafeBytes { _ = BlockingIO.writeAll(socket.raw, $0) }
    }

    /// Sends what the body says in one write.
    func withOneWrite(_ body: () throws -> Void) rethrows {
        isHolding = true
        try body()
        isHolding = false
        flush()
    }

    /// The end of our stream; the plugin can still be read.
    func finishSending() {
        shutdown(socket.raw, Int32(SHUT_WR))
    }

    func hangUp() {
        socket.close()
    }

    // MARK: - Ending

    func waitForEnding() throws -> PluginSession.Ending {
        thread.join()
        return try #require(ending.withLock { $0 })
    }

    var hasEnded: Bool { ending.withLock { $0 != nil } }

    var complaints: [String] { complained.withLock { $0 } }

    // MARK: - Private

    private func message(_ request: Request, _ token: RequestToken?) throws -> Message {
        let method = try #require(PluginMethod(rawValue: request.method))
        #expect(method.isFromPlugin)
        #expect(method.isNotification == (token == nil))
        return Message(token: token, method: method, params: request.params)
    }

    private func next() throws -> ConnectionState.Inbound? {
        if let inbound = wire.next() { return inbound }
        guard
            BlockingIO.wait(
                for: .reading, of: socket.raw, until: SystemClock.milliseconds(.awake) + Self.patience)
        else { throw NothingCame() }
        var buffer = [UInt8](repeating: 0, count: 65_536)
        switch buffer.withUnsafeMutableBytes({ NonblockingIO.read(socket.raw, into: $0) }) {
        case .data(let count): wire.receive(Array(buffer[..<count]))
        case .endOfFile: wire.receiveEnd()
        case .wouldBlock, .failed: throw NothingCame()
        }
        return wire.next()
    }

    private func flush() {
        guard !isHolding else { return }
        wire.takeOutput().withUnsafeBytes { _ = BlockingIO.writeAll(socket.raw, $0) }
    }
}
