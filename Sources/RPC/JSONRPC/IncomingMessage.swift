import CJansson

/// What one line says.
package enum IncomingMessage: Sendable {
    /// An object that is no request that anybody could serve, and how to answer it.
    package struct Invalid: Error, Sendable {
        package let identifier: RequestIdentifier
        package let error: RPCError
    }

    case single(Request)
    /// In the order of the text; answers are left out, so it may be empty.
    case batch([Result<Request, Invalid>])
    /// An object that answers something.
    case response(Response)
    /// Neither; an answer that nobody understands is dropped.
    case ignored
    case invalid(Invalid)
    /// A limit was passed: answered once, and nothing is read after it.
    case limitExceeded(ConnectionLimits.Name, RPCError)

    /// Reads one line that begins with `{` or `[` and nests no deeper than it may, as a `LineFramer` gives it.
    package static func parse(_ line: UnsafeRawBufferPointer, limits: ConnectionLimits) -> IncomingMessage {
        if let request = plainRequest(line) { return .single(request) }
        return parseWhole(line, limits: limits)
    }

    /// The same without the short way for usual lines.
    static func parseWhole(_ line: UnsafeRawBufferPointer, limits: ConnectionLimits) -> IncomingMessage {
        let document: JSONDocument
        do throws(JSONSyntaxError) {
            document = try JSONDocument.parse(line, depthLimit: nil)
        } catch {
            return .invalid(Invalid(identifier: .null, error: .parseError(error)))
        }
        if document.node.pointee.type == JSON_ARRAY { return batch(document, limits: limits) }
        switch Shape(document.node).interpret(document: document, isInBatch: false) {
        case .request(let request): return .single(request)
        case .invalid(let invalid): return .invalid(invalid)
        case .response: return Response(document.root).map { .response($0) } ?? .ignored
        }
    }

    /// The request that a line holds in its usual form; nil leaves the line to the whole parser.
    private static func plainRequest(_ line: UnsafeRawBufferPointer) -> Request? {
        guard let plain = PlainRequest(line) else { return nil }
        guard let text = plain.params else {
            return Request(identifier: plain.identifier, isInBatch: false, method: plain.method, params: nil)
        }
        // Without an error: the whole parser finds it again and says where it is in the line.
        guard let params = JSONDocument.plainObject(text) ?? (try? JSONDocument.parse(text, depthLimit: nil)) else {
            return nil
        }
        return Request(identifier: plain.identifier, isInBatch: false, method: plain.method, params: params.root)
    }

    private static func batch(_ document: JSONDocument, limits: ConnectionLimits) -> IncomingMessage {
        let elements = JSONArray(value: document.root)
        if elements.isEmpty {
            let error = RPCError.invalidRequest("A batch needs at least one request.")
            return .invalid(Invalid(identifier: .null, error: error))
        }
        guard elements.count <= limits.batchRequests else {
            let message = "A batch may have \(limits.batchRequests) requests at most."
            return .limitExceeded(.batch, .limitExceeded(.batch, message))
        }
        var members: [Result<Request, Invalid>] = []
        members.reserveCapacity(elements.count)
        for element in elements {
            guard element.kind == .object else {
                let error = RPCError.invalidRequest("Each member of a batch must be a request object.")
                members.append(.failure(Invalid(identifier: .null, error: error)))
                continue
            }
            switch Shape(element.node).interpret(document: document, isInBatch: true) {
            case .request(let request): members.append(.success(request))
            case .invalid(let invalid): members.append(.failure(invalid))
            case .response: break
            }
        }
        return .batch(members)
    }
}

/// The members of an object that JSON-RPC knows.
private struct Shape {
    private typealias Node = UnsafeMutablePointer<json_t>

    enum Meaning {
        case request(Request)
        case response
        case invalid(IncomingMessage.Invalid)
    }

    private var version: Node?
    private var identifier: Node?
    private var method: Node?
    private var params: Node?
    private var isAnswer = false

    init(_ object: UnsafeMutablePointer<json_t>) {
        var position = json_object_iter(object)
        while let current = position, let name = json_object_iter_key(current) {
            let value = json_object_iter_value(current)
            // Told apart by the first letter, then compared once.
            switch UInt8(bitPattern: name[0]) {
            case UInt8(ascii: "j") where name.spells("jsonrpc"): version = value
            case UInt8(ascii: "i") where name.spells("id"): identifier = value
            case UInt8(ascii: "m") where name.spells("method"): method = value
            case UInt8(ascii: "p") where name.spells("params"): params = value
            case UInt8(ascii: "r") where name.spells("result"): isAnswer = true
            case UInt8(ascii: "e") where name.spells("error"): isAnswer = true
            default: break
            }
            position = json_object_iter_next(object, current)
        }
    }

    func interpret(document: JSONDocument, isInBatch: Bool) -> Meaning {
        if method == nil, isAnswer { return .response }
        var identifier: RequestIdentifier?
        if let node = self.identifier {
            identifier = RequestIdentifier(node: node, document: document)
            guard identifier != nil else {
                return invalid(nil, "'id' must be an integer, a string or null.")
            }
        }
        guard let version, version.pointee.type == JSON_STRING, json_string_length(version) == 3,
            json_string_value(version)?.spells("2.0") == true
        else { return invalid(identifier, "'jsonrpc' must be \"2.0\".") }
        guard let method, let name = JSONValue(node: method, document: document).string else {
            return invalid(identifier, "'method' must be a string.")
        }
        if let params, params.pointee.type != JSON_OBJECT, params.pointee.type != JSON_ARRAY {
            return invalid(identifier, "'params' must be an object or an array.")
        }
        return .request(
            Request(
                identifier: identifier, isInBatch: isInBatch, method: name,
                params: params.map { JSONValue(node: $0, document: document) }))
    }

    private func invalid(_ identifier: RequestIdentifier?, _ message: String) -> Meaning {
        .invalid(IncomingMessage.Invalid(identifier: identifier ?? .null, error: .invalidRequest(message)))
    }
}

extension UnsafePointer<CChar> {
    /// Compares a C string with a constant.
    fileprivate func spells(_ text: StaticString) -> Bool {
        let count = text.utf8CodeUnitCount
        for index in 0..<count where UInt8(bitPattern: self[index]) != text.utf8Start[index] { return false }
        return self[count] == 0
    }
}

extension Response {
    /// Nil when the object is no complete answer to a request of ours, whose ids are integers.
    fileprivate init?(_ object: JSONValue) {
        guard object["jsonrpc"]?.string == "2.0", let id = object["id"] else { return nil }
        switch id.kind {
        case .integer: identifier = id.integer
        case .null: identifier = nil
        case .object, .array, .string, .real, .boolean: return nil
        }
        if let value = object["error"], !value.isNull {
            guard let error = ResponseError(value) else { return nil }
            outcome = .error(error)
        } else if let value = object["result"] {
            outcome = .result(value)
        } else {
            return nil
        }
    }
}
