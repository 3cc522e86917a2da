internal import Scheduling

/// Requests of a lane that are drawn as one: mostly one, or as many as would lie on each other.
struct LaneElement {
    /// In the order of their ends.
    let requests: [ChartRequest]
    /// Where the first of them stopped waiting.
    let anchor: Double

    /// - Parameters:
    ///   - reach: how far from the first one's end another's sign would touch its own.
    ///   - mergedReach: the same for the sign of several.
    static func of(
        _ requests: [ChartRequest], _ scale: ChartScale, reach: Double, mergedReach: Double
    ) -> [LaneElement] {
        let placed = requests.filter { scale.shows($0.submittedAt, $0.endedWaitingAt ?? scale.end) }
            .map { (request: $0, end: $0.endedWaitingAt ?? max(scale.end, $0.submittedAt)) }
            .sorted { ($0.end, $0.request.submittedAt) < ($1.end, $1.request.submittedAt) }
        var elements: [LaneElement] = []
        var group: [ChartRequest] = []
        var anchor = 0.0
        for (request, end) in placed {
            let place = scale.place(end)
            if !group.isEmpty, place - anchor >= (group.count == 1 ? reach : mergedReach) {
                elements.append(LaneElement(requests: group, anchor: anchor))
                group = []
            }
            if group.isEmpty { anchor = place }
            group.append(request)
        }
        if !group.isEmpty { elements.append(LaneElement(requests: group, anchor: anchor)) }
        return elements
    }
}
