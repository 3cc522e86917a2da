import Glibc
import Platform
import RPC

/// One client's conversation, and what is wrong with what came back.
struct FuzzedConversation {
    private static let patienceMilliseconds: Int64 = 20_000
    /// For events that nobody waits for.
    private static let subscribedMilliseconds: Int64 = 20
    private static let event = Array(#"{"jsonrpc":"2.0","method":"event","#.utf8)
    private static let subscribed = Array(#""result":{"subscription":"#.utf8)

    let stream: [UInt8]
    let cuts: [Int]

    /// Sends all of it, says that nothing more comes, and reads until the end; returns the first broken rule.
    func problem(at path: String, limits: ConnectionLimits) throws -> String? {
        let descriptor = try UnixSocket.connect(path: path)
        var start = 0
        for end in cuts + [stream.count] {
            guard try send(stream[start..<end], on: descriptor.raw) else { return "it hangs" }
            start = end
        }
        shutdown(descriptor.raw, Int32(SHUT_WR))
        let expected = ExpectedReplies(to: stream, limits: limits)
        var output: [UInt8] = []
        while true {
            // A subscriber that has finished sending stays, since events may come.
            let isServed = Self.isSubscribed(output) && Self.replies(in: output).count >= expected.lines.count
            let patience = isServed ? Self.subscribedMilliseconds : Self.patienceMilliseconds
            guard wait(for: .reading, descriptor.raw, patience) else {
                if isServed { break }
                return "it hangs after \(output.count) bytes"
            }
            guard read(descriptor.raw, &output) else { break }
        }
        return judge(output, expected)
    }

    // MARK: - Private

    private static func replies(in output: [UInt8]) -> [ArraySlice<UInt8>] {
        output.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).dropLast()
            .filter { !$0.starts(with: event) }
    }

    private static func isSubscribed(_ output: [UInt8]) -> Bool {
        replies(in: output).contains { $0.firstRange(of: subscribed) != nil }
    }

    private func wait(
        for direction: BlockingIO.Direction, _ descriptor: Int32, _ patience: Int64 = patienceMilliseconds
    ) -> Bool {
        let deadline = SystemClock.milliseconds(.awake) + patience
        return BlockingIO.wait(for: direction, of: descriptor, until: deadline)
    }

    /// False when the service does not read.
    private func send(_ bytes: ArraySlice<UInt8>, on descriptor: Int32) throws -> Bool {
        var rest = bytes
        while !rest.isEmpty {
            switch rest.withUnsafeBytes({ NonblockingIO.write(descriptor, $0) }) {
            case .data(let count): rest = rest.dropFirst(count)
            case .wouldBlock:
                guard wait(for: .writing, descriptor) else { return false }
            // It was closed, and has said why.
            case .endOfFile: return true
            case .failed(let error): throw error
            }
        }
        return true
    }

    /// False at the end.
    private func read(_ descriptor: Int32, _ output: inout [UInt8]) -> Bool {
        var buffer = [UInt8](repeating: 0, count: 65_536)
        switch buffer.withUnsafeMutableBytes({ NonblockingIO.read(descriptor, into: $0) }) {
        case .data(let count): output += buffer[..<count]
        case .wouldBlock: break
        case .endOfFile, .failed: return false
        }
        return true
    }

    private func judge(_ output: [UInt8], _ expected: ExpectedReplies) -> String? {
        guard output.isEmpty || output.last == UInt8(ascii: "\n") else { return "the last line has no end" }
        var found: [String] = []
        for line in Self.replies(in: output) {
            let text = String(decoding: line, as: UTF8.self)
            guard let document = try? JSONDocument.parse(Array(line), depthLimit: nil) else {
                return "no JSON: \(text)"
            }
            guard let identifiers = Self.identifiers(in: document.root) else { return "no reply: \(text)" }
            found.append(identifiers)
        }
        // Replies may overtake each other.
        guard found.sorted() == expected.lines.sorted() else {
            return "replies with the ids \(found) instead of \(expected.lines)"
        }
        return nil
    }

    /// The ids of a reply or of a batch of them, as JSON; nil when it is not what JSON-RPC says.
    private static func identifiers(in value: JSONValue) -> String? {
        if let members = value.array {
            let identifiers = members.map { identifier(of: $0) }
            guard !identifiers.isEmpty, !identifiers.contains(nil) else { return nil }
            return "[" + identifiers.compactMap(\.self).joined(separator: ",") + "]"
        }
        return identifier(of: value)
    }

    private static func identifier(of reply: JSONValue) -> String? {
        guard reply["jsonrpc"]?.string == "2.0", let identifier = reply["id"],
            (reply["result"] == nil) != (reply["error"] == nil), reply["method"] == nil
        else { return nil }
        if let error = reply["error"] {
            guard error["code"]?.integer != nil, error["message"]?.string?.isEmpty == false,
                error["data"]?["kind"]?.string?.isEmpty == false
            else { return nil }
        }
        return ExpectedReplies.text(of: identifier)
    }
}
