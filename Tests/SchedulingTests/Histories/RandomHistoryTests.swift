import Foundation
import Scheduling
import Testing

/// Random histories keep every invariant. `RUNNER_HISTORIES=200000` lives through more of them.
struct RandomHistoryTests {
    private static let parts = 20

    private static var historiesPerPart: Int {
        (ProcessInfo.processInfo.environment["RUNNER_HISTORIES"].flatMap { Int($0) } ?? 10_000) / parts
    }

    @Test("whatever happens, in whatever order, nothing is lost, doubled or stuck", arguments: 0..<parts)
    func randomHistoriesKeepTheInvariants(part: Int) {
        let count = Self.historiesPerPart
        for seed in (part * count)..<((part + 1) * count) {
            var history = RandomHistory(seed: UInt64(seed))
            history.live(steps: 24, endsQuietly: seed % 8 == 0)
            guard let problem = history.problems.first else { continue }
            // Once more, to tell how it came to this.
            var again = RandomHistory(seed: UInt64(seed), logs: true)
            again.live(steps: 24, endsQuietly: seed % 8 == 0)
            let story = (again.log ?? []).suffix(60).joined(separator: "\n")
            Issue.record("seed \(seed): \(problem)\n\(story)")
            return
        }
    }

    @Test("each kind of notice is needed to know what is pending and running", arguments: Observer.Kind.allCases)
    func everyNoticeCounts(kind: Observer.Kind) {
        let isMissed = (0..<2_000).contains { seed in
            var history = RandomHistory(seed: UInt64(seed), deafTo: kind)
            history.live(steps: 24, endsQuietly: false)
            return history.problems.contains { $0.contains("was told as") }
        }
        #expect(isMissed)
    }
}
