import RPC
import Scheduling
import Simulation
import Testing

@testable import RunnerControl

private typealias Fixture = TimelineFixture

struct TimelineChartTests {
    private func chart(
        runs: [String] = [], requests: [String] = [], explanations: [String: String] = [:],
        status: String = Fixture.status(), span: TimelineSpan = Fixture.span, subject: String? = nil
    ) throws -> DayChart {
        var answers = TimelineAnswers(status: try Fixture.json(status))
        answers.runs = try Fixture.values(runs)
        answers.requests = try Fixture.values(requests)
        answers.explanations = try explanations.mapValues { try Fixture.json($0) }
        return TimelineChart(answers: answers, span: span, subject: subject, utcOffsetSeconds: 3_600).chart
    }

    private func time(_ hour: Int, _ minute: Int = 0) -> WallTime {
        WallTime(milliseconds: Fixture.milliseconds(hour, minute))
    }

    @Test("the chart has the span, the clock and the policy, and says what it is about")
    func frame() throws {
        let chart = try chart(subject: "com.example.app")
        #expect(chart.title == "Timeline of com.example.app")
        #expect(chart.subtitle == "from the history of Runner 0.1.0")
        #expect(chart.start == time(0) && chart.end == time(12))
        #expect(chart.utcOffsetSeconds == 3_600)
        #expect(chart.devices.map(\.policy) == ["prompt"])
        #expect(chart.devices[0].tasks == [] && chart.devices[0].marks == [])
    }

