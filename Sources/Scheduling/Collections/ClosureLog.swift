/// When gates of the whole runner were closed, on the boot clock: ready requests count their waits from it.
struct ClosureLog: Sendable {
    private static let kept = 64
    private var intervals: [(gate: GateName, from: Int64, to: Int64?)] = []

    mutating func close(_ gate: GateName, at now: BootTime) {
        guard !intervals.contains(where: { $0.gate == gate && $0.to == nil }) else { return }
        intervals.append((gate, now.milliseconds, nil))
        if intervals.count > Self.kept { intervals.removeFirst() }
    }

    mutating func open(_ gate: GateName, at now: BootTime) {
        guard let position = intervals.firstIndex(where: { $0.gate == gate && $0.to == nil }) else { return }
        intervals[position].to = now.milliseconds
    }

    /// The closed time within a span, by gate; where two overlap the earlier counts.
    func overlaps(from began: Int64, to ended: Int64) -> [(GateName, Int64)] {
        var counted = began
        var result: [(GateName, Int64)] = []
        for interval in intervals {
            let from = max(interval.from, counted)
            let to = min(interval.to ?? ended, ended)
            guard to > from else { continue }
            result.append((interval.gate, to - from))
            counted = to
        }
        return result
    }
}
