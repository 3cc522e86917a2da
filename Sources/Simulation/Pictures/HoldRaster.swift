internal import Scheduling

/// Which gate held the most, for each column of a line: how the waits of many requests are drawn as one.
struct HoldRaster {
    struct Stretch {
        /// `nil` where no gate is known to have held.
        let gate: String?
        var from: Double
        var until: Double
    }

    /// Neighbours with the same gate are one. Columns in which nothing waited are left out.
    static func stretches(_ requests: [ChartRequest], _ scale: ChartScale, column: Double) -> [Stretch] {
        var columns: [Int: [String: Double]] = [:]
        for request in requests {
            let end = request.endedWaitingAt ?? max(scale.end, request.submittedAt)
            for segment in WaitSegment.of(request, until: end) where scale.shows(segment.from, segment.until) {
                let from = (scale.place(segment.from) - scale.left) / column
                let until = (scale.place(segment.until) - scale.left) / column
                var place = Int(from)
                while Double(place) < until {
                    let part = min(until, Double(place + 1)) - max(from, Double(place))
                    columns[place, default: [:]][segment.gate ?? "", default: 0] += part
                    place += 1
                }
            }
        }
        var stretches: [Stretch] = []
        for place in columns.keys.sorted() {
            let longest = columns[place]?.max { ($0.value, $1.key) < ($1.value, $0.key) }
            let gate = longest.flatMap { $0.key.isEmpty ? nil : $0.key }
            let from = scale.left + Double(place) * column
            if let last = stretches.last, last.gate == gate, last.until >= from - 0.01 {
                stretches[stretches.count - 1].until = from + column
            } else {
                stretches.append(Stretch(gate: gate, from: from, until: min(from + column, scale.right)))
            }
        }
        return stretches
    }
}
