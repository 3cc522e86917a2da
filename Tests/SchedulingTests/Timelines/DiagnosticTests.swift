import Scheduling
import Simulation
import Testing

/// B40: what a person is told.
struct DiagnosticTests {
    private let refresh = Fixture.task("refresh")

    @Test("a run after which nothing is pending says that it will not run again (B40)")
    func lastRunsSaySo() throws {
        var timeline = Timeline()
        timeline.submit(refresh)
        timeline.finish(refresh)
        let diagnostic = try #require(timeline.lastRun(refresh)?.diagnostics.first)
        #expect(diagnostic.name == .willNotRunAgain)
        #expect(diagnostic.identifier == refresh && diagnostic.at == timeline.now.wall)
        #expect(diagnostic.expected != nil && diagnostic.fix != nil)
    }

    @Test("with the next request pending it says nothing (B40)")
    func armedTasksSayNothing() {
        var timeline = Timeline()
        timeline.submit(refresh)
        timeline.enter(refresh)
        timeline.submit(refresh, after: .hours(1))
        timeline.complete(refresh)
        #expect(timeline.lastRun(refresh)?.diagnostics.isEmpty == true)
    }

    @Test("every refusal is one sentence that says what to do, and is published (B40)")
    func refusalsSayWhatToDo() {
        var timeline = Timeline()
        let replies = [
            timeline.submit(Fixture.task("refesh")), timeline.submit(refresh, after: .days(-40_000)),
            timeline.submit(Fixture.task("export"), kind: .appRefresh),
        ]
        for reply in replies { #expect(reply.message?.hasSuffix(".") == true) }
        let published = timeline.effects.count { if case .publish(.refused) = $0 { true } else { false } }
        #expect(published == 3)
    }

    @Test("explain says one sentence for each status", arguments: [0, 1, 2, 3, 4, 5])
    func explanationsHaveAStatus(number: Int) {
        var timeline = Timeline(handlers: [("refresh", nil)])
        let identifiers = [Fixture.tool("x"), Fixture.task("export"), refresh, refresh, refresh, refresh]
        let expected: [Explanation.Status] = [.notPermitted, .notRegistered, .idle, .waiting, .running, .eligible]
        switch number {
        case 3: timeline.submit(refresh, after: .hours(1))
        case 4: timeline.submit(refresh)
        case 5:
            timeline.submit(refresh, after: .seconds(1))
            timeline.setClock(by: .zero)
        default: break
        }
        var moment = timeline.now
        if number == 5 { moment.wall = moment.wall.advanced(by: .seconds(1)) }
        let explanation = timeline.scheduler.explain(identifiers[number], at: moment)
        #expect(explanation.status == expected[number])
        #expect(explanation.summary.hasSuffix("."))
    }

    @Test("the only slot is not all of several")
    func oneSlot() {
        var policy = Policy.prompt
        policy.concurrency = 1
        var timeline = Timeline(policy: policy, handlers: [("refresh", nil), ("export", nil)])
        timeline.submit(refresh)
        let export = Fixture.task("export")
        timeline.submit(export)
        let summary = timeline.scheduler.explain(export, at: timeline.now).summary
        #expect(summary.contains("the only slot is taken; it starts when a run ends"), "\(summary)")
    }

    @Test("explain names the gate, when it opens, and how many more are closed")
    func explanationsNameGates() throws {
        var timeline = Timeline()
        timeline.report(.externalPower, .flag(false))
        timeline.submit(refresh, after: .minutes(90), power: true)
        let explanation = timeline.scheduler.explain(refresh, at: timeline.now)
        #expect(
            explanation.summary
                == "com.example.app.refresh waits at the gate earliestBeginDate: its earliestBeginDate comes in 1 h 30 min. "
                + "1 more of its gates is closed.")
        let floor = try #require(explanation.gates.first { $0.gate == .earliestBeginDate })
        #expect(floor.opensAt == timeline.now.wall.advanced(by: .minutes(90)))
        #expect(explanation.gates.first { $0.gate == .externalPower }?.source == "kernel")
    }

    @Test("every gate that holds has a reason (B18)")
    func gatesHaveReasons() {
        var timeline = Timeline()
        timeline.submit(refresh, after: .hours(1), network: true, power: true)
        for gate in timeline.scheduler.explain(refresh, at: timeline.now).gates {
            #expect(!gate.detail.isEmpty && gate.detail != "open" && gate.detail != "closed")
        }
    }
}
