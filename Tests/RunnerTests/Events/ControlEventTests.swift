import RPC
import Scheduling
import Storage
import Testing

@testable import Runner

@Suite("Events on the control socket", .timeLimit(.minutes(1)))
struct ControlEventTests {
    private static let later =
        #"{"identifier": "com.example.app.refresh", "earliestBeginDate": "2030-01-01T00:00:00Z"}"#
    private static let cleanLater =
        #"{"identifier": "com.example.app.clean", "earliestBeginDate": "2030-01-01T00:00:00Z"}"#

    private func types(_ events: [JSONValue]) -> [String] {
        events.map { $0["type"]?.string ?? "" }
    }

    @Test("a run's life is told in order, with everything that happened to its request")
    func life() async throws {
        let fixture = try await ControlFixture()
        await fixture.engine.settle()
        let client = try fixture.client()
        let reply = try client.result("events.subscribe")
        #expect(reply["instance"]?.string == (try client.result("hello")["instance"]?.string))
        #expect(reply["snapshot"] == nil)
        let run = try await fixture.running()
        await fixture.engine.feed(.progressed(run, RunProgress(fraction: 0.5)))
        await fixture.engine.feed(.processExited(run, .code(0)))
        let events = try client.eventsSoFar()
        #expect(
            types(events) == ["submitted", "launched", "launched", "progress", "diagnostic", "ended"])
        let first = try #require(reply["sequence"]?.integer)
        #expect(events.compactMap { $0["sequence"]?.integer } == Array((first + 1)...(first + 6)))
        #expect(events.allSatisfy { $0["subscription"]?.integer == reply["subscription"]?.integer })
        #expect(events.allSatisfy { $0["identifier"]?.string == ControlFixture.refresh })
        #expect(events.allSatisfy { $0["at"]?.string == "2026-11-30T08:00:00.000Z" })
        #expect(events[0]["app"]?.string == "com.example.app")
        #expect(events[0]["data"]?["request"]?["identifier"]?.string == ControlFixture.refresh)
        #expect(events[1]["data"]?["run"]?["state"]?.string == "starting")
        #expect(events[2]["data"]?["run"]?["state"]?.string == "running")
        #expect(events[3]["data"]?["run"]?["progress"]?["fraction"]?.number == 0.5)
        #expect(events[5]["data"]?["run"]?["state"]?.string == "succeeded")
    }

    @Test("only the types and tasks that are asked for come")
    func filters() async throws {
        let fixture = try await ControlFixture()
        let client = try fixture.client()
        _ = try client.result("events.subscribe", #"{"types": ["ended", "cancelled"]}"#)
        _ = try client.result("events.subscribe", #"[[], null]"#)
        _ = try client.result("events.subscribe", #"{"identifiers": ["com.example.app.clean"]}"#)
        _ = try client.result("submit", Self.later)
        _ = try client.result("submit", Self.cleanLater)
        _ = try client.result("cancel", #"{"identifier": "com.example.app.refresh"}"#)
        _ = try client.result("pause")
        let events = try client.eventsSoFar()
        #expect(types(events.filter { $0["subscription"]?.integer == 1 }) == ["cancelled"])
        #expect(events.first { $0["subscription"]?.integer == 1 }?["data"]?["cause"]?.string == "cancelled")
        #expect(types(events.filter { $0["subscription"]?.integer == 2 }) == [])
        #expect(types(events.filter { $0["subscription"]?.integer == 3 }) == ["submitted"])
    }

    @Test("what is wrong in the params is named, and nothing is subscribed to")
    func wrongParams() async throws {
        let fixture = try await ControlFixture()
        let client = try fixture.client()
        let unknown = try client.error("events.subscribe", #"{"types": ["ended", "lanched"]}"#)
        #expect(unknown.code == -32_602)
        #expect(unknown.data?["member"]?.string == "types")
        #expect(unknown.message.contains("'lanched'"))
        #expect(unknown.message.contains("'launched'"))
        #expect(try client.error("events.subscribe", #"{"identifiers": [""]}"#).kind == "invalidIdentifier")
        for since in [#"{}"#, #"{"instance": "a"}"#, #"{"instance": "a", "sequence": -1}"#, "5"] {
            #expect(try client.error("events.subscribe", #"{"since": \#(since)}"#).code == -32_602, "\(since)")
        }
        #expect(try client.error("events.unsubscribe").code == -32_602)
        #expect(await fixture.engine.engine.subscriptionCount == 0)
    }

    @Test("in a batch it is an invalid request")
    func batch() async throws {
        let fixture = try await ControlFixture()
        let client = try fixture.client()
        try client.send(#"[{"jsonrpc": "2.0", "id": 1, "method": "events.subscribe"}]"# + "\n")
        #expect(try client.receiveJSON().array?[0]["error"]?["code"]?.integer == -32_600)
        #expect(await fixture.engine.engine.subscriptionCount == 0)
    }

    @Test("the snapshot shows what is pending and running, of all tasks or of those that are asked for")
    func snapshot() async throws {
        let fixture = try await ControlFixture()
        let run = try await fixture.running()
        let client = try fixture.client()
        _ = try client.result("submit", Self.cleanLater)
        let all = try client.result("events.subscribe", #"{"snapshot": true}"#)["snapshot"]
        #expect(all?["status"]?["pending"]?.integer == 1)
        #expect(all?["pending"]?.array?.first?["identifier"]?.string == ControlFixture.clean)
        #expect(all?["running"]?.array?.first?["run"]?.integer == run.number)
        let one = try client.result(
            "events.subscribe", #"{"identifiers": ["com.example.app.refresh"], "snapshot": true}"#)["snapshot"]
        #expect(one?["pending"]?.array?.count == 0)
        #expect(one?["running"]?.array?.count == 1)
    }

    @Test("a subscription behind an uncommitted change is answered after it, before the first event")
    func barrier() async throws {
        let fixture = try await ControlFixture()
        await fixture.engine.settle()
        let client = try fixture.client()
        fixture.engine.store.hold()
        let submit = try client.begin("submit", Self.later)
        await fixture.engine.settle()
        let second = try client.begin("submit", Self.cleanLater)
        let subscribe = try client.begin("events.subscribe", #"{"snapshot": true}"#)
        let cancel = try client.begin("cancel", #"{"identifier": "com.example.app.refresh"}"#)
        await fixture.engine.settle()
        #expect(!client.hasInput)
        fixture.engine.store.release()
        await fixture.engine.settle()
        // Four answers and an event, as they come: the answer is before all events.
        let lines = try (0..<5).map { _ in try client.receiveJSON() }
        #expect(!client.hasInput)
        let answer = try #require(lines.firstIndex { $0["id"]?.integer == subscribe })
        let event = try #require(lines.firstIndex { $0["method"]?.string == "event" })
        #expect(answer < event)
        #expect(lines[answer]["result"]?["snapshot"]?["pending"]?.array?.count == 2)
        #expect(types(lines.compactMap { $0["params"] }) == ["cancelled"])
        #expect(lines.contains { $0["id"]?.integer == submit } && lines.contains { $0["id"]?.integer == second })
        #expect(lines.contains { $0["id"]?.integer == cancel })
    }

    @Test("one snapshot of a client waits for a commit at a time, and the next is taken after it")
    func oneAtATime() async throws {
        let fixture = try await ControlFixture()
        await fixture.engine.settle()
        let client = try fixture.client()
        fixture.engine.store.hold()
        _ = try client.begin("submit", Self.later)
        let first = try client.begin("events.subscribe", #"{"snapshot": true}"#)
        // It is served only when the first has subscribed, so its own change is not in the first one's snapshot.
        let submit = try client.begin("submit", Self.cleanLater)
        let second = try client.begin("events.subscribe", #"{"snapshot": true}"#)
        await fixture.engine.settle()
        #expect(await fixture.engine.engine.scheduler.pendingCount == 1)
        fixture.engine.store.release()
        let counts = try [first, second].map {
            try client.response(to: $0).result()["snapshot"]?["pending"]?.array?.count
        }
        #expect(counts == [1, 2])
        _ = try client.response(to: submit).result()
    }

    @Test("a snapshot whose commit fails is refused, a subscription without one stands, and both hear of the store")
    func failedCommit() async throws {
        let fixture = try await ControlFixture()
        await fixture.engine.settle()
        let client = try fixture.client()
        fixture.engine.store.hold()
        let submit = try client.begin("submit", Self.later)
        let withSnapshot = try client.begin("events.subscribe", #"{"snapshot": true}"#)
        let without = try client.begin("events.subscribe")
        await fixture.engine.settle()
        fixture.engine.store.fail(StoreFailure(.full, "The disk is full."))
        fixture.engine.store.release()
        await fixture.engine.settle()
        let refused = try #require(throws: ResponseError.self) { try client.response(to: withSnapshot).result() }
        #expect(refused.kind == "storeUnavailable")
        #expect(throws: ResponseError.self) { try client.response(to: submit).result() }
        _ = try client.response(to: without).result()
        fixture.engine.store.fail(nil)
        await fixture.engine.advance(by: .seconds(60))
        let events = try client.eventsSoFar().filter { $0["type"]?.string == "gateChanged" }
        #expect(events.last?["data"]?["gate"]?.string == "storeUnavailable")
        #expect(events.last?["data"]?["verdict"]?.string == "open")
        #expect(await fixture.engine.engine.subscriptionCount == 1)
    }

    @Test("events are replayed after a place, with the filter, before what is new")
    func replay() async throws {
        let fixture = try await ControlFixture()
        let client = try fixture.client()
        let reply = try client.result("events.subscribe", #"{"types": ["refused"]}"#)
        let (instance, sequence) = (
            try #require(reply["instance"]?.string), try #require(reply["sequence"]?.integer)
        )
        _ = try client.result("submit", Self.later)
        _ = try client.result("submit", Self.cleanLater)
        _ = try client.result("cancel", #"{"identifier": "com.example.app.refresh"}"#)
        let other = try fixture.client()
        let since = #""since": {"instance": "\#(instance)", "sequence": \#(sequence + 1)}"#
        let late = try other.result("events.subscribe", #"{"types": ["submitted", "cancelled"], \#(since)}"#)
        #expect(late["sequence"]?.integer == sequence + 3)
        let events = try other.eventsSoFar()
        #expect(types(events) == ["submitted", "cancelled"])
        #expect(events.compactMap { $0["sequence"]?.integer } == [sequence + 2, sequence + 3])
    }

    @Test("another instance, a forgotten event and one that is still to come need a new beginning")
    func resync() async throws {
        let fixture = try await ControlFixture()
        let client = try fixture.client()
        let reply = try client.result("events.subscribe", #"{"types": ["refused"]}"#)
        let instance = try #require(reply["instance"]?.string)
        await fixture.engine.engine.tellOften(5_000)
        let now = try #require(reply["sequence"]?.integer) + 5_000
        for (name, sequence, words) in [
            ("other", 1, "has been started again"), (instance, now - 4_097, "are kept only from \(now - 4_096) on"),
            (instance, now + 1, "There was no event \(now + 1) yet, the last is \(now);"),
        ] {
            let error = try client.error(
                "events.subscribe", #"{"since": {"instance": "\#(name)", "sequence": \#(sequence)}}"#)
            #expect(error.code == 24)
            #expect(error.kind == "resyncRequired")
            #expect(error.message.contains(words), "\(error.message)")
            #expect(error.data?["instance"]?.string == instance)
            #expect(error.data?["oldest"]?.integer == now - 4_096)
            #expect(error.data?["sequence"]?.integer == now)
        }
        // A replay is as long as it must be: it is no overflow.
        _ = try client.result(
            "events.subscribe", #"{"since": {"instance": "\#(instance)", "sequence": \#(now - 4_096)}}"#)
        for number in (now - 4_095)...now { #expect(try client.event()["sequence"]?.integer == number) }
        #expect(await fixture.engine.engine.subscriptionCount == 2)
    }

    @Test("a client that does not read gets one overflow, keeps its connection, and can go on from there")
    func overflow() async throws {
        let fixture = try await ControlFixture()
        let client = try fixture.client()
        let reply = try client.result("events.subscribe")
        let (instance, start) = (try #require(reply["instance"]?.string), try #require(reply["sequence"]?.integer))
        await fixture.engine.engine.tellOften(4_000)
        #expect(await fixture.engine.engine.subscriptionCount == 0)
        var events: [JSONValue] = []
        while events.last?["type"]?.string != "overflow" { events.append(try client.event()) }
        #expect(
            events.dropLast().compactMap { $0["sequence"]?.integer }
                == Array((start + 1)..<(start + Int64(events.count))))
        let last = try #require(events.last?["sequence"]?.integer)
        #expect(last == start + Int64(events.count) - 1)
        #expect(events.count > 257)
        _ = try client.result(
            "events.subscribe", #"{"since": {"instance": "\#(instance)", "sequence": \#(last)}}"#)
        #expect(try client.event()["sequence"]?.integer == last + 1)
    }

    @Test("a client that reads gets what one turn tells, however much it is")
    func burst() async throws {
        let fixture = try await ControlFixture()
        let client = try fixture.client()
        let reply = try client.result("events.subscribe")
        await fixture.engine.engine.tellOften(400)
        #expect(await fixture.engine.engine.subscriptionCount == 1)
        let first = try #require(reply["sequence"]?.integer)
        for number in (first + 1)...(first + 400) { #expect(try client.event()["sequence"]?.integer == number) }
    }

    @Test("progress that is held wakes the daemon only while somebody listens")
    func heldProgress() async throws {
        let fixture = try await ControlFixture()
        let run = try await fixture.running()
        let base = fixture.engine.clock.wakeup
        await fixture.engine.feed(.progressed(run, RunProgress(fraction: 0.1)))
        await fixture.engine.feed(.progressed(run, RunProgress(fraction: 0.2)))
        #expect(fixture.engine.clock.wakeup.boot == base.boot)
        let client = try fixture.client()
        _ = try client.result("events.subscribe", #"{"types": ["progress"], "snapshot": true}"#)
        await fixture.engine.feed(.progressed(run, RunProgress(fraction: 0.3)))
        await fixture.engine.feed(.progressed(run, RunProgress(fraction: 0.4)))
        await fixture.engine.settle()
        #expect(fixture.engine.clock.wakeup.boot != nil)
        await fixture.engine.advance(by: .milliseconds(500))
        let fractions = try client.eventsSoFar().compactMap { $0["data"]?["run"]?["progress"]?["fraction"]?.number }
        #expect(fractions.last == 0.4)
        #expect(!fractions.contains(0.2))
    }

    @Test("lines that a run wrote are told of with the cursor of the first")
    func lines() async throws {
        let fixture = try await ControlFixture()
        let run = try await fixture.running()
        let client = try fixture.client()
        _ = try client.result("events.subscribe", #"{"types": ["logged"]}"#)
        for line in 0..<4 {
            await fixture.engine.engine.lineKept(at: LogPosition(run: run, offset: line), of: EngineFixture.app)
        }
        await fixture.engine.advance(by: .milliseconds(500))
        let events = try client.eventsSoFar()
        #expect(events.compactMap { $0["data"]?["cursor"]?.string } == ["1.0", "1.1"])
        #expect(events.allSatisfy { $0["data"]?["run"]?.integer == run.number })
        #expect(events.allSatisfy { $0["identifier"]?.string == ControlFixture.refresh })
    }

    @Test("a 17th subscription is refused and the connection closed; 16 are not")
    func limit() async throws {
        let fixture = try await ControlFixture()
        let client = try fixture.client()
        for _ in 0..<16 { _ = try client.result("events.subscribe") }
        let error = try client.error("events.subscribe")
        #expect(error.code == 22)
        #expect(error.data?["limit"]?.string == "subscriptions")
        #expect(try client.receiveLine() == nil)
        #expect(await fixture.engine.engine.subscriptionCount == 0)
    }

    @Test("a notification subscribes to nothing: nobody would learn the number")
    func notification() async throws {
        let fixture = try await ControlFixture()
        let client = try fixture.client()
        for _ in 0..<20 { try client.notify("events.subscribe", #"{"snapshot": true}"#) }
        _ = try client.result("submit", Self.later)
        #expect(try client.eventsSoFar().isEmpty)
        #expect(await fixture.engine.engine.subscriptionCount == 0)
    }

    @Test("a subscription is ended by its own connection only, and once")
    func unsubscribe() async throws {
        let fixture = try await ControlFixture()
        let (client, other) = (try fixture.client(), try fixture.client())
        let number = try #require(try client.result("events.subscribe")["subscription"]?.integer)
        #expect(try other.error("events.unsubscribe", "[\(number)]").kind == "noSuchSubscription")
        #expect(try client.result("events.unsubscribe", "[\(number)]").count == 0)
        let again = try client.error("events.unsubscribe", "[\(number)]")
        #expect(again.code == 16)
        _ = try client.result("submit", Self.later)
        #expect(try client.eventsSoFar().isEmpty)
    }

    @Test("a client that has said all still gets its events, and one that goes loses them")
    func halfClose() async throws {
        let fixture = try await ControlFixture()
        let client = try fixture.client()
        _ = try client.result("events.subscribe")
        client.finishSending()
        await fixture.engine.settle()
        _ = await fixture.engine.submit(after: .seconds(60))
        #expect(try client.event()["type"]?.string == "submitted")
        client.close()
        await fixture.engine.settle()
        #expect(await fixture.engine.engine.subscriptionCount == 0)
        #expect(await fixture.engine.engine.connectionCount == 0)
    }

    @Test("gates of the runner and of the device are told of once, whatever waits at them")
    func gates() async throws {
        let fixture = try await ControlFixture()
        let client = try fixture.client()
        _ = try client.result("events.subscribe", #"{"types": ["gateChanged", "deviceChanged", "appStateChanged"]}"#)
        _ = try client.result("pause")
        _ = try client.result("pause")
        _ = try client.result("resume")
        _ = try client.result("device.override", #"["network", "none"]"#)
        _ = try client.result("device.override", #"["network", "metered"]"#)
        _ = try client.result("device.override", #"["network", "unmetered"]"#)
        _ = try client.result("pause", #"["com.example.app"]"#)
        let events = try client.eventsSoFar()
        let gates = events.filter { $0["type"]?.string == "gateChanged" }.map { event in
            [event["data"]?["gate"]?.string, event["data"]?["verdict"]?.string, event["app"]?.string]
                .map { $0 ?? "-" }.joined(separator: " ")
        }
        #expect(
            gates == [
                "paused closed -", "paused open -", "network closed -", "network open -",
                "paused closed com.example.app",
            ])
        let states = events.filter { $0["type"]?.string == "appStateChanged" }
        #expect(states.compactMap { $0["data"]?["state"]?.string } == ["paused"])
        #expect(events.count { $0["type"]?.string == "deviceChanged" } == 3)
    }

    @Test("a floor that passes is told of, with what holds the task now")
    func floors() async throws {
        let fixture = try await ControlFixture()
        let client = try fixture.client()
        _ = try client.result("device.override", #"["network", "none"]"#)
        _ = try client.result("events.subscribe", #"{"types": ["gateChanged"]}"#)
        _ = try client.result(
            "submit",
            #"{"identifier": "com.example.app.refresh", "earliestBeginDate": "2026-11-30T08:00:10Z", "#
                + #""requiresNetworkConnectivity": true}"#)
        await fixture.engine.advance(by: .seconds(10))
        let event = try client.event()
        #expect(event["identifier"]?.string == ControlFixture.refresh)
        #expect(event["data"]?["gate"]?.string == "earliestBeginDate")
        #expect(event["data"]?["verdict"]?.string == "open")
        #expect(event["data"]?["heldBy"]?.string == "network")
    }

    @Test("debug shows the runner's own state and the last events, even while a commit hangs")
    func debug() async throws {
        let fixture = try await ControlFixture()
        await fixture.engine.settle()
        let client = try fixture.client()
        fixture.engine.store.hold()
        _ = try client.begin("submit", Self.later)
        await fixture.engine.settle()
        _ = try client.begin("submit", Self.cleanLater)
        let result = try client.result("debug", "[2]")
        let state = result["state"]
        #expect(state?["scheduler"]?["pending"]?.integer == 2)
        #expect(state?["scheduler"]?["waitingForWall"]?.integer == 2)
        #expect(state?["store"]?["committing"]?.integer ?? 0 > 0)
        #expect(state?["store"]?["uncommitted"]?.integer ?? 0 > 0)
        #expect(state?["calls"]?.integer == 2)
        #expect(state?["control"]?["connections"]?.integer == 1)
        #expect(result["events"]?.array?.count == 2)
        #expect(try client.result("debug", "[0]")["events"]?.array?.count == 0)
        fixture.engine.store.release()
    }
}

extension Engine {
    var subscriptionCount: Int { control?.subscriptions.count ?? 0 }

    /// So many events in one turn.
    func tellOften(_ count: Int) {
        inTurn { engine in
            for _ in 0..<count { engine.tell(.phaseChanged(.running), at: engine.now()) }
        }
    }
}
