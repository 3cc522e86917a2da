import RPC

/// What must come back for a stream, worked out from the contract and not from what the service does: lines are cut and
/// messages told apart here once more. Only whether a line is JSON is asked of the parser, which the JSON corpus holds.
struct ExpectedReplies {
    /// One text for each line: the ids in it, in order, as JSON.
    private(set) var lines: [String] = []
    /// Nothing is read after this.
    private(set) var endsEarly = false

    init(to stream: [UInt8], limits: ConnectionLimits) {
        for line in stream.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false) {
            guard let first = line.first(where: { ![0x20, 0x09, 0x0D].contains($0) }) else {
                if line.count > limits.lineBytes { end() }
                if endsEarly { return }
                continue
            }
            let isText = first == UInt8(ascii: "{") || first == UInt8(ascii: "[")
            if !isText || line.count > limits.lineBytes || Self.depth(of: line) > limits.depth {
                end()
            } else {
                add(Array(line), limits)
            }
            if endsEarly { return }
        }
    }

    private mutating func end() {
        lines.append("null")
        endsEarly = true
    }

    private mutating func add(_ line: [UInt8], _ limits: ConnectionLimits) {
        // A CR before the LF is white space to JSON too.
        guard let document = try? JSONDocument.parse(line, depthLimit: nil) else {
            lines.append("null")
            return
        }
        let root = document.root
        guard let members = root.array else {
            if let identifier = Self.answer(to: root) { lines.append(identifier) }
            return
        }
        if members.isEmpty {
            lines.append("null")
        } else if members.count > limits.batchRequests {
            end()
        } else {
            let identifiers = members.compactMap { Self.answer(to: $0) }
            if !identifiers.isEmpty { lines.append("[" + identifiers.joined(separator: ",") + "]") }
        }
    }

    /// The id of the reply to a message, as JSON; nil when it has none.
    private static func answer(to message: JSONValue) -> String? {
        guard message.kind == .object else { return "null" }
        let method = message["method"]
        if method == nil, message["result"] != nil || message["error"] != nil { return nil }
        let identifier = message["id"]
        switch identifier?.kind {
        case .integer, .string, .null, nil: break
        case .real, .boolean, .array, .object: return "null"
        }
        let params = message["params"]?.kind
        let isValid =
            message["jsonrpc"]?.string == "2.0" && method?.kind == .string
            && (params == nil || params == .object || params == .array)
        guard let identifier else { return isValid ? nil : "null" }
        return text(of: identifier)
    }

    static func text(of value: JSONValue) -> String {
        var writer = JSONWriter()
        writer.value(value)
        return String(decoding: writer.bytes, as: UTF8.self)
    }

    /// How deep brackets outside of strings nest.
    private static func depth(of line: some Sequence<UInt8>) -> Int {
        var (depth, deepest, isInString, isEscaped) = (0, 0, false, false)
        for byte in line {
            if isEscaped {
                isEscaped = false
                continue
            }
            switch byte {
            case UInt8(ascii: "\\"): isEscaped = isInString
            case UInt8(ascii: "\""): isInString.toggle()
            case UInt8(ascii: "{") where !isInString, UInt8(ascii: "[") where !isInString:
                depth += 1
                deepest = max(deepest, depth)
            case UInt8(ascii: "}") where !isInString, UInt8(ascii: "]") where !isInString: depth -= 1
            default: break
            }
        }
        return deepest
    }
}
