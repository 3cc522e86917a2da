import Foundation
import Testing

/// The JSON corpus as lines of a client: what 03, *Framing*, says of each.
@Suite("The JSON corpus against a real daemon", .timeLimit(.minutes(3)))
struct LiveCorpusTests {
    /// What must come back for one line.
    private enum Answer: Hashable {
        case parseError
        case invalidRequest
        /// So many invalid requests in an array.
        case batch(Int)
        case tooDeep
        /// −32700 and the end.
        case notJSON
        /// Either is right: the corpus leaves it to the reader.
        case parseErrorOrInvalid

        var isEnd: Bool { self == .notJSON || self == .tooDeep }

        func accepts(_ reply: JSONNode) -> Bool {
            let code = reply["error"]["code"]
            switch self {
            case .parseError, .notJSON: return code == -32_700 && reply["id"].isNull
            case .invalidRequest: return code == -32_600
            case .tooDeep: return code == 22 && reply["error"]["data"]["limit"] == "depth"
            case .batch(let count):
                return reply.elements.count == count && reply.elements.allSatisfy { $0["error"]["code"] == -32_600 }
            case .parseErrorOrInvalid:
                return Answer.parseError.accepts(reply) || Answer.invalidRequest.accepts(reply)
                    || (!reply.elements.isEmpty && Answer.batch(reply.elements.count).accepts(reply))
            }
        }
    }

    /// Legal for the RFC, refused here on purpose.
    private static let refusedOnPurpose: Set<String> = [
        "y_object_duplicated_key.json", "y_object_duplicated_key_and_value.json", "y_object_escaped_null_in_key.json",
    ]

    /// Files with LF, line by line; blank ones are left out.
    private static let severalLines: [String: [Answer]] = [
        "n_array_newlines_unclosed.json": [.parseError, .notJSON],
        "n_array_unclosed_with_new_lines.json": [.parseError, .notJSON],
        "n_number_invalid-utf-8-in-int.json": [.parseError],
        "n_object_bracket_key.json": [.parseError],
        "n_string_unescaped_newline.json": [.parseError, .notJSON],
        "n_structure_open_array_object.json": [.tooDeep],
        "y_array_with_1_and_newline.json": [.parseError, .parseError],
        "y_number_double_close_to_zero.json": [.batch(1)],
        "y_object_with_newlines.json": [.parseError, .notJSON],
        "y_structure_trailing_newline.json": [.batch(1)],
    ]

    private static func expected(_ name: String, _ bytes: [UInt8]) -> [Answer] {
        if let answers = severalLines[name] { return answers }
        let text = bytes.drop { [0x20, 0x09, 0x0D].contains($0) }
        guard let first = text.first else { return [] }
        guard first == UInt8(ascii: "{") || first == UInt8(ascii: "[") else { return [.notJSON] }
        if name.contains("100000") || name.contains("500") { return [.tooDeep] }
        if name.hasPrefix("i_") { return [.parseErrorOrInvalid] }
        if name.hasPrefix("n_") || refusedOnPurpose.contains(name) { return [.parseError] }
        guard first == UInt8(ascii: "[") else { return [.invalidRequest] }
        // Foundation does not read this number.
        if name == "y_number_0e1.json" { return [.batch(1)] }
        let elements = JSONNode(String(decoding: bytes, as: UTF8.self)).elements.count
        return [elements == 0 ? .invalidRequest : .batch(elements)]
    }

    @Test("each file gives exactly what the framing says, and the daemon lives on")
    func corpus() async throws {
        let folder = Programs.fixtures.appendingPathComponent("jsontestsuite/test_parsing")
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
        #expect(names.count == 318)
        var counts: [Character: Int] = [:]
        try await ContractTests.withDaemon { scene in
            for name in names {
                let bytes = [UInt8](try Data(contentsOf: folder.appendingPathComponent(name)))
                let expected = Self.expected(name, bytes)
                let wire = try Wire(scene.socket)
                try wire.send(bytes)
                wire.finishSending()
                let replies = try wire.rest()
                let isRight =
                    replies.count == expected.count
                    && zip(expected, replies).allSatisfy { $0.accepts(JSONNode($1)) }
                #expect(isRight, "\(name): \(replies) instead of \(expected)")
                if isRight { counts[name.first ?? " ", default: 0] += 1 }
            }
            #expect(try Wire(scene.socket).ask("status")["result"]["phase"] == "running")
        }
        print(
            "corpus: y \(counts["y"] ?? 0) of 95, n \(counts["n"] ?? 0) of 188, i \(counts["i"] ?? 0) of 35 "
                + "as the framing says, live")
    }

    @Test("a line that ends the connection is the last that is answered")
    func ends() async throws {
        try await ContractTests.withDaemon { scene in
            for line in ["1", "[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[["] {
                let wire = try Wire(scene.socket)
                try wire.send(line: line)
                try wire.send(line: #"{"jsonrpc":"2.0","id":1,"method":"hello"}"#)
                #expect(try wire.rest().count == 1)
            }
        }
    }
}
