import Testing

@testable import RPC

/// Each limit just under and just over it, and what waits in memory.
struct ConnectionLimitTests {
    private func later(_ count: Int) -> String {
        (0..<count).map { "{\"jsonrpc\":\"2.0\",\"id\":\($0),\"method\":\"later\",\"params\":[\"x\"]}\n" }.joined()
    }

    /// The `data.limit` of a line.
    private func limit(_ line: String?) -> String? {
        guard let line, let root = try? JSONDocument.parse(Array(line.utf8)).root else { return nil }
        #expect(root["error"]?["code"]?.integer == 22)
        #expect(root["error"]?["data"]?["kind"]?.string == "limitExceeded")
        return root["error"]?["data"]?["limit"]?.string
    }

    @Test("the limits are those of the protocol")
    func defaults() {
        let limits = ConnectionLimits()
        #expect(limits.lineBytes == 256 * 1_024)
        #expect(limits.depth == 32)
        #expect(limits.batchRequests == 64)
        #expect(limits.unansweredRequests == 1_024)
        #expect(limits.subscriptions == 16)
        #expect(limits.connections == 256)
        #expect(limits.connectionsPerUser == 64)
        #expect(limits.connectionsKeptForAdmins == 8)
        #expect(limits.outputStallMilliseconds == 30_000)
    }

    @Test("a request that passes a limit of its method is answered, then nothing more is read")
    func methodLimit() throws {
        var server = TestServer()
        server.receive(later(2))
        let last = try #require(server.held.last?.token)
        server.state.complete(last, closingBecause: .limitExceeded(.subscriptions, "Too many."))
        #expect(limit(server.lines().first) == "subscriptions")
        #expect(!server.state.wantsRead)
        // What was asked before still gets its answer.
        #expect(!server.state.shouldClose)
        server.release("x")
        #expect(server.lines().count == 1)
        #expect(server.state.shouldClose)
    }

    @Test("a peer that has said all stays while it is subscribed")
    func subscribedHalfClose() {
        var server = TestServer()
        server.state.isSubscribed = true
        server.receive("{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"echo\",\"params\":[]}\n")
        server.receiveEnd()
        #expect(server.lines().count == 1)
        #expect(!server.state.shouldClose)
        server.state.isSubscribed = false
        #expect(server.state.shouldClose)
    }

    @Test("a line may have 256 KiB and no byte more")
    func line() {
        let frame = "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"echo\",\"params\":[\"\"]}"
        let filling = String(repeating: "x", count: 262_144 - frame.utf8.count)
        let longest = frame.replacing("[\"\"]", with: "[\"\(filling)\"]")
        var server = TestServer()
        server.receive(longest + "\n")
        #expect(server.lines().first?.hasPrefix(#"{"jsonrpc":"2.0","id":1,"result""#) == true)
        server.receive(longest + " ")
        #expect(server.closing == [.limitExceeded(.line)])
        #expect(limit(server.lines().first) == "line")
        #expect(server.state.shouldClose)
    }

    @Test("a line may nest 32 levels and no more")
    func depth() {
        func line(_ levels: Int) -> String {
            let params = String(repeating: "[", count: levels - 1) + String(repeating: "]", count: levels - 1)
            return "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"echo\",\"params\":\(params)}\n"
        }
        var server = TestServer()
        server.receive(line(32))
        #expect(server.lines().first?.contains("result") == true)
        server.receive(line(33))
        #expect(limit(server.lines().first) == "depth")
        #expect(server.closing == [.limitExceeded(.depth)])
        // Neither the line's end nor more of it is waited for, and nothing of it is kept.
        server = TestServer()
        server.receive(String(repeating: "[", count: 32))
        #expect(server.closing == [])
        server.receive("[")
        #expect(limit(server.lines().first) == "depth")
        #expect(server.closing == [.limitExceeded(.depth)])
        server.receive(String(repeating: "[", count: 1_000) + "]\n" + line(1))
        #expect(server.lines() == [])
        #expect(server.state.shouldClose)
    }

