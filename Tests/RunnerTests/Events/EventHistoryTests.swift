import RPC
import Scheduling
import Testing

@testable import Runner

/// Whatever happens, whoever applies the events to the snapshot knows what is pending and running.
@Suite("Histories of events", .timeLimit(.minutes(5)))
struct EventHistoryTests {
    @Test("events applied to the snapshot give what pending and running say", arguments: 1...8)
    func histories(seed: UInt64) async throws {
        let fixture = try await ControlFixture()
        await fixture.engine.settle()
        let client = try fixture.client()
        var random = Random(state: seed)
        for _ in 0..<random.below(6) { try await step(&random, fixture, client) }
        try await recover(fixture)
        let reply = try client.result("events.subscribe", #"{"snapshot": true}"#)
        var view = ClientView(try #require(reply["snapshot"]))
        for number in 1...40 {
            try await step(&random, fixture, client)
            guard number % 3 == 0 || number == 40 else { continue }
            try await recover(fixture)
            for event in try client.eventsSoFar() { view.apply(event) }
            let truth = ClientView(
                pending: try client.result("pending")["requests"], running: try client.result("running")["runs"])
            guard view == truth else {
                Issue.record("seed \(seed), step \(number): \(view) is not \(truth)")
                return
            }
        }
        #expect(view.applied > 0)
    }

    /// The store works again, and everything that waited for it has left.
    private func recover(_ fixture: ControlFixture) async throws {
        fixture.engine.store.fail(nil)
        for _ in 0..<20 {
            await fixture.engine.advance(by: .milliseconds(500))
            let isOver = await fixture.engine.engine.isQuiet
            if isOver { return }
        }
        Issue.record("the store did not recover")
    }

    private func step(_ random: inout Random, _ fixture: ControlFixture, _ client: ControlClient) async throws {
        let engine = fixture.engine
        let identifier = random.below(2) == 0 ? ControlFixture.refresh : ControlFixture.clean
        let runs = await engine.engine.scheduler.activeRuns
        let run = runs.isEmpty ? nil : runs[random.below(runs.count)]
        let code: @Sendable (Int) -> Event? = { number in
            run.map { run in
                switch number {
                case 0: .processExited(run.run, .code(0))
                case 1: .processExited(run.run, .signal(9))
                case 2: .progressed(run.run, RunProgress(fraction: 0.25))
                case 3: .progressed(run.run, RunProgress(fraction: 0.75))
                default: run.state == .starting ? .startFailed(run.run, reason: "no") : .handlerEntered(run.run, nil)
                }
            }
        }
        switch random.below(15) {
        case 0: _ = try client.call("submit", #"{"identifier": "\#(identifier)"}"#)
        case 1, 2:
            let floor = engine.clock.now().wall.advanced(by: .seconds(random.below(20)))
            _ = await engine.engine.answer {
                .requestSubmitted(
                    TaskRequest(identifier: try! TaskIdentifier(identifier), floor: floor), SubmissionOptions(),
                    call: $0)
            }
        case 3: _ = try client.call("cancel", #"{"identifier": "\#(identifier)"}"#)
        case 4: _ = try client.call("cancelAll")
        case 5: _ = try client.begin("simulateLaunch", #"{"identifier": "\#(identifier)", "submit": true}"#)
        case 6: _ = try client.call("stop", #"{"identifier": "\#(identifier)"}"#)
        case 7: _ = try client.call(random.below(2) == 0 ? "pause" : "resume")
        case 8: engine.store.fail(StoreFailure(.full, "The disk is full."))
        case 9: await engine.advance(by: .seconds(random.below(40)))
        case 10:
            await engine.feed(
                random.below(2) == 0 ? .appRemoved(EngineFixture.app) : .appLoaded(EngineFixture.description))
        case 11...13:
            if let event = code(random.below(5)) { await engine.feed(event) }
        default:
            if let run, run.state == .starting { await engine.feed(.handlerEntered(run.run, nil)) }
        }
        await engine.settle()
    }
}

/// What a client knows of requests and runs, as the text of their JSON.
private struct ClientView: Equatable {
    private var pending: [String: String] = [:]
    private var running: [Int64: String] = [:]
    private(set) var applied = 0

    init(pending: JSONValue?, running: JSONValue?) {
        for request in pending?.array.map({ Array($0) }) ?? [] { put(request) }
        for run in running?.array.map({ Array($0) }) ?? [] { put(run: run) }
    }

    init(_ snapshot: JSONValue) {
        self.init(pending: snapshot["pending"], running: snapshot["running"])
    }

    static func == (left: ClientView, right: ClientView) -> Bool {
        left.pending == right.pending && left.running == right.running
    }

    /// As the protocol's page says.
    mutating func apply(_ event: JSONValue) {
        applied += 1
        let data = event["data"]
        switch event["type"]?.string {
        case "submitted", "replaced", "kept": if let request = data?["request"] { put(request) }
        case "cancelled": if let request = data?["request"] { remove(request) }
        case "launched", "progress", "expiring":
            guard let run = data?["run"] else { return }
            if run["state"]?.string == "starting" { remove(run) }
            put(run: run)
        case "ended": running[data?["run"]?["run"]?.integer ?? 0] = nil
        default: break
        }
    }

    private mutating func put(_ request: JSONValue) {
        pending[request["identifier"]?.string ?? ""] = Self.text(request)
    }

    private mutating func put(run: JSONValue) {
        running[run["run"]?.integer ?? 0] = Self.text(run)
    }

    /// The request that has this identifier and submission is pending no more.
    private mutating func remove(_ value: JSONValue) {
        guard let identifier = value["identifier"]?.string, let submission = value["submission"]?.integer,
            pending[identifier]?.contains("\"submission\":\(submission),") == true
        else { return }
        pending[identifier] = nil
    }

    /// Without what changes by itself.
    private static func text(_ value: JSONValue) -> String {
        var writer = JSONWriter()
        writer.beginObject()
        if let members = value.members {
            for (name, member) in members where name != "remainingSeconds" {
                writer.key(dynamic: name)
                writer.value(member)
            }
        }
        writer.endObject()
        return String(decoding: writer.bytes, as: UTF8.self)
    }
}

/// Numbers that a seed decides.
private struct Random {
    var state: UInt64

    mutating func below(_ bound: Int) -> Int {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return Int((state >> 33) % UInt64(bound))
    }
}

extension Engine {
    /// Nothing is uncommitted or held back, and the store works.
    fileprivate var isQuiet: Bool { isDurable && storeFailure == nil && events.deadline == nil }
}
