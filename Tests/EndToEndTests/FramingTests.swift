import Foundation
import Testing

@Suite("Lines of the control socket, however they are cut", .timeLimit(.minutes(2)))
struct FramingTests {
    /// Letters of one to four bytes, CRLF, blank lines, a batch, a parse error, and a last line without LF.
    private static let stream =
        #"{"jsonrpc":"2.0","id":"aé€😀","method":"hello"}"# + "\r\n\n \t\r\n"
        + #"[{"jsonrpc":"2.0","id":2,"method":"hello"},5]"# + "\n{]\n"
        + #"{"jsonrpc":"2.0","id":3,"method":"nothing","params":["é"]}"#

    private func replies(_ scene: Scene, _ send: (Wire) throws -> Void) throws -> [String] {
        let wire = try Wire(scene.socket)
        try send(wire)
        wire.finishSending()
        return try wire.rest()
    }

    @Test("one write, one byte a write, and a cut at every place give the same replies")
    func cuts() async throws {
        let bytes = Array(Self.stream.utf8)
        try await ContractTests.withDaemon { scene in
            let whole = try replies(scene) { try $0.send(bytes) }
            try #require(whole.count == 4)
            #expect(JSONNode(whole[0])["id"] == "aé€😀")
            #expect(JSONNode(whole[1]).elements.count == 2)
            #expect(JSONNode(whole[2])["error"]["code"] == -32_700)
            #expect(JSONNode(whole[3])["error"]["code"] == -32_601)
            #expect(try replies(scene) { wire in for byte in bytes { try wire.send([byte]) } } == whole)
            for cut in 1..<bytes.count {
                let cutReplies = try replies(scene) { wire in
                    try wire.send(bytes[..<cut])
                    // The daemon has read so far when another client is answered.
                    _ = try Wire(scene.socket).ask("hello")
                    try wire.send(bytes[cut...])
                }
                #expect(cutReplies == whole, "cut at \(cut)")
            }
        }
    }

    @Test("thousands of requests in one write are all answered, in order")
    func pipeline() async throws {
        try await ContractTests.withDaemon { scene in
            let count = 5_000
            let wire = try Wire(scene.socket)
            let lines = (0..<count).map { #"{"jsonrpc":"2.0","id":\#($0),"method":"running"}"# }
            // The replies fill the output meanwhile, and nobody reads them yet.
            let (bytes, descriptor) = (Array((lines.joined(separator: "\n") + "\n").utf8), wire.descriptor)
            Thread { try? Wire.send(bytes, on: descriptor) }.start()
            for id in 0..<count { #expect(try wire.receive()["id"].integer == id) }
        }
    }

    @Test("a client that sends and goes has its requests done, however many they are")
    func sendsAndGoes() async throws {
        try await ContractTests.withDaemon { scene in
            let wire = try Wire(scene.socket)
            for _ in 0..<500 { try wire.send(line: #"{"jsonrpc":"2.0","method":"running"}"#) }
            for _ in 0..<200 { try wire.send(line: #"{"jsonrpc":"2.0","id":1,"method":"running"}"#) }
            try wire.send(
                line:
                    #"{"jsonrpc":"2.0","method":"submit","params":["com.example.contract.clean",null,"2190-01-01T00:00:00Z"]}"#
            )
            wire.close()
            let other = try Wire(scene.socket)
            for _ in 0..<200 {
                if try !other.ask("pending")["result"]["requests"].elements.isEmpty { return }
            }
            Issue.record("the request of a client that went was not done")
        }
    }
}
