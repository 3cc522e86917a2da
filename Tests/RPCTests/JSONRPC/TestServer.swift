@testable import RPC

/// A connection with a few methods behind it: `echo` gives its params back, `fail` fails, `later` waits to be released.
struct TestServer {
    var state: ConnectionState
    private(set) var notifications: [String] = []
    private(set) var closing: [ConnectionState.ClosingReason] = []
    private(set) var responses: [Response] = []
    private(set) var held: [(token: RequestToken, name: String)] = []

    init(limits: ConnectionLimits = ConnectionLimits()) {
        state = ConnectionState(limits: limits)
    }

    mutating func receive(_ text: String) { receive(Array(text.utf8)) }

    mutating func receive(_ bytes: [UInt8]) {
        state.receive(bytes)
        serve()
    }

    mutating func receiveEnd() {
        state.receiveEnd()
        serve()
    }

    mutating func serve() {
        while let inbound = state.next() {
            switch inbound {
            case .request(let token, let request): answer(token, request)
            case .notification(let request): notifications.append(request.method)
            case .response(let response): responses.append(response)
            case .closing(let reason): closing.append(reason)
            }
        }
    }

    private mutating func answer(_ token: RequestToken, _ request: Request) {
        switch request.method {
        case "echo":
            state.complete(token) { (writer) throws(RPCError) in
                if let params = request.params { writer.value(params) } else { writer.null() }
            }
        case "fail":
            state.complete(token) { (writer) throws(RPCError) in
                writer.beginObject()
                writer.key("half")
                throw RPCError(code: 11, kind: "noPendingRequest", message: "Nothing.") { $0.member("a", 1) }
            }
        case "later":
            held.append((token, request.params?.array?.first?.string ?? ""))
        default:
            state.complete(token, error: .methodNotFound(request.method, nearest: nil))
        }
    }

    /// Answers what was held, with its name.
    mutating func release(_ name: String) {
        for entry in held where entry.name == name {
            state.complete(entry.token) { (writer) throws(RPCError) in writer.string(name) }
        }
        held.removeAll { $0.name == name }
        serve()
    }

    /// All that was sent since the last call, a line each.
    mutating func lines() -> [String] {
        String(decoding: state.takeOutput(), as: UTF8.self).split(separator: "\n").map { String($0) }
    }
}
