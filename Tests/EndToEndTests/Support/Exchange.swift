import Foundation
import Testing

/// What is sent to a control socket, and what must come back; `Tests/Fixtures/exchanges/README.md` tells how it is
/// written.
struct Exchange: Sendable {
    enum Step: Sendable {
        case send([UInt8])
        case finishSending
        case reply(JSONNode)
        case replyContaining(String)
        /// In any order.
        case replies([JSONNode])
        case closed
    }

    var title: String
    var place: String
    var steps: [Step] = []

    var endsClosed: Bool {
        if case .closed = steps.last { true } else { false }
    }

    /// All of a folder, in the order of the files.
    static func all(in folder: URL) throws -> [Exchange] {
        let files = try FileManager.default.contentsOfDirectory(atPath: folder.path).filter { $0.hasSuffix(".txt") }
        return try files.sorted().flatMap { name in
            try read(String(contentsOf: folder.appendingPathComponent(name), encoding: .utf8), name: name)
        }
    }

    private static func read(_ text: String, name: String) throws -> [Exchange] {
        var exchanges: [Exchange] = []
        for (index, line) in text.components(separatedBy: "\n").enumerated() {
            let place = "\(name):\(index + 1)"
            if line.isEmpty || line.hasPrefix("# ") { continue }
            if line.hasPrefix("== ") {
                exchanges.append(Exchange(title: String(line.dropFirst(3)), place: place))
                continue
            }
            try #require(!exchanges.isEmpty, "\(place): no exchange has begun")
            try exchanges[exchanges.count - 1].add(line, place: place)
        }
        return exchanges
    }

    private mutating func add(_ line: String, place: String) throws {
        let text = String(line.drop { $0 != " " }.dropFirst())
        let sign = line.prefix { $0 != " " }
        switch sign {
        case ">": steps.append(.send(Array(text.utf8) + [UInt8(ascii: "\n")]))
        case ">>": steps.append(.send(try Self.bytes(text, place: place)))
        case ">|": steps.append(.finishSending)
        case "<": steps.append(.reply(try Self.pattern(text, place: place)))
        case "<~": steps.append(.replyContaining(text))
        case "<?":
            let pattern = try Self.pattern(text, place: place)
            if case .replies(let others) = steps.last {
                steps[steps.count - 1] = .replies(others + [pattern])
            } else {
                steps.append(.replies([pattern]))
            }
        case "<|": steps.append(.closed)
        default: try #require(Bool(false), "\(place): the line begins with nothing that is known")
        }
    }

    private static func pattern(_ text: String, place: String) throws -> JSONNode {
        let pattern = JSONNode(text)
        try #require(!pattern.isNull, "\(place): the pattern is no JSON")
        return pattern
    }

    /// Text in which a backslash begins what cannot be written.
    private static func bytes(_ text: String, place: String) throws -> [UInt8] {
        var bytes: [UInt8] = []
        var rest = Array(text.utf8)[...]
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "\\") else {
                bytes.append(byte)
                continue
            }
            switch rest.popFirst() {
            case UInt8(ascii: "n"): bytes.append(0x0A)
            case UInt8(ascii: "r"): bytes.append(0x0D)
            case UInt8(ascii: "t"): bytes.append(0x09)
            case UInt8(ascii: "\\"): bytes.append(byte)
            case UInt8(ascii: "x"):
                let digits = String(decoding: rest.prefix(2), as: UTF8.self)
                bytes.append(try #require(UInt8(digits, radix: 16), "\(place): \\x needs two digits"))
                rest = rest.dropFirst(2)
            default: try #require(Bool(false), "\(place): an unknown escape")
            }
        }
        return bytes
    }
}

extension Exchange {
    /// Goes through it on a connection of its own; says what was not as it must be, or nothing.
    func problem(at socket: String) throws -> String? {
        let wire = try Wire(socket)
        for step in steps {
            switch step {
            case .send(let bytes): try wire.send(bytes)
            case .finishSending: wire.finishSending()
            case .reply(let pattern):
                let line = try wire.receiveLine()
                guard let line, JSONNode(line).isLike(pattern) else {
                    return "not like \(pattern): \(line ?? "closed")"
                }
            case .replyContaining(let text):
                let line = try wire.receiveLine()
                guard let line, line.contains(text) else { return "does not contain \(text): \(line ?? "closed")" }
            case .replies(var patterns):
                while !patterns.isEmpty {
                    let line = try wire.receiveLine()
                    guard let line, let index = patterns.firstIndex(where: { JSONNode(line).isLike($0) }) else {
                        return "like none of \(patterns): \(line ?? "closed")"
                    }
                    patterns.remove(at: index)
                }
            case .closed:
                if let line = try wire.receiveLine() { return "not closed: \(line)" }
            }
        }
        if endsClosed { return nil }
        try wire.send(line: #"{"jsonrpc":"2.0","id":"the end","method":"hello"}"#)
        let line = try wire.receiveLine()
        guard let line, JSONNode(line)["id"] == "the end" else { return "not silent and open: \(line ?? "closed")" }
        return nil
    }
}

extension JSONNode {
    /// Whether it has all that the pattern has: `"*"` is any value, and a member that is `"!"` must not be there.
    func isLike(_ pattern: JSONNode) -> Bool {
        switch (pattern, self) {
        case (.string("*"), _): true
        case (.array(let patterns), .array(let elements)):
            patterns.count == elements.count && zip(patterns, elements).allSatisfy { $1.isLike($0) }
        case (.object(let patterns), .object(let members)):
            patterns.allSatisfy { name, pattern in
                if pattern == "!" { return members[name] == nil }
                return members[name].map { $0.isLike(pattern) } ?? false
            }
        default: self == pattern
        }
    }
}
