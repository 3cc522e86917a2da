import Testing

@testable import RPC

struct ConnectionStateTests {
    struct Exchange: Sendable, CustomTestStringConvertible {
        let lines: String
        let replies: [String]

        init(_ lines: String, _ replies: [String]) {
            self.lines = lines
            self.replies = replies
        }

        var testDescription: String { lines }
    }

    private static func invalidRequest(_ identifier: String, _ message: String) -> String {
        #"{"jsonrpc":"2.0","id":\#(identifier),"error":{"code":-32600,"message":"\#(message)","#
            + #""data":{"kind":"invalidRequest"}}}"#
    }

    static let exchanges = [
        Exchange(
            #"{"jsonrpc":"2.0","id":1,"method":"echo","params":{"a":"é"}}"#,
            [#"{"jsonrpc":"2.0","id":1,"result":{"a":"é"}}"#]),
        Exchange(
            #"{"jsonrpc":"2.0","id":"x\n","method":"echo","params":[42,23]}"#,
            [#"{"jsonrpc":"2.0","id":"x\n","result":[42,23]}"#]),
        Exchange(#"{"jsonrpc":"2.0","id":null,"method":"echo"}"#, [#"{"jsonrpc":"2.0","id":null,"result":null}"#]),
        Exchange(
            #"{"jsonrpc":"2.0","id":2,"method":"fail"}"#,
            [
                #"{"jsonrpc":"2.0","id":2,"error":{"code":11,"message":"Nothing.","#
                    + #""data":{"kind":"noPendingRequest","a":1}}}"#
            ]),
        Exchange(#"{"jsonrpc":"2.0","method":"echo","params":[1]}"#, []),
        Exchange(#"{"jsonrpc":"2.0","method":"missing"}"#, []),
        Exchange(#"{"jsonrpc":"2.0","id":1,"result":19}"#, []),
        Exchange(#"{"jsonrpc":"2.0","id":1,"error":{"code":1,"message":"x"}}"#, []),
        Exchange(
            "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"echo\"}\r\n\r\n{\"jsonrpc\":\"2.0\",\"id\":2,\"method\":\"echo\"}",
            [#"{"jsonrpc":"2.0","id":1,"result":null}"#, #"{"jsonrpc":"2.0","id":2,"result":null}"#]),
        Exchange(
            #"{"jsonrpc":"2.0","method":1,"params":"bar"}"#, [invalidRequest("null", "'method' must be a string.")]),
        Exchange("[]", [invalidRequest("null", "A batch needs at least one request.")]),
        Exchange("[1]", ["[" + invalidRequest("null", "Each member of a batch must be a request object.") + "]"]),
        Exchange(
            "[1,2]",
            [
                "[" + invalidRequest("null", "Each member of a batch must be a request object.") + ","
                    + invalidRequest("null", "Each member of a batch must be a request object.") + "]"
            ]),
        Exchange(
            #"[{"jsonrpc":"2.0","method":"echo","params":[1]},{"jsonrpc":"2.0","method":"missing"}]"#, []),
        Exchange(#"[{"jsonrpc":"2.0","id":1,"result":19}]"#, []),
        Exchange(
            #"[{"jsonrpc":"2.0","id":1,"method":"echo"},{"jsonrpc":"2.0","method":"echo"},"#
                + #"{"jsonrpc":"2.0","id":3,"result":1},{"foo":"boo"},{"jsonrpc":"2.0","id":"9","method":"echo"}]"#,
            [
                #"[{"jsonrpc":"2.0","id":1,"result":null},"# + invalidRequest("null", "'jsonrpc' must be \\\"2.0\\\".")
                    + #",{"jsonrpc":"2.0","id":"9","result":null}]"#
            ]),
    ]

    @Test("each line has exactly its replies", arguments: exchanges)
    func exchange(_ exchange: Exchange) {
        var server = TestServer()
        server.receive(exchange.lines + "\n")
        #expect(server.lines() == exchange.replies)
        #expect(server.state.unansweredCount == 0)
        #expect(server.state.wantsRead)
        #expect(!server.state.shouldClose)
    }

    @Test("the place where a line is cut changes nothing", arguments: exchanges)
    func cut(_ exchange: Exchange) {
        let bytes = Array((exchange.lines + "\n").utf8)
        for place in 0...bytes.count {
            var server = TestServer()
            server.receive(Array(bytes[..<place]))
            server.receive(Array(bytes[place...]))
            #expect(server.lines() == exchange.replies)
        }
        var server = TestServer()
        for byte in bytes { server.receive([byte]) }
        #expect(server.lines() == exchange.replies)
    }

    @Test("a parse error within a line is answered, and the connection stays")
    func parseError() throws {
        var server = TestServer()
        server.receive("{\"a\":1,\"a\":2}\n{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"echo\"}\n")
        let lines = server.lines()
        #expect(lines.count == 2)
        let error = try JSONDocument.parse(Array(lines[0].utf8)).root
        #expect(error["id"]?.isNull == true)
        #expect(error["error"]?["code"]?.integer == -32_700)
        #expect(error["error"]?["data"]?["kind"]?.string == "parseError")
        #expect(error["error"]?["data"]?["member"]?.string == "a")
        #expect(lines[1] == #"{"jsonrpc":"2.0","id":1,"result":null}"#)
        #expect(server.closing.isEmpty)
    }

    @Test("a line that is no JSON is answered at its first byte, and the connection ends")
    func notJSON() {
        var server = TestServer()
        server.receive("{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"echo\"}\nG")
        #expect(server.closing == [.notJSON])
        #expect(!server.state.wantsRead)
        #expect(!server.state.shouldClose)
        let lines = server.lines()
        #expect(lines.count == 2)
        #expect(lines.last?.hasPrefix(#"{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"#) == true)
        #expect(server.state.shouldClose)
        server.receive("{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"echo\"}\n")
        #expect(server.lines().isEmpty)
    }

    @Test("what was accepted before a bad line is still answered before the end")
    func acceptedBeforeBadLine() {
        var server = TestServer()
        server.receive("{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"later\",\"params\":[\"x\"]}\nGET / HTTP/1.1\n")
        #expect(server.lines().count == 1)
        #expect(!server.state.shouldClose)
        server.release("x")
        #expect(server.lines() == [#"{"jsonrpc":"2.0","id":1,"result":"x"}"#])
        #expect(server.state.shouldClose)
    }

    @Test("a half-closed connection gets its replies, and ends after the last")
    func halfClose() {
        var server = TestServer()
        server.receive("{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"later\",\"params\":[\"x\"]}\n")
        server.receive("{\"jsonrpc\":\"2.0\",\"id\":2,\"method\":\"echo\"}")
        #expect(server.lines().isEmpty)
        server.receiveEnd()
        #expect(server.lines() == [#"{"jsonrpc":"2.0","id":2,"result":null}"#])
        #expect(server.closing == [.endOfInput])
        #expect(!server.state.shouldClose)
        server.release("x")
        #expect(!server.state.shouldClose)
        #expect(server.lines() == [#"{"jsonrpc":"2.0","id":1,"result":"x"}"#])
        #expect(server.state.shouldClose)
    }

    @Test("a last line that is incomplete is a parse error", arguments: ["{\"a\"", "[1"])
    func incompleteLastLine(_ text: String) {
        var server = TestServer()
        server.receive(text)
        server.receiveEnd()
        let lines = server.lines()
        #expect(lines.count == 1)
        #expect(lines.first?.contains("-32700") == true)
        #expect(server.state.shouldClose)
    }

    @Test("replies may overtake each other, and each request has only one")
    func overtaking() throws {
        var server = TestServer()
        for name in ["a", "b", "c"] {
            server.receive("{\"jsonrpc\":\"2.0\",\"id\":\"\(name)\",\"method\":\"later\",\"params\":[\"\(name)\"]}\n")
        }
        #expect(server.state.unansweredCount == 3)
        let first = try #require(server.held.first)
        server.release("c")
        server.release("a")
        server.receive("{\"jsonrpc\":\"2.0\",\"id\":\"d\",\"method\":\"later\",\"params\":[\"d\"]}\n")
        let isAccepted = server.state.complete(first.token) { $0.raw(Array("1".utf8)) }
        #expect(!isAccepted)
        server.release("d")
        server.release("b")
        #expect(
            server.lines().map { String($0.dropFirst(#"{"jsonrpc":"2.0","id":"#.count).prefix(3)) }
                == ["\"c\"", "\"a\"", "\"d\"", "\"b\""])
        #expect(server.state.unansweredCount == 0)
    }

    @Test("our own requests get their answers, and only once")
    func ownRequests() throws {
        var server = TestServer()
        let first = server.state.request("task.launch") { $0.object { $0.member("run", "r1") } }
        let second = server.state.request("task.launch")
        server.state.notify("shutdown")
        #expect(
            server.lines() == [
                #"{"jsonrpc":"2.0","id":\#(first),"method":"task.launch","params":{"run":"r1"}}"#,
                #"{"jsonrpc":"2.0","id":\#(second),"method":"task.launch"}"#,
                #"{"jsonrpc":"2.0","method":"shutdown"}"#,
            ])
        for _ in 0..<2 { server.receive(#"{"jsonrpc":"2.0","id":\#(second),"result":{}}"# + "\n") }
        server.receive(#"{"jsonrpc":"2.0","id":777,"result":{}}"# + "\n")
        server.receive(#"{"jsonrpc":"2.0","id":\#(first),"error":{"code":-32601,"message":"What?"}}"# + "\n")
        #expect(server.responses.map { $0.identifier } == [second, first])
        #expect(throws: ResponseError.self) { try server.responses[1].result() }
        #expect(server.lines().isEmpty)
    }

    /// A small generator whose histories can be lived through again.
    private struct Seeded: RandomNumberGenerator {
        var state: UInt64

        mutating func next() -> UInt64 {
            state &+= 0x9E37_79B9_7F4A_7C15
            var mixed = state
            mixed = (mixed ^ mixed >> 30) &* 0xBF58_476D_1CE4_E5B9
            mixed = (mixed ^ mixed >> 27) &* 0x94D0_49BB_1331_11EB
            return mixed ^ mixed >> 31
        }
    }

    @Test(
        "damaged lines are answered with lines of JSON, however they are cut", arguments: 1...200 as ClosedRange<UInt64>
    )
    func damage(_ seed: UInt64) {
        var random = Seeded(state: seed)
        var bytes = Array(Self.exchanges.shuffled(using: &random).map { $0.lines + "\n" }.joined().utf8)
        for _ in 0..<Int.random(in: 1...6, using: &random) {
            let place = Int.random(in: 0..<bytes.count, using: &random)
            switch Int.random(in: 0..<3, using: &random) {
            case 0: bytes[place] = UInt8.random(in: 0...255, using: &random)
            case 1: bytes.remove(at: place)
            default: bytes.insert(contentsOf: "{}[]\",:\\\n".utf8.shuffled(using: &random).prefix(2), at: place)
            }
        }
        var whole = TestServer()
        whole.receive(bytes)
        whole.receiveEnd()
        let lines = whole.lines()
        for line in lines {
            #expect((try? JSONDocument.parse(Array(line.utf8))) != nil, "seed \(seed): \(line)")
        }
        var cut = TestServer()
        var place = 0
        while place < bytes.count {
            let end = min(place + Int.random(in: 1...40, using: &random), bytes.count)
            cut.receive(Array(bytes[place..<end]))
            place = end
        }
        cut.receiveEnd()
        #expect(cut.lines() == lines, "seed \(seed)")
        #expect(cut.notifications == whole.notifications, "seed \(seed)")
        #expect(cut.closing == whole.closing, "seed \(seed)")
        #expect(whole.state.shouldClose && cut.state.shouldClose, "seed \(seed)")
    }
}