    @Test("a batch may have 64 requests and no more")
    func batch() {
        let member = "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"echo\"}"
        var server = TestServer()
        server.receive("[" + Array(repeating: member, count: 64).joined(separator: ",") + "]\n")
        #expect(server.lines().first?.split(separator: "result").count == 65)
        server.receive("[" + Array(repeating: member, count: 65).joined(separator: ",") + "]\n")
        let lines = server.lines()
        #expect(lines.count == 1)
        #expect(limit(lines.first) == "batch")
        #expect(server.closing == [.limitExceeded(.batch)])
    }

    @Test("1,024 requests may wait for replies; one more ends the connection at once")
    func unanswered() {
        var server = TestServer()
        server.receive(later(1_024))
        #expect(server.lines().isEmpty)
        #expect(server.state.unansweredCount == 1_024)
        server.receive("{\"jsonrpc\":\"2.0\",\"id\":\"over\",\"method\":\"echo\"}\n" + later(1))
        let lines = server.lines()
        #expect(lines.count == 1)
        #expect(lines.first?.hasPrefix(#"{"jsonrpc":"2.0","id":"over","error""#) == true)
        #expect(limit(lines.first) == "unanswered")
        #expect(server.closing == [.limitExceeded(.unanswered)])
        #expect(server.state.shouldClose)
    }

    @Test("a batch that would pass the limit is refused whole")
    func unansweredInBatch() {
        var limits = ConnectionLimits()
        limits.unansweredRequests = 3
        let member = "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"later\"}"
        var server = TestServer(limits: limits)
        server.receive(later(1) + "[\(member),\(member)]\n")
        #expect(server.state.unansweredCount == 3)
        server = TestServer(limits: limits)
        server.receive(later(2) + "[\(member),\(member)]\n")
        #expect(server.held.count == 2)
        #expect(limit(server.lines().first) == "unanswered")
    }

    @Test("answered requests do not count, however many come in one read")
    func pipelining() {
        var server = TestServer()
        let line = "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"echo\"}\n"
        server.receive(String(repeating: line, count: 5_000))
        #expect(server.lines().count == 5_000)
        #expect(server.closing.isEmpty)
    }

    @Test("a peer that does not read is not read from, and loses nothing when it reads again")
    func fullOutput() {
        var limits = ConnectionLimits()
        limits.outputBytes = 1_000
        var server = TestServer(limits: limits)
        let filling = String(repeating: "x", count: 300)
        let lines = (0..<20).map {
            "{\"jsonrpc\":\"2.0\",\"id\":\($0),\"method\":\"echo\",\"params\":[\"\(filling)\"]}\n"
        }
        server.receive(lines.joined())
        server.receiveEnd()
        #expect(server.state.outputCount < 2_000)
        #expect(!server.state.wantsRead)
        var replies: [UInt8] = []
        var turns = 0
        while server.state.wantsWrite, turns < 1_000 {
            var room = 97
            server.state.writeOutput { waiting in
                let taken = min(waiting.count, room)
                replies += waiting.prefix(taken)
                room -= taken
                return taken
            }
            server.serve()
            turns += 1
        }
        #expect(String(decoding: replies, as: UTF8.self).split(separator: "\n").count == 20)
        #expect(server.state.shouldClose)
    }

    @Test("a peer that is not let in is told why, and nothing that it sends is read")
    func refusedPeer() {
        var server = TestServer()
        server.state.refuse(with: .limitExceeded(.connections, "Too many connections."))
        server.receive("{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"echo\"}\n")
        #expect(!server.state.shouldClose)
        let lines = server.lines()
        #expect(lines.count == 1)
        #expect(limit(lines.first) == "connections")
        #expect(server.state.shouldClose)
    }

    @Test("a client's depth, not the server's, holds for replies")
    func deepReplies() throws {
        var client = ClientConnectionState()
        _ = client.request("debug")
        let deep = String(repeating: "[", count: 100) + String(repeating: "]", count: 100)
        #expect(try client.receive(Array("{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":\(deep)}\n".utf8)).count == 1)
        let tooDeep = Array(String(repeating: "[", count: ClientConnectionState.defaultDepthLimit + 1).utf8)
        #expect(throws: ClientConnectionState.ProtocolViolation.self) { try client.receive(tooDeep) }
    }
}
