import Scheduling
import Testing

@Suite("Diagnostics of an explanation")
struct ExplanationTests {
    private func diagnostic(_ name: Diagnostic.Name, at second: Int64) -> Diagnostic {
        Diagnostic(name, .warning, at: WallTime(milliseconds: second * 1_000), message: "at \(second)")
    }

    private var empty: Explanation {
        let timeline = Timeline()
        return timeline.scheduler.explain(Fixture.task("refresh"), at: timeline.now)
    }

    @Test("the latest of each name stays, with how many there were")
    func latest() {
        var explanation = empty
        explanation.add([
            diagnostic(.startFailed, at: 1), diagnostic(.postponed, at: 2), diagnostic(.startFailed, at: 3),
        ])
        #expect(explanation.diagnostics.map(\.message) == ["at 2", "at 3"])
        #expect(explanation.diagnosticCounts == [.startFailed: 2, .postponed: 1])
    }

    @Test("an older one that comes in later counts, and does not replace the latest")
    func older() {
        var explanation = empty
        explanation.add([diagnostic(.startFailed, at: 3)])
        explanation.add([diagnostic(.startFailed, at: 1)])
        #expect(explanation.diagnostics.map(\.message) == ["at 3"])
        #expect(explanation.diagnosticCounts == [.startFailed: 2])
    }
}
