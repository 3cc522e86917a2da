import Scheduling
import Simulation

/// What became of a request, in words.
struct RequestWords {
    let request: ChartRequest
    let clock: LifeClock

    /// How many gates a line names; the others are counted.
    private static let shownGates = 3

    /// When it was granted, or why it was not.
    var granted: String {
        switch request.outcome {
        case .granted(let run): clock.text(run.startedAt)
        case .withdrawn: "withdrawn"
        case .pending: "still waits"
        case .refused: "refused"
        }
    }

    var color: Style.Color? {
        switch request.outcome {
        case .granted(let run): StateWords.color(run.state)
        case .withdrawn, .pending: .yellow
        case .refused: .red
        }
    }

    /// Milliseconds from the submission, or from a later floor, to the run or to the end of the waiting.
    var waited: Int64? { request.waitedMilliseconds }

    /// Milliseconds by gate, in the order in which they first held it.
    var gates: [(gate: String, milliseconds: Int64)] {
        var gates: [(gate: String, milliseconds: Int64)] = []
        for hold in request.holds {
            if let position = gates.firstIndex(where: { $0.gate == hold.gate }) {
                gates[position].milliseconds += hold.milliseconds
            } else {
                gates.append((hold.gate, hold.milliseconds))
            }
        }
        return gates
    }

    /// The gates that held it and for how long, those that held it longest first.
    var late: String {
        let gates = gates.enumerated().sorted {
            ($1.element.milliseconds, $0.offset) < ($0.element.milliseconds, $1.offset)
        }
        .map { "\($0.element.gate) \(DurationText.nearest($0.element.milliseconds))" }
        let rest = gates.count - Self.shownGates
        return gates.prefix(Self.shownGates).joined(separator: ", ") + (rest > 0 ? " and \(rest) more" : "")
    }

    /// How the run ended, and what else there is to say.
    var result: String {
        var words: [String] = []
        switch request.outcome {
        case .granted(let run):
            words.append(run.state)
            if let ended = run.endedAt {
                words[0] += " in \(DurationText.nearest(run.startedAt.duration(to: ended).wholeMilliseconds))"
            }
            if let reason = run.expirationReason { words.append("expired: \(reason)") }
        case .withdrawn(let at, let detail): words.append("\(clock.text(at)), \(detail)")
        case .pending: break
        case .refused(let detail): words.append(detail)
        }
        if !request.note.isEmpty { words.append(request.note) }
        return Printable.text(words.joined(separator: "; "))
    }
}

extension DeviceReport {
    /// The requests of all tasks in the order of their submission.
    var requests: [(task: TaskLane, request: ChartRequest)] {
        let all = lane.tasks.flatMap { task in task.requests.map { (task, $0) } }
        return all.enumerated().sorted { ($0.element.1.submittedAt, $0.offset) < ($1.element.1.submittedAt, $1.offset) }
            .map { (task: $0.element.0, request: $0.element.1) }
    }
}
