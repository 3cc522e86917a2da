import Glibc
import Platform
import RPC
import Testing

/// A client of a control socket that waits for its answers on the test's thread.
final class ControlClient {
    /// Reached only when something is broken.
    private static let patienceMilliseconds: Int64 = 20_000

    let descriptor: OwnedDescriptor
    private var state = ClientConnectionState()
    private var responses: [Response] = []
    private var events: [JSONValue] = []
    /// What came in and is not taken yet, for tests that look at lines.
    private var text: [UInt8] = []

    init(_ path: String) throws(SystemError) {
        descriptor = try UnixSocket.connect(path: path)
    }

    // MARK: - Calls

    /// The result of a method; an error fails the test.
    func result(_ method: String, _ params: String? = nil) throws -> JSONValue {
        let response = try call(method, params)
        switch response.outcome {
        case .result(let value): return value
        case .error(let error):
            Issue.record("\(method): \(error.code) \(error.message)")
            throw error
        }
    }

    /// The error of a method; a result fails the test.
    func error(_ method: String, _ params: String? = nil) throws -> ResponseError {
        let response = try call(method, params)
        guard case .error(let error) = response.outcome else {
            struct NoError: Error {}
            Issue.record("\(method) was not refused")
            throw NoError()
        }
        return error
    }

    func call(_ method: String, _ params: String? = nil) throws -> Response {
        try response(to: begin(method, params))
    }

    /// Sends a request; its answer may come much later.
    func begin(_ method: String, _ params: String? = nil) throws -> Int64 {
        let (identifier, bytes) = state.request(method, params: params.map { text in { $0.raw(Array(text.utf8)) } })
        try send(bytes)
        return identifier
    }

    func notify(_ method: String, _ params: String? = nil) throws {
        try send(state.notification(method, params: params.map { text in { $0.raw(Array(text.utf8)) } }))
    }

    func response(to identifier: Int64) throws -> Response {
        while true {
            if let index = responses.firstIndex(where: { $0.identifier == identifier }) {
                return responses.remove(at: index)
            }
            let bytes = try #require(try receive(), "the connection was closed before the answer")
            try take(bytes)
        }
    }

    /// The next event of any subscription; waits for it.
    func event() throws -> JSONValue {
        while events.isEmpty { try take(try #require(try receive(), "the connection was closed before the event")) }
        return events.removeFirst()
    }

    /// The events that are there now.
    func eventsSoFar() throws -> [JSONValue] {
        while hasInput, let bytes = try receive() { try take(bytes) }
        defer { events = [] }
        return events
    }

    private func take(_ bytes: [UInt8]) throws {
        for message in try state.receive(bytes) {
            switch message {
            case .response(let response): responses.append(response)
            case .notification(let request): if let params = request.params { events.append(params) }
            }
        }
    }

    // MARK: - Bytes

    func send(_ text: String) throws {
        try send(Array(text.utf8))
    }

    func send(_ bytes: [UInt8]) throws {
        let outcome = bytes.withUnsafeBytes { BlockingIO.writeAll(descriptor.raw, $0) }
        try #require(outcome == .data(bytes.count))
    }

    /// The next line without its end; `nil` when the other side has closed.
    func receiveLine() throws -> String? {
        while true {
            if let end = text.firstIndex(of: UInt8(ascii: "\n")) {
                defer { text.removeSubrange(...end) }
                return String(decoding: text[..<end], as: UTF8.self)
            }
            guard let bytes = try receive() else { return nil }
            text += bytes
        }
    }

    /// A line as JSON.
    func receiveJSON() throws -> JSONValue {
        let line = try #require(try receiveLine())
        return try Array(line.utf8).withUnsafeBytes { try JSONDocument.parse($0, depthLimit: nil) }.root
    }

    /// Whether something, or the end, is there to be read now.
    var hasInput: Bool {
        BlockingIO.wait(for: .reading, of: descriptor.raw, until: SystemClock.milliseconds(.awake))
    }

    func receive() throws -> [UInt8]? {
        let deadline = SystemClock.milliseconds(.awake) + Self.patienceMilliseconds
        try #require(BlockingIO.wait(for: .reading, of: descriptor.raw, until: deadline), "nothing came")
        var buffer = [UInt8](repeating: 0, count: 65_536)
        switch buffer.withUnsafeMutableBytes({ NonblockingIO.read(descriptor.raw, into: $0) }) {
        case .data(let count): return Array(buffer[..<count])
        case .endOfFile: return nil
        case .wouldBlock: return []
        case .failed(let error): throw error
        }
    }

    /// Says that nothing more will be sent; answers may still come.
    func finishSending() {
        shutdown(descriptor.raw, Int32(SHUT_WR))
    }

    func close() {
        descriptor.close()
    }
}
