import Platform
import RPC
import Scheduling
import Storage
import Testing

@testable import Runner

@Suite("The methods of the control socket", .timeLimit(.minutes(1)))
struct ControlMethodTests {
    private static let app = #"{"app": "com.example.app"}"#
    private static let refresh = #"{"identifier": "com.example.app.refresh"}"#

    /// The names of a result's members.
    private func members(_ value: JSONValue?) -> [String] {
        value?.members?.map(\.name) ?? []
    }

    @Test("every method answers with its shape, once", .timeLimit(.minutes(1)))
    func all() async throws {
        let fixture = try await ControlFixture()
        let client = try fixture.client()
        var called: Set<String> = []
        func call(_ method: String, _ params: String? = nil) throws -> JSONValue {
            called.insert(method)
            return try client.result(method, params)
        }

        let hello = try call("hello", #"{"client": "tests", "protocols": [1, 9]}"#)
        #expect(
            members(hello) == [
                "protocol", "server", "version", "capabilities", "limits", "user", "access", "instance",
            ])
        #expect(hello["protocol"]?.integer == 1)
        #expect(hello["access"]?.string == "admin")
        #expect(hello["capabilities"]?.array?.compactMap(\.string) == ControlMethods.all.map(\.name))
        #expect(hello["limits"]?["lineBytes"]?.integer == 262_144)

        let methods = try call("rpc.discover")["methods"]?.array
        #expect(methods?.compactMap { $0["name"]?.string } == ControlMethods.all.map(\.name))

        let status = try call("status")
        #expect(status["phase"]?.string == "running")
        #expect(status["registered"]?.integer == 2)
        #expect(status["simulation"]?.bool == true)
        #expect(status["store"]?["state"]?.string == "ready")

        let apps = try call("apps")["apps"]?.array
        #expect(apps?.first?["app"]?.string == "com.example.app")
        #expect(apps?.first?["state"]?.string == "launched")
        let registered = try call("registered")["identifiers"]?.array
        #expect(registered?.count == 2)
        #expect(registered?.first?["permittedBy"]?.string == ControlFixture.clean)

        let submitted = try call(
            "submit",
            #"{"identifier": "com.example.app.refresh", "earliestBeginDate": "2026-12-01T10:00:00.250+01:00"}"#)
        #expect(submitted["outcome"]?.string == "submitted")
        #expect(submitted["request"]?["earliestBeginDate"]?.string == "2026-12-01T09:00:00.250Z")
        let pending = try call("pending")
        #expect(pending["requests"]?.array?.count == 1)
        #expect(pending["next"] == nil)
        let explained = try call("explain", Self.refresh)
        #expect(explained["status"]?.string == "waiting")
        #expect(explained["summary"]?.string?.isEmpty == false)
        let closed = explained["gates"]?.array?.first { $0["verdict"]?.string == "closed" }
        #expect(closed?["gate"]?.string == "earliestBeginDate")
        let cancelled = try call("cancel", Self.refresh)
        #expect(cancelled["cancelled"]?.bool == true)
        #expect(cancelled["request"]?["identifier"]?.string == ControlFixture.refresh)
        #expect(try call("cancelAll", Self.app)["cancelled"]?.integer == 0)

        let launch = try client.begin("simulateLaunch", #"{"identifier": "com.example.app.refresh", "submit": true}"#)
        called.insert("simulateLaunch")
        await fixture.engine.settle()
        let run = try #require(fixture.engine.host.launches.first)
        #expect(!client.hasInput)
        await fixture.engine.feed(.handlerEntered(run, nil))
        let launched = try client.response(to: launch).result()["run"]
        #expect(launched?["state"]?.string == "running")
        #expect(launched?["origin"]?.string == "simulated")
        #expect(try call("running")["runs"]?.array?.count == 1)
        #expect(try call("run", #"{"run": \#(run.number)}"#)["run"]?["run"]?.integer == run.number)
        let expired = try call("simulateExpiration", #"{"identifier": "com.example.app.refresh", "reason": "budget"}"#)
        #expect(expired["run"]?["state"]?.string == "expiring")
        #expect(expired["run"]?["expirationReason"]?.string == "budget")
        #expect(expired["run"]?["remainingSeconds"]?.number == 5)
        #expect(try call("stop", #"{"run": \#(run.number)}"#)["run"]?["expirationReason"]?.string == "budget")
        await fixture.engine.feed(.processExited(run, .code(0)))
        let waited = try call("wait", #"{"run": \#(run.number), "timeoutSeconds": 5}"#)
        #expect(waited["run"]?["state"]?.string == "succeeded")
        #expect(waited["run"]?["exit"]?["code"]?.integer == 0)
        let history = try call("history", #"{"origin": "simulated", "limit": 1}"#)
        #expect(history["runs"]?.array?.map { $0["run"]?.integer } == [run.number])
        #expect(try call("log", #"{"run": \#(run.number)}"#)["lines"]?.array?.count == 0)

        #expect(try call("doctor")["findings"]?.array != nil)
        #expect(members(try call("device")["state"]).count == DeviceCondition.allCases.count)
        let overridden = try call("device.override", #"{"condition": "network", "value": "none", "forSeconds": 60}"#)
        #expect(overridden["state"]?["network"]?["value"]?.string == "none")
        #expect(overridden["state"]?["network"]?["overridden"]?.bool == true)
        let clear = try call("device.clear")
        #expect(clear["state"]?["network"]?["overridden"]?.bool == false)
        let changed = try call("device.history", #"{"condition": "network", "limit": 1}"#)
        #expect(members(changed) == ["changes", "next"])
        let change = changed["changes"]?.array?.first
        #expect(members(change) == ["at", "condition", "value", "source", "overridden"])
        #expect(change?["overridden"]?.bool == false)
        let older = try call(
            "device.history", #"{"condition": "network", "before": "\#(changed["next"]?.string ?? "")"}"#)
        #expect(older["changes"]?.array?.first?["value"]?.string == "none")
        #expect(older["changes"]?.array?.first?["overridden"]?.bool == true)
        #expect(older["next"] == nil)
        let reported = try call(
            "device.report", #"{"condition": "batteryLevel", "value": 0.5, "source": "tests", "validSeconds": 60}"#)
        #expect(reported["state"]?["batteryLevel"]?["value"]?.number == 0.5)
        #expect(reported["state"]?["batteryLevel"]?["source"]?.string == "tests")

        for method in ["app.opened", "app.forceQuit", "app.resume"] {
            #expect(try call(method, Self.app)["app"]?.string == "com.example.app")
        }
        let switched = try call("app.setRefresh", #"{"app": "com.example.app", "enabled": false}"#)
        #expect(switched["app"]?.string == "com.example.app")
        #expect(try call("pause")["paused"]?.bool == true)
        #expect(try call("status")["paused"]?.bool == true)
        #expect(try call("resume")["paused"]?.bool == false)
        #expect(try call("reload")["apps"]?.integer == 1)
        #expect(try call("store.acknowledge")["state"]?.string == "ready")
        let subscribed = try call("events.subscribe", #"{"types": [], "snapshot": true}"#)
        #expect(members(subscribed) == ["subscription", "instance", "sequence", "snapshot"])
        #expect(members(subscribed["snapshot"]) == ["status", "pending", "running"])
        #expect(members(try call("events.unsubscribe", #"{"subscription": 1}"#)).isEmpty)
        #expect(members(try call("debug")) == ["state", "events"])
        #expect(members(try call("shutdown")).isEmpty)
        #expect(try call("status")["phase"]?.string == "draining")

        #expect(called == Set(ControlMethods.all.map(\.name)))
        #expect(Set(ControlHandlers.table.rows.map(\.method.name)) == called)
    }

    @Test("params by position come in the order of the tables, and null means absent")
    func positions() async throws {
        let fixture = try await ControlFixture()
        let client = try fixture.client()
        let submitted = try client.result(
            "submit", #"["com.example.app.clean", "processing", "2030-01-01T00:00:00Z", true, null, null]"#)
        let request = submitted["request"]
        #expect(request?["kind"]?.string == "processing")
        #expect(request?["requiresNetworkConnectivity"]?.bool == true)
        #expect(request?["requiresExternalPower"]?.bool == false)
        let history = try client.result("history", "[null, 5]")
        #expect(history["runs"]?.array?.isEmpty == true)
    }

    @Test("lists come in pages, and each request is on one of them")
    func pages() async throws {
        let fixture = try await ControlFixture()
        let identifiers = try (0..<25).map { try TaskIdentifier("com.example.many.task\($0)") }
        let description = AppDescription(
            app: try AppIdentifier("com.example.many"), host: .commands, permitted: identifiers.map { .exact($0) },
            modes: [.processing],
            tasks: identifiers.map { TaskSettings(identifier: $0, kind: .processing, hasCommand: true) })
        await fixture.engine.feed(.appLoaded(description))
        for identifier in identifiers { _ = await fixture.engine.submit(identifier, after: .seconds(60)) }
        let client = try fixture.client()
        var seen: [String] = []
        var params = #"{"app": "com.example.many", "limit": 10}"#
        for expected in [10, 10, 5] {
            let page = try client.result("pending", params)
            let requests = page["requests"]?.array?.compactMap { $0["identifier"]?.string } ?? []
            #expect(requests.count == expected)
            seen += requests
            #expect((page["next"] != nil) == (expected == 10))
            if let next = page["next"]?.string {
                params = #"{"app": "com.example.many", "limit": 10, "after": "\#(next)"}"#
            }
        }
        #expect(Set(seen) == Set(identifiers.map(\.text)))
        #expect(seen.count == 25)
    }

    @Test("a wait ends with its run, or with timedOut and the run that goes on")
    func waits() async throws {
        let fixture = try await ControlFixture()
        let run = try await fixture.running()
        let client = try fixture.client()
        let patient = try client.begin("wait", #"{"run": \#(run.number)}"#)
        let hasty = try client.begin("wait", #"{"run": \#(run.number), "timeoutSeconds": 2}"#)
        await fixture.engine.settle()
        await fixture.engine.advance(by: .milliseconds(1_999))
        #expect(!client.hasInput)
        await fixture.engine.advance(by: .milliseconds(1))
        let error = try #require(throws: ResponseError.self) { try client.response(to: hasty).result() }
        #expect(error.code == 24)
        #expect(error.kind == "timedOut")
        #expect(error.data?["run"]?["state"]?.string == "running")
        #expect(error.data?["run"]?["remainingSeconds"]?.number == 28)
        await fixture.engine.feed(.processExited(run, .code(3)))
        let ended = try client.response(to: patient).result()["run"]
        #expect(ended?["state"]?.string == "failed")
        #expect(await fixture.engine.engine.waitCount == 0)
    }

    @Test("simulateLaunch and stop wait for the run's end when they are asked to")
    func waitingLaunches() async throws {
        let fixture = try await ControlFixture()
        let client = try fixture.client()
        let launch = try client.begin(
            "simulateLaunch", #"{"identifier": "com.example.app.refresh", "submit": true, "wait": true}"#)
        await fixture.engine.settle()
        let run = try #require(fixture.engine.host.launches.first)
        await fixture.engine.feed(.handlerEntered(run, nil))
        let stop = try client.begin("stop", #"{"identifier": "com.example.app.refresh", "wait": true}"#)
        await fixture.engine.settle()
        #expect(!client.hasInput)
        await fixture.engine.feed(.processExited(run, .signal(15)))
        #expect(try client.response(to: launch).result()["run"]?["state"]?.string == "cancelled")
        #expect(try client.response(to: stop).result()["run"]?["state"]?.string == "cancelled")
    }

    @Test("a start that fails answers launchFailed with its run")
    func failedLaunches() async throws {
        let fixture = try await ControlFixture()
        let client = try fixture.client()
        let launch = try client.begin("simulateLaunch", #"{"identifier": "com.example.app.refresh", "submit": true}"#)
        await fixture.engine.settle()
        let run = try #require(fixture.engine.host.launches.first)
        await fixture.engine.feed(.startFailed(run, reason: "no such file"))
        let error = try #require(throws: ResponseError.self) { try client.response(to: launch).result() }
        #expect(error.code == 19)
        #expect(error.kind == "launchFailed")
        #expect(error.data?["run"]?["run"]?.integer == run.number)
        #expect(error.message.contains("no such file"))
    }

    @Test("a damaged store that was set aside is shown until a person acknowledges it")
    func acknowledges() async throws {
        let memory = MemoryStore()
        memory.setRecovered(
            StoreRecovery(at: WallTime(milliseconds: 0), setAside: "/aside", reason: "it was not a database"))
        let fixture = try await ControlFixture(memory: memory)
        let client = try fixture.client()
        #expect(try client.result("status")["store"]?["recovered"]?["setAside"]?.string == "/aside")
        let findings = try client.result("doctor")["findings"]?.array
        #expect(findings?.first?["name"]?.string == "storeRecovered")
        #expect(try client.result("store.acknowledge")["recovered"] == nil)
        #expect(try client.result("status")["store"]?["recovered"] == nil)
        let names = try client.result("doctor")["findings"]?.array?.compactMap { $0["name"]?.string }
        #expect(names?.contains("storeRecovered") == false)
    }
}
