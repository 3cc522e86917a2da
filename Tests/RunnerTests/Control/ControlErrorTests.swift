import Platform
import RPC
import Scheduling
import Storage
import Testing

@testable import Runner

@Suite("What the control socket refuses", .timeLimit(.minutes(1)))
struct ControlErrorTests {
    private static let refresh = #"{"identifier": "com.example.app.refresh"}"#

    /// An app without background modes, and one task of it without a handler.
    private static let bare = AppDescription(
        app: try! AppIdentifier("com.example.bare"), host: .commands,
        permitted: [
            .exact(try! TaskIdentifier("com.example.bare.task")), .exact(try! TaskIdentifier("com.example.bare.none")),
            .exact(try! TaskIdentifier("com.example.bare.export")),
        ],
        modes: [],
        tasks: [
            TaskSettings(identifier: try! TaskIdentifier("com.example.bare.task"), kind: .appRefresh, hasCommand: true),
            TaskSettings(
                identifier: try! TaskIdentifier("com.example.bare.export"), kind: .continuedProcessing,
                hasCommand: true),
        ])

    struct Refused: CustomTestStringConvertible, Sendable {
        var method: String
        var params: String?
        var code: Int
        var kind: String
        /// What the sentence names.
        var names: String

        init(_ method: String, _ params: String?, _ code: Int, _ kind: String, naming names: String) {
            self.method = method
            self.params = params
            self.code = code
            self.kind = kind
            self.names = names
        }

        var testDescription: String { "\(method) \(params ?? "") → \(kind)" }
    }