    @Test("a run is a request that was granted, with the gates that held it and its end")
    func granted() throws {
        let run = Fixture.run(
            7, asked: Fixture.at(8), started: Fixture.at(9), ended: Fixture.at(9, 1), state: "expired",
            waits: #"{"gate":"network","seconds":3000.5},{"gate":"concurrency","seconds":60}"#,
            more: #","earliestBeginDate":"2026-11-30T08:30:00.000Z","expirationReason":"budget","message":"too slow""#)
        let lane = try #require(try chart(runs: [run]).devices[0].tasks.first)
        #expect(lane.identifier == "com.example.app.refresh")
        #expect(lane.app == "com.example.app" && lane.kind == "appRefresh")
        var expected = ChartRequest(
            submittedAt: time(8), floor: time(8, 30),
            holds: [
                ChartHold(gate: "network", start: nil, milliseconds: 3_000_500),
                ChartHold(gate: "concurrency", start: nil, milliseconds: 60_000),
            ],
            outcome: .granted(
                ChartRun(
                    number: 7, startedAt: time(9), endedAt: time(9, 1), state: "expired", expirationReason: "budget")))
        expected.note = "too slow"
        #expect(lane.requests == [expected])
    }

    @Test(
        "when a gate held it is known of the floor, and of the one gate that held it for the rest of the time",
        arguments: [
            ([("network", 3_600)], [0]), ([("network", 3_599)], [nil]),
            ([("earliestBeginDate", 1_800)], [0]),
            ([("earliestBeginDate", 1_800), ("network", 1_800)], [0, 1_800_000]),
            ([("network", 1_800), ("earliestBeginDate", 1_800)], [1_800_000, 0]),
            ([("earliestBeginDate", 1_800), ("network", 1_000)], [0, nil]),
            ([("earliestBeginDate", 1_800), ("network", 900), ("concurrency", 900)], [0, nil, nil]), ([], []),
        ] as [([(String, Int)], [Int64?])])
    func holdTimes(waits: [(gate: String, seconds: Int)], starts: [Int64?]) throws {
        let texts = waits.map { #"{"gate":"\#($0.gate)","seconds":\#($0.seconds)}"# }.joined(separator: ",")
        let run = Fixture.run(
            7, asked: Fixture.at(8), started: Fixture.at(9), ended: Fixture.at(9), waits: texts
        ).replacing("\"waitedSeconds\":1", with: "\"waitedSeconds\":3600")
        let request = try #require(try chart(runs: [run]).devices[0].tasks.first?.requests.first)
        #expect(request.holds.map(\.gate) == waits.map(\.gate))
        let expected = starts.map { start in start.map { time(8).advanced(by: .milliseconds($0)) } }
        #expect(request.holds.map(\.start) == expected)
    }

    @Test("a simulated launch, another attempt and a run that goes on are what they are")
    func specialRuns() throws {
        let text = Fixture.run(2, asked: Fixture.at(8), started: Fixture.at(9), ended: nil, state: "running")
        let run = text.replacing("\"scheduled\"", with: "\"simulated\"").replacing(
            "\"attempt\":1", with: "\"attempt\":3")
        let request = try #require(try chart(runs: [run]).devices[0].tasks.first?.requests.first)
        #expect(
            request.outcome
                == .granted(
                    ChartRun(
                        number: 2, startedAt: time(9), endedAt: nil, state: "running", isSimulatedLaunch: true)))
        #expect(request.note == "attempt 3")
    }

    @Test("what began after the span still waited at its end, and what was over before it is not shown")
    func outside() throws {
        var span = Fixture.span
        span.start = Fixture.milliseconds(6)
        span.end = Fixture.milliseconds(8)
        let runs = [
            Fixture.run(4, asked: Fixture.at(9), started: Fixture.at(10), ended: Fixture.at(10)),
            Fixture.run(
                3, asked: Fixture.at(7), started: Fixture.at(10), ended: Fixture.at(10),
                waits: #"{"gate":"deviceIdle","seconds":9}"#),
            Fixture.run(2, asked: Fixture.at(3), started: Fixture.at(5), ended: Fixture.at(7)),
            Fixture.run(1, asked: Fixture.at(1), started: Fixture.at(2), ended: Fixture.at(3)),
        ]
        let requests = try #require(try chart(runs: runs, span: span).devices[0].tasks.first?.requests)
        #expect(requests.map(\.submittedAt) == [time(3), time(7)])
        #expect(requests[1].outcome == .pending && requests[1].holds == [])
    }

    @Test("a request that waits is held by the first closed gate of its explanation, since that closed")
    func pending() throws {
        let request = Fixture.request(
            9, asked: Fixture.at(10), more: #","earliestBeginDate":"2026-11-30T18:00:00.000Z""#)
        func explained(_ gates: String, submission: Int = 9) throws -> ChartRequest {
            let explanation = #"{"pending":{"submission":\#(submission)},"gates":[\#(gates)]}"#
            let chart = try chart(requests: [request], explanations: ["com.example.app.export": explanation])
            return try #require(chart.devices[0].tasks.first?.requests.first)
        }
        let open = #"{"gate":"paused","verdict":"open","detail":"Nothing is paused."}"#
        let power =
            #"{"gate":"externalPower","verdict":"closed","since":"2026-11-30T11:00:00.000Z","detail":"No power."}"#
        let held = try explained("\(open),\(power)")
        #expect(held.outcome == .pending)
        #expect(held.floor == time(18))
        let expected = ChartHold(
            gate: "externalPower", start: time(11), milliseconds: Fixture.hour, detail: "No power.")
        #expect(held.holds == [expected])
        // Closed long before the request was there.
        let early = power.replacing("11:00", with: "04:00")
        #expect(try explained(early).holds.map(\.start) == [time(10)])
        #expect(try explained(early).holds.map(\.milliseconds) == [2 * Fixture.hour])
        let floor = #"{"gate":"earliestBeginDate","verdict":"closed","detail":"Not yet."}"#
        #expect(try explained(floor).holds.map(\.start) == [time(10)])
        #expect(try explained(#"{"gate":"network","verdict":"unknown","detail":"Lost."}"#).holds == [])
        #expect(try explained(open).holds == [])
        #expect(try explained(power, submission: 10).holds == [], "another request of the same task")
        #expect(try chart(requests: [request]).devices[0].tasks[0].requests[0].holds == [])
    }

    @Test("requests are sorted by task and time; a request that waits for another attempt is beside its runs")
    func order() throws {
        let runs = [
            Fixture.run(3, "b", asked: Fixture.at(4), started: Fixture.at(5), ended: Fixture.at(5)),
            Fixture.run(2, "a", asked: Fixture.at(3), started: Fixture.at(4), ended: Fixture.at(4)),
            Fixture.run(1, "a", asked: Fixture.at(1), started: Fixture.at(2), ended: Fixture.at(2)),
        ]
        let waiting = Fixture.request(2, "a", asked: Fixture.at(3)).replacing(
            "\"attempts\":0", with: "\"attempts\":1")
        let lanes = try chart(runs: runs, requests: [waiting]).devices[0].tasks
        #expect(lanes.map(\.identifier) == ["com.example.app.a", "com.example.app.b"])
        #expect(lanes[0].requests.map(\.submittedAt) == [time(1), time(3), time(3)])
        #expect(lanes[0].requests.map { $0.outcome == .pending } == [false, false, true])
        #expect(lanes[0].requests[2].note == "attempt 2")
    }

    @Test(
        "a start after a crash, a reboot or an upgrade of the system is a mark, if it was within the span",
        arguments: [
            ("crash", 3, ChartMark.Kind.crash), ("reboot", 3, .reboot), ("osUpgrade", 3, .osUpgrade),
            ("runnerUpgrade", 3, nil), ("crash", 13, nil),
        ])
    func starts(cause: String, hour: Int, kind: ChartMark.Kind?) throws {
        let status = Fixture.status(startedAt: Fixture.at(hour), more: #","recovered":"\#(cause)""#)
        let marks = try chart(status: status).devices[0].marks
        #expect(marks.map(\.kind) == (kind.map { [$0] } ?? []))
        #expect(marks.allSatisfy { $0.at == time(hour) })
    }
}
