import RPC
import Scheduling
import Storage
import Testing

@testable import Runner

@Suite("Answers and the commit barrier", .timeLimit(.minutes(1)))
struct ControlBarrierTests {
    private static let refresh = #"{"identifier": "com.example.app.refresh"}"#
    private static let later =
        #"{"identifier": "com.example.app.refresh", "earliestBeginDate": "2030-01-01T00:00:00Z"}"#
    private static let cleanLater =
        #"{"identifier": "com.example.app.clean", "earliestBeginDate": "2030-01-01T00:00:00Z"}"#

    @Test(
        "a read that came after an uncommitted change waits for its commit, and shows it",
        arguments: ["pending", "status", "explain", "apps", "device", "doctor", "running"])
    func reads(method: String) async throws {
        let fixture = try await ControlFixture()
        await fixture.engine.settle()
        let client = try fixture.client()
        fixture.engine.store.hold()
        let submit = try client.begin("submit", Self.later)
        await fixture.engine.settle()
        // One commit is under way now; what comes next gathers behind it.
        let second = try client.begin("submit", Self.cleanLater)
        let read = try client.begin(method, method == "explain" ? Self.refresh : nil)
        await fixture.engine.settle()
        #expect(!client.hasInput)
        fixture.engine.store.releaseOne()
        await fixture.engine.settle()
        #expect(try client.response(to: submit).result()["outcome"]?.string == "submitted")
        #expect(!client.hasInput)
        fixture.engine.store.release()
        await fixture.engine.settle()
        let result = try client.response(to: read).result()
        #expect(try client.response(to: second).result()["outcome"]?.string == "submitted")
        switch method {
        case "pending": #expect(result["requests"]?.array?.count == 2)
        case "status": #expect(result["pending"]?.integer == 2)
        case "explain": #expect(result["pending"]?["identifier"]?.string == ControlFixture.refresh)
        default: break
        }
    }

    @Test("hello waits for nothing")
    func hello() async throws {
        let fixture = try await ControlFixture()
        await fixture.engine.settle()
        let client = try fixture.client()
        fixture.engine.store.hold()
        let submit = try client.begin("submit", Self.later)
        _ = try client.result("hello")
        fixture.engine.store.release()
        _ = try client.response(to: submit).result()
    }

    @Test("a commit that fails refuses the change and the reads that saw it, and status shows what is left")
    func failures() async throws {
        let failure = StoreFailure(.full, "The disk is full; make room.")
        let fixture = try await ControlFixture()
        await fixture.engine.settle()
        let client = try fixture.client()
        fixture.engine.store.hold()
        let submit = try client.begin("submit", Self.later)
        let reads = try ["pending", "explain"].map { try client.begin($0, $0 == "explain" ? Self.refresh : nil) }
        let status = try client.begin("status")
        await fixture.engine.settle()
        fixture.engine.store.fail(failure)
        fixture.engine.store.release()
        await fixture.engine.settle()
        for identifier in [submit] + reads {
            let error = try #require(throws: ResponseError.self) { try client.response(to: identifier).result() }
            #expect(error.kind == "storeUnavailable")
        }
        let shown = try client.response(to: status).result()
        #expect(shown["store"]?["state"]?.string == "unavailable")
    }

    @Test("a simulated launch is answered after the commit of its entry")
    func launches() async throws {
        let fixture = try await ControlFixture()
        await fixture.engine.settle()
        let client = try fixture.client()
        let launch = try client.begin("simulateLaunch", #"{"identifier": "com.example.app.refresh", "submit": true}"#)
        await fixture.engine.settle()
        let run = try #require(fixture.engine.host.launches.first)
        fixture.engine.store.hold()
        await fixture.engine.feed(.handlerEntered(run, nil))
        #expect(!client.hasInput)
        fixture.engine.store.release()
        await fixture.engine.settle()
        #expect(try client.response(to: launch).result()["run"]?["state"]?.string == "running")
    }
}
