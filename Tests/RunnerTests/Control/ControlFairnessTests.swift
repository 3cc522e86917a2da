import Dispatch
import Platform
import RPC
import Scheduling
import Testing

@testable import Runner

@Suite("What one client of the control socket can take from the others", .timeLimit(.minutes(1)))
struct ControlFairnessTests {
    private static let pause = #"{"jsonrpc":"2.0","method":"pause"}"# + "\n"

    @Test("thousands of requests at once are served a share a turn, so that others come in between")
    func share() async throws {
        let fixture = try await ControlFixture()
        let (busy, other) = (try fixture.client(), try fixture.client())
        for client in [busy, other] { _ = try client.result("hello") }
        // Both are there when the loop looks again, the busy one first.
        let held = await fixture.engine.engine.holdLoop()
        // Few enough bytes to be read at once.
        let running = #"{"jsonrpc":"2.0","method":"running"}"# + "\n"
        try busy.send(String(repeating: running, count: 400) + Self.pause)
        let status = try other.begin("status")
        held.signal()
        #expect(try other.response(to: status).outcome.result?["paused"]?.bool == false)
        // It is served to its end all the same.
        await fixture.engine.settle()
        while try other.result("status")["paused"]?.bool == false {}
    }

    @Test("a client that goes has all done that it sent before", arguments: ["status", "history"])
    func goes(method: String) async throws {
        let fixture = try await ControlFixture()
        let client = try fixture.client()
        let held = await fixture.engine.engine.holdLoop()
        // Its answers find nobody.
        let request = #"{"jsonrpc":"2.0","id":1,"method":"\#(method)"}"# + "\n"
        try client.send(String(repeating: request, count: 1_000) + Self.pause)
        client.close()
        held.signal()
        let other = try fixture.client()
        while try other.result("status")["paused"]?.bool == false {}
        #expect(await fixture.engine.engine.connectionCount == 1)
    }

    @Test("the store's answers wait for room in the output of a client that does not read")
    func questions() async throws {
        var limits = ConnectionLimits()
        limits.outputBytes = 4_096
        let fixture = try await ControlFixture(limits: limits)
        let run = try await fixture.running()
        await fixture.engine.feed(.processExited(run, .code(0)))
        let client = try fixture.client()
        // More than may be unanswered, since most are not taken in before there is room.
        let count = 1_500
        // In one write, since the service soon stops reading.
        try client.send((0..<count).map { #"{"jsonrpc":"2.0","id":\#($0),"method":"history"}"# + "\n" }.joined())
        await fixture.engine.settle()
        let other = try fixture.client()
        for _ in 0..<50 { _ = try other.result("history") }
        #expect(await fixture.engine.engine.largestOutput < 8_192)
        for identifier in 0..<count { #expect(try client.receiveJSON()["id"]?.integer == Int64(identifier)) }
    }

    @Test("answers that wait for a commit are bounded, and all come after it, in order")
    func heldAnswers() async throws {
        var limits = ConnectionLimits()
        limits.outputBytes = 4_096
        let fixture = try await ControlFixture(limits: limits)
        let client = try fixture.client()
        _ = try client.result("hello")
        fixture.engine.store.hold()
        let count = 500
        let requests = (0..<count).map { #"{"jsonrpc":"2.0","id":\#($0),"method":"status"}"# + "\n" }
        try client.send(Self.pause + requests.joined())
        await fixture.engine.settle()
        let waiting = await fixture.engine.engine.mostUnanswered
        #expect(waiting > 0 && waiting < 50)
        fixture.engine.store.release()
        for identifier in 0..<count { #expect(try client.receiveJSON()["id"]?.integer == Int64(identifier)) }
    }
}

extension Engine {
    /// Keeps the loop busy until the semaphore is signalled.
    func holdLoop() -> DispatchSemaphore {
        let held = DispatchSemaphore(value: 0)
        inbox.post(.body { _ in held.wait() })
        return held
    }

    var largestOutput: Int { control?.connections.values.map(\.state.outputCount).max() ?? 0 }
    var mostUnanswered: Int { control?.connections.values.map(\.state.unansweredCount).max() ?? 0 }
}

extension Response.Outcome {
    fileprivate var result: JSONValue? {
        if case .result(let value) = self { value } else { nil }
    }
}