    @Test(
        "each refusal has its code, its kind and a sentence that names what is meant",
        arguments: [
            Refused("simulatelaunch", nil, -32_601, "methodNotFound", naming: "simulateLaunch"),
            Refused("cancel", nil, -32_602, "invalidParams", naming: "identifier"),
            Refused("cancel", #"{"identifer": "a.b"}"#, -32_602, "invalidParams", naming: "identifer"),
            Refused("cancel", #"{"identifier": 5}"#, -32_602, "invalidParams", naming: "identifier"),
            Refused("cancel", #"["a.b", "c.d"]"#, -32_602, "invalidParams", naming: "1 at most"),
            Refused(
                "submit", #"{"identifier": "com.example.app.refresh", "kind": "apprefresh"}"#, -32_602,
                "invalidParams", naming: "appRefresh"),
            Refused(
                "submit", #"{"identifier": "com.example.app.refresh", "earliestBeginDate": "tomorrow"}"#, -32_602,
                "invalidParams", naming: "earliestBeginDate"),
            Refused("history", #"{"limit": 1001}"#, -32_602, "invalidParams", naming: "limit"),
            Refused("history", #"{"before": "x"}"#, -32_602, "invalidParams", naming: "before"),
            Refused("device.history", #"{"limit": 1001}"#, -32_602, "invalidParams", naming: "limit"),
            Refused("device.history", #"{"before": "x"}"#, -32_602, "invalidParams", naming: "before"),
            Refused("device.history", #"{"condition": "power"}"#, -32_602, "invalidParams", naming: "externalPower"),
            Refused("stop", "{}", -32_602, "invalidParams", naming: "identifier"),
            Refused("log", "{}", -32_602, "invalidParams", naming: "run"),
            Refused(
                "device.override", #"{"condition": "network", "value": true}"#, -32_602, "invalidParams",
                naming: "unmetered"),
            Refused("hello", #"{"protocols": [2]}"#, -32_602, "invalidParams", naming: "protocols"),
            Refused(
                "submit", #"{"identifier": "com.example.app.refrehs"}"#, 3, "notPermitted",
                naming: "com.example.app.refresh"),
            Refused(
                "submit", #"{"identifier": "com.example.bare.none"}"#, 10, "notRegistered",
                naming: "com.example.bare.none"),
            Refused(
                "submit", #"{"identifier": "com.example.bare.export", "title": "Export", "strategy": "fail"}"#, 4,
                "immediateRunIneligible", naming: "com.example.bare.export"),
            Refused("submit", #"{"identifier": "a..b"}"#, 14, "invalidIdentifier", naming: "a..b"),
            Refused(
                "submit", #"{"identifier": "com.example.app.refresh", "earliestBeginDate": "2200-01-02T00:00:00Z"}"#,
                14, "invalidDate", naming: "2200"),
            Refused(
                "submit", #"{"identifier": "com.example.bare.task"}"#, 15, "backgroundModeMissing", naming: "fetch"),
            Refused(
                "submit", #"{"identifier": "com.example.app.refresh", "kind": "processing"}"#, 18, "kindMismatch",
                naming: "appRefresh"),
            Refused("simulateLaunch", refresh, 11, "noPendingRequest", naming: "submit"),
            Refused("simulateExpiration", refresh, 13, "notRunning", naming: "com.example.app.refresh"),
            Refused("stop", refresh, 13, "notRunning", naming: "com.example.app.refresh"),
            Refused("run", #"{"run": 99}"#, 16, "noSuchRun", naming: "99"),
            Refused("wait", #"{"run": 99}"#, 16, "noSuchRun", naming: "99"),
            Refused("log", #"{"run": 99}"#, 16, "noSuchRun", naming: "99"),
            Refused("stop", #"{"run": 99}"#, 16, "noSuchRun", naming: "99"),
            Refused("log", #"{"app": "com.example.app", "after": "x"}"#, -32_602, "invalidParams", naming: "after"),
            Refused("pending", #"{"app": "com.example.ap"}"#, 16, "noSuchApp", naming: "com.example.app"),
            Refused("cancelAll", #"{"app": "com.example.ap"}"#, 16, "noSuchApp", naming: "com.example.app"),
            Refused("pause", #"{"app": "com.example.ap"}"#, 16, "noSuchApp", naming: "com.example.app"),
            Refused("app.opened", #"{"app": "com.example.ap"}"#, 16, "noSuchApp", naming: "com.example.app"),
        ])
    func refuses(_ refused: Refused) async throws {
        var policy = Policy.prompt
        policy.concurrency = 0
        let fixture = try await ControlFixture(policy: policy)
        await fixture.engine.feed(.appLoaded(Self.bare))
        let client = try fixture.client()
        let error = try client.error(refused.method, refused.params)
        #expect(error.code == refused.code)
        #expect(error.kind == refused.kind)
        #expect(error.message.contains(refused.names), "\(error.message)")
        #expect(await fixture.engine.engine.scheduler.pendingCount == 0)
    }

    @Test("a run that goes on is alreadyRunning, with the run")
    func alreadyRunning() async throws {
        let fixture = try await ControlFixture()
        let run = try await fixture.running()
        let error = try fixture.client().error(
            "simulateLaunch", #"{"identifier": "com.example.app.refresh", "submit": true}"#)
        #expect(error.code == 12)
        #expect(error.kind == "alreadyRunning")
        #expect(error.data?["run"]?["run"]?.integer == run.number)
    }

    @Test("full slots name what fills them")
    func tooMany() async throws {
        var policy = Policy.prompt
        policy.limits.allPerApp = 1
        let fixture = try await ControlFixture(policy: policy)
        _ = await fixture.engine.submit(EngineFixture.clean, after: .seconds(60))
        let error = try fixture.client().error("submit", Self.refresh)
        #expect(error.code == 2)
        #expect(error.kind == "tooManyPendingTaskRequests")
        #expect(error.data?["related"]?.array?.compactMap(\.string) == [ControlFixture.clean])
    }

    @Test("a refresh switch that is off is unavailable, under a policy that has one")
    func unavailable() async throws {
        var policy = Policy.prompt
        policy.gates.refreshSwitch = true
        let fixture = try await ControlFixture(policy: policy)
        let client = try fixture.client()
        _ = try client.result("app.setRefresh", #"{"app": "com.example.app", "enabled": false}"#)
        let error = try client.error("submit", Self.refresh)
        #expect(error.code == 1)
        #expect(error.kind == "unavailable")
        _ = try client.result("app.setRefresh", #"{"app": "com.example.app", "enabled": true}"#)
        _ = try client.result("submit", Self.refresh)
    }

    @Test(
        "what only the scheduler can refuse names the param, too",
        arguments: [
            ("submit", #"{"identifier": "com.example.app.refresh", "strategy": "fail"}"#, "strategy"),
            ("submit", #"{"identifier": "com.example.bare.export"}"#, "title"),
            (
                "submit",
                #"{"identifier": "com.example.bare.export", "title": "\#(String(repeating: "x", count: 5_000))"}"#,
                "title"
            ),
            ("device.report", #"{"condition": "idle", "value": true, "source": "a\nb"}"#, "source"),
            (
                "device.report",
                #"{"condition": "idle", "value": true, "source": "\#(String(repeating: "x", count: 5_000))"}"#, "source"
            ),
        ])
    func members(method: String, params: String, member: String) async throws {
        let fixture = try await ControlFixture()
        await fixture.engine.feed(.appLoaded(Self.bare))
        let error = try fixture.client().error(method, params)
        #expect(error.code == -32_602)
        #expect(error.kind == "invalidParams")
        #expect(error.data?["member"]?.string == member, "\(error.message)")
        #expect(error.message.contains("'\(member)'"))
    }

    @Test("a bundle that is gone is appMissing")
    func appMissing() async throws {
        let fixture = try await ControlFixture()
        _ = await fixture.engine.submit(after: .seconds(60))
        await fixture.engine.feed(.appRemoved(EngineFixture.app))
        let error = try fixture.client().error("simulateLaunch", Self.refresh)
        #expect(error.code == 19)
        #expect(error.kind == "appMissing")
    }

    @Test("with simulation switched off every simulate and override method is refused, the others work (B36)")
    func simulationDisabled() async throws {
        let fixture = try await ControlFixture(simulation: false)
        let client = try fixture.client()
        let calls = [
            ("simulateLaunch", Self.refresh), ("simulateExpiration", Self.refresh),
            ("device.override", #"{"condition": "idle", "value": true}"#), ("device.clear", "{}"),
        ]
        for (method, params) in calls {
            let error = try client.error(method, params)
            #expect(error.code == 20)
            #expect(error.kind == "simulationDisabled")
        }
        #expect(try client.result("status")["simulation"]?.bool == false)
        _ = try client.result("device.report", #"{"condition": "idle", "value": true, "source": "tests"}"#)
        _ = try client.result("submit", Self.refresh)
    }

    @Test("while it drains submissions are refused, and what is there can still be seen")
    func draining() async throws {
        let fixture = try await ControlFixture()
        _ = try await fixture.running()
        let client = try fixture.client()
        _ = try client.result("shutdown", #"{"graceSeconds": 60}"#)
        for method in ["submit", "simulateLaunch"] {
            let error = try client.error(method, #"{"identifier": "com.example.app.clean"}"#)
            #expect(error.code == 24)
            #expect(error.kind == "draining")
        }
        #expect(try client.result("running")["runs"]?.array?.count == 1)
        #expect(try client.result("status")["phase"]?.string == "draining")
    }

    @Test("while the store cannot be used hello, status and device work, and everything else says so")
    func storeUnavailable() async throws {
        let failure = StoreFailure(.inputOutput, "The disk is gone; put it back.")
        let fixture = try await ControlFixture()
        _ = await fixture.engine.submit(after: .seconds(60))
        await fixture.engine.settle()
        fixture.engine.store.fail(failure, reads: failure)
        let client = try fixture.client()
        for (method, params) in [
            ("submit", Self.refresh), ("cancel", Self.refresh), ("pending", nil), ("explain", Self.refresh),
            ("history", nil), ("device.history", nil), ("run", #"{"run": 1}"#), ("pause", nil),
            ("store.acknowledge", nil),
        ] {
            let error = try client.error(method, params)
            #expect(error.code == 23)
            #expect(error.kind == "storeUnavailable")
            #expect(error.message == failure.message)
        }
        let store = try client.result("status")["store"]
        #expect(store?["state"]?.string == "unavailable")
        #expect(store?["failure"]?.string == failure.message)
        _ = try client.result("hello")
        _ = try client.result("device")
    }

    @Test("broken lines are answered without an id, and those that are no JSON at all end the connection")
    func brokenLines() async throws {
        let fixture = try await ControlFixture()
        let client = try fixture.client()
        try client.send(#"{"jsonrpc": "2.0", "id": 1, "method": "status", }"# + "\n")
        let broken = try client.receiveJSON()
        #expect(broken["id"]?.isNull == true)
        #expect(broken["error"]?["code"]?.integer == -32_700)
        try client.send(#"{"jsonrpc": "2.0", "id": 1.5, "method": "status"}"# + "\n[]\n")
        #expect(try client.receiveJSON()["error"]?["code"]?.integer == -32_600)
        #expect(try client.receiveJSON()["error"]?["code"]?.integer == -32_600)
        try client.send("GET / HTTP/1.1\r\n")
        #expect(try client.receiveJSON()["error"]?["code"]?.integer == -32_700)
        #expect(try client.receiveLine() == nil)
        #expect(await fixture.engine.engine.connectionCount == 0)
    }

    @Test("a line that is too long ends the connection with the limit's name")
    func longLines() async throws {
        var limits = ConnectionLimits()
        limits.lineBytes = 1_000
        let fixture = try await ControlFixture(limits: limits)
        let client = try fixture.client()
        try client.send("{" + String(repeating: " ", count: 1_001) + "}\n")
        let reply = try client.receiveJSON()
        #expect(reply["error"]?["code"]?.integer == 22)
        #expect(reply["error"]?["data"]?["limit"]?.string == "line")
        #expect(try client.receiveLine() == nil)
    }
}
