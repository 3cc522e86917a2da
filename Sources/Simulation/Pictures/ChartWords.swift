internal import Scheduling

/// What the elements of a chart say when they are looked at. The first line names the element.
struct ChartWords {
    let clock: PictureClock
    /// Holds that are told one by one.
    private static let mostHolds = 12

    func request(_ request: ChartRequest, _ task: TaskLane) -> [String] {
        var lines = ["Request of \(PictureWords.name(task.identifier))", asked(request)]
        for hold in request.holds.prefix(Self.mostHolds) { lines.append("held by " + self.hold(hold)) }
        let rest = Array(request.holds.dropFirst(Self.mostHolds))
        if !rest.isEmpty {
            lines.append("and \(PictureWords.count(rest.count, "more time", "more times")): \(holdTotals(rest))")
        }
        lines.append(became(request))
        if !request.note.isEmpty { lines.append(request.note) }
        return lines
    }

    func run(_ run: ChartRun, _ task: TaskLane) -> [String] {
        var lines = ["Run \(run.number) of \(PictureWords.name(task.identifier))"]
        if let end = run.endedAt {
            lines.append("\(clock.span(run.startedAt, end)) (\(LengthText.between(run.startedAt, end)))")
        } else {
            lines.append("since \(clock.when(run.startedAt))")
        }
        lines.append(state(run))
        if run.isSimulatedLaunch { lines.append("simulated: started by command") }
        return lines
    }

    func merged(_ requests: [ChartRequest], _ task: TaskLane) -> [String] {
        let first = requests.map(\.submittedAt).min() ?? WallTime(milliseconds: 0)
        let last = requests.map { $0.endedWaitingAt ?? $0.submittedAt }.max() ?? first
        var lines = [
            "\(requests.count) requests of \(PictureWords.name(task.identifier)), drawn as one",
            "\(clock.span(first, last)): \(LaneCounts(requests).words)",
        ]
        let states = LaneCounts.states(requests)
        if !states.isEmpty { lines.append(states) }
        let totals = holdTotals(requests.flatMap(\.holds))
        if !totals.isEmpty { lines.append("held by " + totals) }
        return lines
    }

    func band(_ bands: [ChartBand]) -> [String] {
        guard let first = bands.first, let last = bands.last else { return [] }
        if bands.count == 1 {
            var lines = [
                PictureWords.band(first.kind),
                "\(clock.span(first.start, first.end)) (\(LengthText.between(first.start, first.end)))",
            ]
            if !first.detail.isEmpty { lines.append(first.detail) }
            return lines
        }
        let total = bands.reduce(Int64(0)) { Self.sum($0, $1.start.duration(to: $1.end).wholeMilliseconds) }
        return [
            "\(PictureWords.band(first.kind)), \(bands.count) times, drawn as one",
            "\(clock.span(first.start, last.end)) (\(LengthText.of(total)) in all)",
        ]
    }

    func mark(_ marks: [ChartMark]) -> [String] {
        guard let first = marks.first, let last = marks.last else { return [] }
        if marks.count == 1 {
            var lines = [PictureWords.mark(first.kind), clock.when(first.at)]
            if let app = first.app { lines[0] += ": \(app)" }
            if !first.detail.isEmpty { lines.append(first.detail) }
            return lines
        }
        return [
            "\(PictureWords.mark(first.kind)), \(marks.count) times, drawn as one", clock.span(first.at, last.at),
        ]
    }

    func asked(_ request: ChartRequest) -> String {
        var text = "asked \(clock.when(request.submittedAt))"
        if let floor = request.floor { text += ", not before \(clock.when(floor))" }
        return text
    }

    func hold(_ hold: ChartHold) -> String {
        var text = "\(PictureWords.name(hold.gate)) for \(LengthText.of(hold.milliseconds))"
        if let start = hold.start { text += " from \(clock.when(start))" } else { text += " (when is not known)" }
        return hold.detail.isEmpty ? text : text + ": \(hold.detail)"
    }

    func became(_ request: ChartRequest) -> String {
        switch request.outcome {
        case .granted(let run):
            let waited = LengthText.of(request.waitedMilliseconds ?? 0)
            return "granted \(clock.when(run.startedAt)) after \(waited), as run \(run.number)"
        case .withdrawn(let at, let detail):
            return "withdrawn \(clock.when(at))" + (detail.isEmpty ? "" : ": \(detail)")
        case .pending: return "still pending at the end"
        case .refused(let detail): return "refused" + (detail.isEmpty ? "" : ": \(detail)")
        }
    }

    func state(_ run: ChartRun) -> String {
        run.state + (run.expirationReason.map { " (\($0))" } ?? "")
    }

    /// Each gate once with its whole time, the longest first.
    func holdTotals(_ holds: [ChartHold]) -> String {
        Self.totals(holds).map { "\(PictureWords.name($0.gate)) for \(LengthText.of($0.milliseconds))" }.joined(
            separator: ", ")
    }

    static func totals(_ holds: [ChartHold]) -> [(gate: String, milliseconds: Int64)] {
        var totals: [String: Int64] = [:]
        for hold in holds { totals[hold.gate] = sum(totals[hold.gate] ?? 0, hold.milliseconds) }
        return totals.sorted { ($1.value, $0.key) < ($0.value, $1.key) }.map { ($0.key, $0.value) }
    }

    private static func sum(_ left: Int64, _ right: Int64) -> Int64 {
        let (sum, overflow) = left.addingReportingOverflow(right)
        return overflow ? .max : sum
    }
}
