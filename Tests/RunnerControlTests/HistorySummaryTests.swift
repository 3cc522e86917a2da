import RPC
import Testing

@testable import RunnerControl

@Suite("The summary of the history")
struct HistorySummaryTests {
    private static func run(
        _ identifier: String, _ state: String, hour: Int, waited: Double = 0, origin: String = "scheduled",
        gate: String = "network"
    ) -> String {
        #"{"identifier":"\#(identifier)","state":"\#(state)","origin":"\#(origin)","waitedSeconds":\#(waited),"#
            + #""waits":[{"gate":"\#(gate)","seconds":\#(waited)}],"startedAt":"2026-11-30T\#(hour):15:00.000Z"}"#
    }

    private static let runs = [
        run("com.example.a", "succeeded", hour: 10, waited: 60), run("com.example.a", "crashed", hour: 10, waited: 120),
        run("com.example.b", "succeeded", hour: 23, waited: 0.5, gate: "externalPower"),
        run("com.example.a", "failed", hour: 10, waited: 600, origin: "simulated"),
        run("com.example.b", "cancelled", hour: 12), run("com.example.b", "running", hour: 12),
    ]

    /// A daemon with these runs, which gives two a page at most.
    private static func daemon(_ runs: [String] = Self.runs) -> FakeDaemon {
        FakeDaemon { call, _ in
            let params = try? JSONDocument.parse(Array(call.params.utf8)).root
            let limit = min(2, Int(params?["limit"]?.integer ?? 0))
            let start = params?["before"]?.string.flatMap { Int($0) } ?? 0
            let page = runs.dropFirst(start).prefix(limit).joined(separator: ",")
            let next = start + limit < runs.count ? #","next":"\#(start + limit)""# : ""
            return .result(#"{"runs":[\#(page)]\#(next)}"#)
        }
    }

    @Test("runs are counted by task and by hour, over all pages; simulated ones apart")
    func counts() throws {
        let session = Session(["history", "--summary", "--json"], daemon: Self.daemon())
        #expect(session.status == .done)
        let result = try JSONDocument.parse(Array(session.output.utf8)).root
        #expect(result["runs"]?.integer == 6)
        #expect(result["more"]?.bool == false)
        let tasks = result.elements("tasks").map { JSONLine.text($0) }
        #expect(
            tasks == [
                #"{"identifier":"com.example.a","grants":2,"succeeded":1,"failed":1,"failures":{"crashed":1},"#
                    + #""waitedSeconds":180,"longestWaitSeconds":120,"waits":[{"gate":"network","seconds":180}],"#
                    + "\"simulated\":1,\"simulatedFailures\":1}\n",
                #"{"identifier":"com.example.b","grants":3,"succeeded":1,"failed":0,"failures":{},"#
                    + #""waitedSeconds":0.5,"longestWaitSeconds":0.5,"#
                    + #""waits":[{"gate":"externalPower","seconds":0.5},{"gate":"network","seconds":0}],"#
                    + "\"simulated\":0,\"simulatedFailures\":0}\n",
            ])
        let hours = result.elements("hours")
        #expect(hours.count == 24)
        #expect(
            hours.map { $0["grants"]?.integer ?? 0 }.enumerated().filter { $0.element > 0 }.map(\.offset) == [
                10, 12, 23,
            ])
        #expect(hours[10].number("grants") == "2")
        #expect(hours[10].number("failed") == "1")
    }

    @Test("people get aligned tables, and how many runs were looked at")
    func table() {
        let session = Session(["history", "--summary"], daemon: Self.daemon())
        #expect(session.output.hasPrefix("Looked at 6 runs, from 2026-11-30 "))
        #expect(session.output.contains("these are all."))
        #expect(
            session.output.contains(
                "\n1 simulated run is left out of all columns but the one for them; 1 of them failed.\n"))
        let real = Session(["history", "--summary"], daemon: Self.daemon(Array(Self.runs.prefix(3))))
        #expect(!real.output.contains("left out"))
        let rows = session.output.split(separator: "\n").map { $0.split(separator: " ").map { String($0) } }
        #expect(rows.contains(["com.example.a", "2", "1", "1", "1m", "30s", "2m", "1", "network"]))
        #expect(rows.contains(["com.example.b", "3", "1", "0", "166ms", "500ms", "externalPower"]))
        #expect(rows.filter { $0.first == "HOUR" }.count == 1)
    }

    @Test("--limit counts runs, and what was left out is said", arguments: [1, 3, 5])
    func limit(limit: Int) {
        let daemon = Self.daemon()
        let session = Session(["history", "--summary", "--limit", "\(limit)"], daemon: daemon)
        #expect(session.output.hasPrefix("Looked at \(limit) run"))
        #expect(session.output.contains("there are older ones"))
        #expect(Session(["history", "--summary", "--limit", "6"], daemon: daemon).output.contains("these are all"))
    }

    @Test("filters go into every page")
    func filters() {
        let daemon = Self.daemon()
        _ = Session(["history", "--summary", "--identifier", "com.example.a", "--limit", "3"], daemon: daemon)
        #expect(
            daemon.received.map(\.params) == [
                #"{"identifier":"com.example.a","limit":3}"#, #"{"identifier":"com.example.a","limit":1,"before":"2"}"#,
            ])
    }

    @Test("no runs, a limit that makes no sense and an endless list of empty pages all come to an end")
    func ends() {
        #expect(Session(["history", "--summary"], daemon: Self.daemon([])).output == "There are no such runs.\n")
        #expect(Session(["history", "--summary", "--limit", "0"]).status == .usage)
        #expect(Session(["history", "--summary", "--limit", "1000001"]).status == .usage)
        let endless = FakeDaemon(result: #"{"runs":[],"next":"1"}"#)
        #expect(Session(["history", "--summary"], daemon: endless).output == "There are no such runs.\n")
        #expect(Session(["history", "--summary"]).status == .noDaemon)
    }
}
