import Scheduling
import Simulation

/// The requests of one task, counted.
struct LaneTally {
    private(set) var asked = 0
    private(set) var granted = 0
    private(set) var failed = 0
    private(set) var first: WallTime?
    private(set) var longestWait: Int64 = 0
    private var waited: Int64 = 0
    private var held: [String: Int64] = [:]

    init(_ lane: TaskLane, clock: LifeClock) {
        for request in lane.requests {
            asked += 1
            guard case .granted(let run) = request.outcome else { continue }
            granted += 1
            first = min(first ?? run.startedAt, run.startedAt)
            if StateWords.isFailure(run.state) { failed += 1 }
            let words = RequestWords(request: request, clock: clock)
            waited += words.waited ?? 0
            longestWait = max(longestWait, words.waited ?? 0)
            for (gate, milliseconds) in words.gates { held[gate, default: 0] += milliseconds }
        }
    }

    var meanWait: Int64 { granted == 0 ? 0 : waited / Int64(granted) }

    /// The two gates that held it longest, and their shares of all waiting.
    var gates: String {
        let all = held.values.reduce(0, +)
        guard all > 0 else { return "" }
        return held.sorted { ($1.value, $0.key) < ($0.value, $1.key) }.prefix(2)
            .map { "\($0.key) \($0.value * 100 / all)%" }.joined(separator: ", ")
    }
}
