import Foundation

/// Keeps replies for check_replies.py, which holds them against what the daemon says of itself; does nothing unless
/// `RUNNER_RECORD_REPLIES` names a folder. (`runner_client.py` does the same in Python.)
final class ReplyRecording {
    private static let folder: URL? = {
        let named = ProcessInfo.processInfo.environment["RUNNER_RECORD_REPLIES"] ?? ""
        return named.isEmpty ? nil : URL(fileURLWithPath: named)
    }()

    /// What one connection may take up of the memory; of more than that nothing is kept.
    private static let mostBytes = 16_777_216

    private enum Passed {
        case sent([UInt8])
        case received(String)
    }

    /// The calls with one identifier that have no reply yet.
    private struct Calls {
        var methods: Set<String> = []
        var count = 0
    }

    private let folder: URL?
    private var file: FileHandle?
    /// Looked through at the end, so that no client reads more slowly than it would without.
    private var passed: [Passed] = []
    private var bytes = 0
    /// What was sent of a line whose end was not.
    private var begun: [UInt8] = []
    private var calls: [JSONNode: Calls] = [:]

    /// - Parameter isOn: false for a connection that is not to the control socket.
    init(isOn: Bool = true) {
        folder = isOn ? Self.folder : nil
    }

    deinit {
        if bytes <= Self.mostBytes { for passed in passed { look(at: passed) } }
        try? file?.close()
    }

    // MARK: - Connections

    func sent(_ bytes: [UInt8]) {
        note(.sent(bytes), bytes.count)
    }

    func received(_ line: String) {
        note(.received(line), line.utf8.count)
    }

    private func note(_ item: Passed, _ count: Int) {
        guard folder != nil else { return }
        bytes += count
        if bytes > Self.mostBytes { passed = [] } else { passed.append(item) }
    }

    private func look(at item: Passed) {
        switch item {
        case .sent(let bytes):
            var lines = (begun + bytes).split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
            begun = Array(lines.removeLast())
            for line in lines {
                let message = JSONNode(String(decoding: line, as: UTF8.self))
                for request in message.elements + [message] { noteCall(request) }
            }
        case .received(let line):
            let message = JSONNode(line)
            for reply in message.elements + [message] where reply["method"].isNull { noteReply(reply) }
        }
    }

    private func noteCall(_ request: JSONNode) {
        guard let method = request["method"].text, !request["id"].isNull else { return }
        calls[request["id"], default: Calls()].methods.insert(method)
        calls[request["id"]]?.count += 1
    }

    private func noteReply(_ reply: JSONNode) {
        guard var called = calls[reply["id"]] else { return }
        // Of several methods that wait under one identifier nothing tells which is answered.
        if called.methods.count == 1, let method = called.methods.first { keep(reply, of: method) }
        called.count -= 1
        calls[reply["id"]] = called.count > 0 ? called : nil
    }

    // MARK: - runnerctl

    /// Keeps what `runnerctl --json` showed, which is what the socket gave, if it was a method that it called.
    static func keep(_ outcome: Command.Outcome, of arguments: [String]) {
        guard folder != nil, arguments.contains("--json"), !arguments.contains("--summary"),
            let method = method(of: arguments)
        else { return }
        let (result, error) = (outcome.json, JSONNode(outcome.errors))
        let recording = ReplyRecording()
        if !result.isNull {
            recording.keep(["result": result], of: method)
        } else if !error["code"].isNull {
            recording.keep(["error": error], of: method)
        }
    }

    /// The method that a command line calls; `nil` when it is another command.
    private static func method(of arguments: [String]) -> String? {
        let words = arguments.drop { $0 == "--json" }.prefix { !$0.hasPrefix("-") }
        guard let first = words.first else { return nil }
        switch first {
        case "sockets", "replay", "manifest", "completions", "events", "help", "torture", "progress", "simulate",
            "timeline":
            return nil
        case "call": return words.dropFirst().first
        case "app", "store", "rpc": return words.prefix(2).map(camel).joined(separator: ".")
        case "device" where words.count > 1: return words.prefix(2).map(camel).joined(separator: ".")
        default: return camel(first)
        }
    }

    /// `simulate-launch` as the protocol has it.
    private static func camel(_ word: String) -> String {
        let parts = word.split(separator: "-")
        return parts.prefix(1).joined() + parts.dropFirst().map { $0.capitalized }.joined()
    }

    // MARK: - Private

    private func keep(_ reply: JSONNode, of method: String) {
        guard let folder, let line = try? JSONEncoder().encode(["method": .string(method), "reply": reply] as JSONNode)
        else { return }
        if file == nil {
            let url = folder.appendingPathComponent("\(UUID().uuidString).jsonl")
            try? Data().write(to: url)
            file = try? FileHandle(forWritingTo: url)
        }
        try? file?.write(contentsOf: line + Data("\n".utf8))
    }
}
