import Scheduling

/// A request that waits, with what holds it and since when; the account that every report and picture is drawn from.
struct WaitingRequest: Sendable {
    var request: ChartRequest
    /// What holds it: a gate's name, or that the device is off.
    var gate: String?
    var gateSince: Moment
    /// From when on it waits: when it was asked, or from its floor on; `nil` while the floor is ahead.
    var waitsSince: Int64?

    mutating func endHold(at now: Moment, lasting time: Int64) {
        if let gate, time > 0 {
            request.holds.append(ChartHold(gate: gate, start: gateSince.wall, milliseconds: time))
        }
        gateSince = now
    }

    /// Notes from when on it waits, if its floor was reached by now.
    mutating func reachFloor(_ now: Moment, _ lived: Int64, byJump: Bool = false) {
        guard waitsSince == nil, let floor = request.floor, floor <= now.wall else { return }
        waitsSince = byJump ? lived : lived - floor.duration(to: now.wall).wholeMilliseconds
    }
}

extension ChartRequest {
    /// When the last of it happened; `nil` when it is pending.
    var lastTime: WallTime? {
        switch outcome {
        case .granted(let run): run.startedAt
        case .withdrawn(let at, _): at
        case .refused: submittedAt
        case .pending: nil
        }
    }
}

extension ChartRun {
    /// A run as the scheduler tells of it.
    init(_ record: RunRecord) {
        self.init(
            number: record.run.number, startedAt: record.startedAt, endedAt: record.endedAt,
            state: record.state.rawValue, expirationReason: record.expirationReason?.rawValue,
            isSimulatedLaunch: record.origin == .simulated)
    }
}
