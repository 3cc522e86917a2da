import Glibc
import Platform
import RPC
import Scheduling
import Storage
import TestSupport
import Testing

@testable import Runner

@Suite("Connections of the control socket", .timeLimit(.minutes(1)))
struct ControlConnectionTests {
    private static let later = #"{"identifier": "com.example.app.clean", "earliestBeginDate": "2030-01-01T00:00:00Z"}"#

    @Test("notifications are done and never answered, not even with errors")
    func notifications() async throws {
        let fixture = try await ControlFixture()
        let client = try fixture.client()
        try client.notify("submit", Self.later)
        try client.notify("submit", #"{"identifier": 5}"#)
        try client.notify("nothing")
        let pending = try client.result("pending")
        #expect(pending["requests"]?.array?.count == 1)
        #expect(!client.hasInput)
    }

    @Test("a batch is answered as one, in its order, when the last of its members is done")
    func batches() async throws {
        let fixture = try await ControlFixture()
        let run = try await fixture.running()
        let client = try fixture.client()
        try client.send(
            [
                #"[{"jsonrpc": "2.0", "id": "w", "method": "wait", "params": {"run": \#(run.number)}}"#,
                #"{"jsonrpc": "2.0", "method": "pause"}"#, #"{"jsonrpc": "2.0", "id": 2, "method": "status"}"#, "5",
                #"{"jsonrpc": "2.0", "id": null, "method": "nothing"}]"#,
            ].joined(separator: ", ") + "\n")
        await fixture.engine.settle()
        #expect(!client.hasInput)
        // Those that do not wait are done meanwhile.
        #expect(await fixture.engine.engine.scheduler.isPaused)
        await fixture.engine.feed(.processExited(run, .code(0)))
        let replies = try #require(try client.receiveJSON().array)
        try #require(replies.count == 4)
        #expect(replies[0]["id"]?.string == "w")
        #expect(replies[0]["result"]?["run"]?["state"]?.string == "succeeded")
        #expect(replies[1]["id"]?.integer == 2)
        #expect(replies[1]["result"]?["paused"]?.bool == true)
        #expect(replies[2]["error"]?["code"]?.integer == -32_600)
        #expect(replies[3]["id"]?.isNull == true)
        #expect(replies[3]["error"]?["code"]?.integer == -32_601)
    }

    @Test("a client that has said all still gets its replies, then the end")
    func halfClose() async throws {
        let fixture = try await ControlFixture()
        let run = try await fixture.running()
        let client = try fixture.client()
        let wait = try client.begin("wait", #"{"run": \#(run.number)}"#)
        // The last line may come without its end.
        try client.send(#"{"jsonrpc": "2.0", "id": 77, "method": "status"}"#)
        client.finishSending()
        await fixture.engine.settle()
        #expect(try client.receiveJSON()["id"]?.integer == 77)
        await fixture.engine.feed(.processExited(run, .code(0)))
        #expect(try client.receiveJSON()["id"]?.integer == wait)
        #expect(try client.receiveLine() == nil)
        #expect(await fixture.engine.engine.connectionCount == 0)
    }

    @Test("a client that goes frees its waits, also when it had said all before", arguments: [false, true])
    func goes(halfClosed: Bool) async throws {
        let fixture = try await ControlFixture()
        let run = try await fixture.running()
        let client = try fixture.client()
        _ = try client.begin("wait", #"{"run": \#(run.number)}"#)
        if halfClosed { client.finishSending() }
        await fixture.engine.settle()
        #expect(await fixture.engine.engine.waitCount == 1)
        client.close()
        await fixture.engine.settle()
        #expect(await fixture.engine.engine.waitCount == 0)
        #expect(await fixture.engine.engine.connectionCount == 0)
        await fixture.engine.feed(.processExited(run, .code(0)))
        #expect(try fixture.client().result("status")["running"]?.integer == 0)
    }

    @Test("a client that is gone before its request is answered changes nothing about the request (B15)")
    func goneBeforeTheAnswer() async throws {
        let fixture = try await ControlFixture()
        await fixture.engine.settle()
        fixture.engine.store.hold()
        let client = try fixture.client()
        _ = try client.begin("submit", Self.later)
        await fixture.engine.settle()
        client.close()
        await fixture.engine.settle()
        fixture.engine.store.release()
        await fixture.engine.settle()
        #expect(try fixture.engine.store.memory.load().requests.count == 1)
    }

    @Test("a client that never reads is closed after 30 seconds without progress, and slows nobody")
    func stalls() async throws {
        let fixture = try await ControlFixture()
        let (lazy, keen) = (try fixture.client(), try fixture.client())
        let requests = (1...1_000).map { #"{"jsonrpc": "2.0", "id": \#($0), "method": "hello"}"# + "\n" }
        try lazy.send(requests.joined())
        await fixture.engine.settle()
        _ = try keen.result("status")
        let end = VirtualClock.start.boot.advanced(by: .seconds(30))
        #expect(fixture.engine.clock.wakeup.boot == end)
        await fixture.engine.advance(by: .milliseconds(29_999))
        #expect(await fixture.engine.engine.connectionCount == 2)

        // Any progress begins the time anew. The kernel lets more in only when most of its buffer is empty.
        for _ in 0..<5 { _ = try lazy.receive() }
        await fixture.engine.settle()
        #expect(fixture.engine.clock.wakeup.boot == end.advanced(by: .milliseconds(29_999)))
        await fixture.engine.advance(by: .milliseconds(29_999))
        #expect(await fixture.engine.engine.connectionCount == 2)
        await fixture.engine.advance(by: .milliseconds(1))
        #expect(await fixture.engine.engine.connectionCount == 1)
        #expect(fixture.engine.clock.wakeup.boot == nil)
        _ = try keen.result("status")
    }

    @Test("requests that wait for room in the output are all answered, in order")
    func floods() async throws {
        let fixture = try await ControlFixture()
        let client = try fixture.client()
        let count = 4_000
        let writer = Task.detached { [descriptor = client.descriptor] in
            // First what fills the output, then what is answered with little.
            let lines = (1...count).map { number in
                let method = number <= 1_500 ? "hello" : "nothing"
                return #"{"jsonrpc":"2.0","id":\#(number),"method":"\#(method)"}"# + "\n"
            }
            return Array(lines.joined().utf8).withUnsafeBytes { BlockingIO.writeAll(descriptor.raw, $0) }
        }
        // Only when the output is full is the client's own end read.
        await fixture.engine.settle()
        for number in 1...count {
            let reply = try client.receiveJSON()
            guard reply["id"]?.integer == Int64(number) else {
                Issue.record("reply \(number) is missing")
                return
            }
        }
        guard case .data = await writer.value else {
            Issue.record("not everything could be written")
            return
        }
    }

    @Test("so many clients and no more can be connected, and one that goes makes room")
    func connections() async throws {
        var limits = ConnectionLimits()
        limits.connections = 3
        limits.connectionsKeptForAdmins = 1
        let fixture = try await ControlFixture(limits: limits)
        let clients = try (0..<3).map { _ in try fixture.client() }
        for client in clients { _ = try client.result("status") }
        let surplus = try fixture.client()
        let reply = try surplus.receiveJSON()
        #expect(reply["id"]?.isNull == true)
        #expect(reply["error"]?["code"]?.integer == 22)
        #expect(reply["error"]?["data"]?["limit"]?.string == "connections")
        #expect(try surplus.receiveLine() == nil)
        clients[0].close()
        await fixture.engine.settle()
        _ = try fixture.client().result("status")
    }

    @Test("the socket's file goes with the service")
    func files() async throws {
        let fixture = try await ControlFixture()
        let client = try fixture.client()
        _ = try client.result("status")
        await fixture.engine.engine.closeControl()
        #expect(try client.receiveLine() == nil)
        #expect(PlainFile.names(in: fixture.folder.path).isEmpty)
    }
}
