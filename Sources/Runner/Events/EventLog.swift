import Scheduling

/// Numbers what is published, and keeps the last of it for those who subscribe later.
///
/// While nobody subscribes an event costs no more than its place here; it is written as JSON when it is sent.
struct EventLog {
    /// How many events a subscriber can go back.
    static let kept = 4_096

    /// The number of the last event; 0 before the first.
    private(set) var sequence: Int64 = 0
    /// The last events; the one with the number n is at n modulo `kept`, less 1.
    private var ring: [RunnerEvent] = []
    private var paces = RunPaces()
    /// The number of the last event that was handed to subscribers.
    private var delivered: Int64 = 0

    /// Events after this one can still be replayed.
    var oldestPlace: Int64 { sequence - Int64(ring.count) }
    /// When something that was held back is due.
    var deadline: BootTime? { paces.deadline }

    // MARK: - What happens

    mutating func record(_ notice: Notice, at now: Moment) {
        switch notice {
        case .progressed(let run):
            guard paces.admitsProgress(run, at: now.boot) else { return }
        case .expiring(let run): append(paces.take(run.run), at: now)
        case .ended(let run):
            append(paces.take(run.run), at: now)
            paces.forget(run.run)
        case .submitted, .refused, .refiled, .withdrawn, .claimed, .launched, .diagnostic, .gateChanged,
            .appStateChanged, .deviceChanged, .phaseChanged:
            break
        }
        append(.notice(notice), at: now)
    }

    /// A line of a run or of an app was kept; `false` when it is told of already, or of a run that nobody knows.
    mutating func recordLine(
        at position: LogPosition, of app: AppIdentifier, now: Moment, identifier: () -> TaskIdentifier?
    ) -> Bool {
        var line = RunPaces.Line(position: position, identifier: nil, app: app)
        guard !paces.holdsLine(before: line) else { return false }
        if position.number == nil {
            guard let identifier = identifier() else { return false }
            line.identifier = identifier
        }
        if let body = paces.admitsLine(line, at: now.boot) { append(body, at: now) }
        return true
    }

    /// What was held back for long enough.
    mutating func recordDue(at now: Moment) {
        append(paces.takeDue(at: now.boot), at: now)
    }

    // MARK: - Who is told

    /// The next event that was not handed out yet.
    mutating func nextUndelivered() -> RunnerEvent? {
        guard delivered < sequence else { return nil }
        delivered = max(delivered, oldestPlace) + 1
        return ring[Self.position(of: delivered)]
    }

    /// Nobody wants what is there now.
    mutating func skipDelivery() {
        delivered = sequence
    }

    /// The kept events after a place, in order.
    func events(after place: Int64) -> some Sequence<RunnerEvent> {
        let first = max(place, oldestPlace) + 1
        return (first..<max(first, sequence + 1)).lazy.map { ring[Self.position(of: $0)] }
    }

    // MARK: - Private

    private mutating func append(_ bodies: [RunnerEvent.Body], at now: Moment) {
        for body in bodies { append(body, at: now) }
    }

    private mutating func append(_ body: RunnerEvent.Body, at now: Moment) {
        sequence += 1
        let event = RunnerEvent(sequence: sequence, at: now.wall, body: body)
        let position = Self.position(of: sequence)
        if position == ring.count { ring.append(event) } else { ring[position] = event }
    }

    private static func position(of sequence: Int64) -> Int {
        Int((sequence - 1) % Int64(kept))
    }
}
