import RPC
import Scheduling
import Testing

@testable import Runner

@Suite("Calls that wait", .timeLimit(.minutes(1)))
struct ControlWaitTests {
    private static let other = try! AppIdentifier("com.example.other")
    private static let task = try! TaskIdentifier("com.example.other.task")

    /// An app whose handler is registered, and whose launch is not finished.
    private func fixtureWithUnlaunchedApp() async throws -> ControlFixture {
        let fixture = try await ControlFixture()
        await fixture.engine.feed(
            .appLoaded(
                AppDescription(
                    app: Self.other, host: .embedded, permitted: [.exact(Self.task)], modes: [.fetch], tasks: [])))
        let registration = HandlerRegistration(
            identifier: Self.task.text, app: Self.other, kind: .appRefresh, origin: "Main.swift:1")
        await fixture.engine.feed(.handlerRegistered(registration, call: CallIdentifier(0)))
        return fixture
    }

    @Test("what waits holds up nothing else of its connection, and its answers find it by their numbers")
    func nothingIsHeldUp() async throws {
        let fixture = try await ControlFixture()
        let run = try await fixture.running()
        let client = try fixture.client()
        let wait = try client.begin("wait", #"{"run": \#(run.number)}"#)
        let launch = try client.begin(
            "simulateLaunch", #"{"identifier": "com.example.app.clean", "submit": true, "wait": true}"#)
        let expiration = try client.begin(
            "simulateExpiration", #"{"identifier": "com.example.app.refresh", "wait": true}"#)
        let stop = try client.begin("stop", #"{"identifier": "com.example.app.refresh", "wait": true}"#)
        #expect(try client.result("status")["running"]?.integer == 2)
        #expect(try client.result("running")["runs"]?.array?.count == 2)
        let second = try #require(fixture.engine.host.launches.last)
        await fixture.engine.feed(.handlerEntered(second, nil))
        #expect(!client.hasInput)
        await fixture.engine.feed(.processExited(second, .code(0)))
        #expect(try client.response(to: launch).result()["run"]?["run"]?.integer == second.number)
        #expect(!client.hasInput)
        await fixture.engine.feed(.processExited(run, .code(0)))
        for identifier in [expiration, wait, stop] {
            #expect(try client.response(to: identifier).result()["run"]?["run"]?.integer == run.number)
        }
        #expect(await fixture.engine.engine.callCount == 0)
        #expect(await fixture.engine.engine.waitCount == 0)
    }

    @Test("a notification waits for nothing, however many come")
    func notifications() async throws {
        let fixture = try await ControlFixture()
        let run = try await fixture.running()
        let client = try fixture.client()
        for _ in 0..<100 { try client.notify("wait", #"{"run": \#(run.number)}"#) }
        try client.notify("stop", #"{"identifier": "com.example.app.refresh", "wait": true}"#)
        #expect(try client.result("running")["runs"]?.array?.first?["state"]?.string == "expiring")
        #expect(await fixture.engine.engine.waitCount == 0)
    }

    @Test("a launch that waits for its app is freed with its client, and does not happen")
    func queuedLaunches() async throws {
        let fixture = try await fixtureWithUnlaunchedApp()
        let (client, other) = (try fixture.client(), try fixture.client())
        let params = #"{"identifier": "com.example.other.task", "submit": true}"#
        _ = try client.begin("simulateLaunch", params)
        let kept = try other.begin("simulateLaunch", params)
        _ = try client.result("status")
        _ = try other.result("status")
        #expect(await fixture.engine.engine.scheduler.figures.simulationsAwaitingLaunch == 2)
        #expect(await fixture.engine.engine.callCount == 2)
        client.close()
        await fixture.engine.settle()
        #expect(await fixture.engine.engine.scheduler.figures.simulationsAwaitingLaunch == 1)
        #expect(await fixture.engine.engine.callCount == 1)
        await fixture.engine.feed(.launchFinished(Self.other))
        let run = try #require(fixture.engine.host.launches.first)
        #expect(fixture.engine.host.launches.count == 1)
        await fixture.engine.feed(.handlerEntered(run, nil))
        #expect(try other.response(to: kept).result()["run"]?["state"]?.string == "running")
        #expect(await fixture.engine.engine.scheduler.figures.simulationsAwaitingLaunch == 0)
    }

    @Test("the answer to a launch is given up with its client, and the run goes on")
    func startedLaunches() async throws {
        let fixture = try await ControlFixture()
        let client = try fixture.client()
        _ = try client.begin(
            "simulateLaunch", #"{"identifier": "com.example.app.refresh", "submit": true, "wait": true}"#)
        _ = try client.result("status")
        #expect(await fixture.engine.engine.callCount == 1)
        client.close()
        await fixture.engine.settle()
        #expect(await fixture.engine.engine.callCount == 0)
        let run = try #require(fixture.engine.host.launches.first)
        await fixture.engine.feed(.handlerEntered(run, nil))
        #expect(await fixture.engine.engine.waitCount == 0)
        #expect(try fixture.client().result("running")["runs"]?.array?.count == 1)
    }

    @Test("a call that waits for a commit is given up with its client, what it asked for is not (B15)")
    func commits() async throws {
        let fixture = try await ControlFixture()
        await fixture.engine.settle()
        let client = try fixture.client()
        fixture.engine.store.hold()
        _ = try client.begin("submit", #"{"identifier": "com.example.app.refresh"}"#)
        _ = try client.result("hello")
        #expect(await fixture.engine.engine.callCount == 1)
        client.close()
        await fixture.engine.settle()
        #expect(await fixture.engine.engine.callCount == 0)
        fixture.engine.store.release()
        await fixture.engine.settle()
        #expect(fixture.engine.host.launches.count == 1)
    }
}
