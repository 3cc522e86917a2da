import RPC
import Scheduling
import Simulation

/// The picture of what a daemon told of a span of time.
struct TimelineChart {
    let answers: TimelineAnswers
    let span: TimelineSpan
    /// What the timeline is about, when it is not about everything.
    var subject: String?
    var utcOffsetSeconds = 0

    var chart: DayChart {
        var device = DeviceLane(name: "This device", policy: text(answers.status, "policy"))
        device.bands = conditions.bands
        device.marks = start.map { [$0] } ?? []
        device.tasks = tasks
        return DayChart(
            title: subject.map { "Timeline of \($0)" } ?? "Timeline", subtitle: subtitle, start: time(span.start),
            end: time(span.end), utcOffsetSeconds: utcOffsetSeconds, devices: [device])
    }

    // MARK: Private

    private var daemonStart: Int64 { answers.status.date("startedAt") ?? span.now }

    private var conditions: TimelineConditions {
        TimelineConditions(
            span: span, daemonStart: daemonStart, changes: answers.changes, now: answers.conditions)
    }

    private var subtitle: String {
        let cut = answers.isCut ? "; only the newest \(TimelineReader.mostRuns) runs" : ""
        return "from the history of Runner \(text(answers.status, "version"))\(cut)"
    }

    /// Why the daemon was started again, when that was within the span.
    private var start: ChartMark? {
        guard (span.start...span.end).contains(daemonStart) else { return nil }
        let kind: ChartMark.Kind
        switch RecoveryCause(rawValue: text(answers.status, "recovered")) {
        case .reboot: kind = .reboot
        case .osUpgrade: kind = .osUpgrade
        case .crash: kind = .crash
        case .runnerUpgrade, nil: return nil
        }
        return ChartMark(kind, at: time(daemonStart), detail: "The daemon was started again.")
    }

    private struct Task: Hashable {
        var app: String
        var identifier: String
    }

    private var tasks: [TaskLane] {
        var lanes: [Task: TaskLane] = [:]
        func add(_ json: JSONValue, _ request: ChartRequest?) {
            guard let request else { return }
            let task = Task(app: text(json, "app"), identifier: text(json, "identifier"))
            // What came first is what is newest.
            lanes[
                task, default: TaskLane(app: task.app, identifier: task.identifier, kind: text(json, "kind"))
            ].requests.append(request)
        }
        for request in answers.requests { add(request, pending(request)) }
        for run in answers.runs { add(run, granted(run)) }
        return lanes.values.map { lane in
            var lane = lane
            lane.requests.sort { ($0.submittedAt, number($0)) < ($1.submittedAt, number($1)) }
            return lane
        }.sorted { ($0.app, $0.identifier) < ($1.app, $1.identifier) }
    }

    private func number(_ request: ChartRequest) -> Int64 {
        if case .granted(let run) = request.outcome { run.number } else { .max }
    }

    // MARK: Requests

    private func granted(_ run: JSONValue) -> ChartRequest? {
        guard let submittedAt = run.date("submittedAt"), let startedAt = run.date("startedAt"),
            submittedAt <= span.end, run.date("endedAt") ?? .max >= span.start
        else { return nil }
        var request = ChartRequest(
            submittedAt: time(submittedAt), floor: run.date("earliestBeginDate").map { time($0) }, holds: [],
            outcome: .pending)
        // At the end of the span it still waited; of that time nothing is kept.
        guard startedAt <= span.end else { return request }
        request.holds = holds(run, submittedAt: submittedAt)
        request.outcome = .granted(
            ChartRun(
                number: run["run"]?.integer ?? 0, startedAt: time(startedAt),
                endedAt: run.date("endedAt").map { time($0) }, state: text(run, "state"),
                expirationReason: run["expirationReason"]?.string,
                isSimulatedLaunch: run["origin"]?.string == RunOrigin.simulated.rawValue))
        let attempt = run["attempt"]?.integer ?? 1
        request.note = [attempt > 1 ? "attempt \(attempt)" : "", text(run, "message")].filter { !$0.isEmpty }
            .joined(separator: ": ")
        return request
    }

    /// History keeps how long each gate held a request, and not when. That is known all the same of the floor, which holds
    /// first, and of the gate that held it for all the rest of the time.
    private func holds(_ run: JSONValue, submittedAt: Int64) -> [ChartHold] {
        var holds = run.elements("waits").map { wait in
            ChartHold(gate: text(wait, "gate"), start: nil, milliseconds: wait.milliseconds("seconds") ?? 0)
        }
        let floor = holds.firstIndex { $0.gate == GateName.earliestBeginDate.rawValue }
        if let floor { holds[floor].start = time(submittedAt) }
        let others = holds.indices.filter { $0 != floor }
        let floored = floor.map { holds[$0].milliseconds } ?? 0
        if others.count == 1, run.milliseconds("waitedSeconds") == floored + holds[others[0]].milliseconds {
            holds[others[0]].start = time(submittedAt + floored)
        }
        return holds
    }

    private func pending(_ json: JSONValue) -> ChartRequest? {
        guard let submittedAt = json.date("submittedAt"), submittedAt <= span.end else { return nil }
        let attempts = json["attempts"]?.integer ?? 0
        return ChartRequest(
            submittedAt: time(submittedAt), floor: json.date("earliestBeginDate").map { time($0) },
            holds: hold(json, submittedAt: submittedAt).map { [$0] } ?? [], outcome: .pending,
            note: attempts > 0 ? "attempt \(attempts + 1)" : "")
    }

    /// The gate that holds a request now, as `explain` says it; of the gates before it nothing is kept.
    private func hold(_ request: JSONValue, submittedAt: Int64) -> ChartHold? {
        guard let explanation = answers.explanations[text(request, "identifier")],
            explanation["pending"]?["submission"]?.integer == request["submission"]?.integer,
            let gate = explanation.elements("gates").first(where: {
                text($0, "verdict") != GateVerdict.open.rawValue
            })
        else { return nil }
        // A floor holds from the submission on.
        let isFloor = text(gate, "gate") == GateName.earliestBeginDate.rawValue
        guard let known = gate.date("since") ?? (isFloor ? submittedAt : nil) else { return nil }
        let since = max(known, submittedAt)
        guard since < span.known else { return nil }
        return ChartHold(
            gate: text(gate, "gate"), start: time(since), milliseconds: span.known - since,
            detail: text(gate, "detail"))
    }

    private func time(_ milliseconds: Int64) -> WallTime { WallTime(milliseconds: milliseconds) }

    private func text(_ json: JSONValue, _ name: String) -> String { json[name]?.string ?? "" }
}
