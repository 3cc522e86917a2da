internal import Scheduling

/// A part of a request's wait in which one gate held it, or none that is known.
struct WaitSegment {
    /// `nil` for a time that no gate is known to have held.
    let gate: String?
    let from: WallTime
    let until: WallTime
    let detail: String

    /// The whole wait in order, without gaps; empty for a request that did not wait.
    static func of(_ request: ChartRequest, until end: WallTime) -> [WaitSegment] {
        var holds = request.holds.compactMap { hold in
            hold.start.map { (gate: hold.gate, from: $0, until: later($0, hold.milliseconds), detail: hold.detail) }
        }
        if let floor = request.floor, floor > request.submittedAt, !holds.contains(where: { $0.from < floor }) {
            holds.append((GateCodes.floor, request.submittedAt, floor, ""))
        }
        holds.sort { ($0.from, $0.until, $0.gate) < ($1.from, $1.until, $1.gate) }
        var segments: [WaitSegment] = []
        var reached = request.submittedAt
        for hold in holds where hold.until > reached && hold.from < end {
            let from = max(hold.from, reached)
            if from > reached { segments.append(WaitSegment(gate: nil, from: reached, until: from, detail: "")) }
            reached = min(hold.until, end)
            segments.append(WaitSegment(gate: hold.gate, from: from, until: reached, detail: hold.detail))
        }
        if reached < end { segments.append(WaitSegment(gate: nil, from: reached, until: end, detail: "")) }
        return segments
    }

    private static func later(_ time: WallTime, _ milliseconds: Int64) -> WallTime {
        time.advanced(by: .milliseconds(max(0, milliseconds)))
    }
}
