import Testing

@testable import RPC

struct BatchTests {
    private func member(_ identifier: String?, _ method: String, _ name: String = "") -> String {
        let id = identifier.map { "\"id\":\($0)," } ?? ""
        return "{\"jsonrpc\":\"2.0\",\(id)\"method\":\"\(method)\",\"params\":[\"\(name)\"]}"
    }

    private func result(_ identifier: String, _ value: String) -> String {
        "{\"jsonrpc\":\"2.0\",\"id\":\(identifier),\"result\":\(value)}"
    }

    private func line(_ members: String...) -> String { "[" + members.joined(separator: ",") + "]\n" }

    static let orders = [
        ["a", "b", "c"], ["a", "c", "b"], ["b", "a", "c"], ["b", "c", "a"], ["c", "a", "b"], ["c", "b", "a"],
    ]

    @Test("the replies have the order of the requests, in whatever order they come", arguments: orders)
    func order(_ order: [String]) {
        var server = TestServer()
        server.receive(
            line(
                member("1", "later", "a"), member(nil, "later", "n"), member("2", "later", "b"),
                member("3", "echo", "now"), member("4", "later", "c")))
        #expect(server.notifications == ["later"])
        #expect(server.held.map { $0.name } == ["a", "b", "c"])
        for name in order {
            #expect(server.lines().isEmpty)
            server.release(name)
        }
        let replies = [
            result("1", "\"a\""), result("2", "\"b\""), result("3", "[\"now\"]"), result("4", "\"c\""),
        ]
        #expect(server.lines() == ["[" + replies.joined(separator: ",") + "]"])
        #expect(server.state.unansweredCount == 0)
    }

    @Test("batches and single requests do not wait for each other")
    func mixed() {
        var server = TestServer()
        server.receive(line(member("1", "later", "a"), member("2", "later", "b")))
        server.receive(line(member("3", "later", "c")))
        server.receive(member("4", "echo", "x") + "\n")
        #expect(server.lines() == [result("4", "[\"x\"]")])
        server.release("b")
        server.release("c")
        #expect(server.lines() == ["[" + result("3", "\"c\"") + "]"])
        server.release("a")
        #expect(server.lines() == ["[" + result("1", "\"a\"") + "," + result("2", "\"b\"") + "]"])
    }

    @Test("errors stand in their place")
    func errors() throws {
        var server = TestServer()
        server.receive(line(member("1", "fail"), "{\"x\":1}", member("2", "missing"), member("3", "echo", "x")))
        let lines = server.lines()
        #expect(lines.count == 1)
        let reply = try JSONDocument.parse(Array(lines.joined().utf8)).root
        let replies = try #require(reply.array)
        #expect(replies.map { $0["error"]?["code"]?.integer } == [11, -32_600, -32_601, nil])
        #expect(replies.map { $0["id"]?.integer } == [1, nil, 2, 3])
    }

    @Test("a half-closed connection waits for its batch")
    func halfClose() {
        var server = TestServer()
        server.receive(line(member("1", "later", "a"), member("2", "later", "b")))
        server.receiveEnd()
        server.release("a")
        #expect(!server.state.shouldClose)
        #expect(server.lines().isEmpty)
        server.release("b")
        #expect(server.lines().count == 1)
        #expect(server.state.shouldClose)
    }
}
