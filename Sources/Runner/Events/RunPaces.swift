import Scheduling

/// Holds back what runs say too often: progress, and that they wrote, go out twice a second and run at most.
///
/// What was said last always goes out: when its time has come, or before the run's next event. What an app writes outside of
/// its runs is held back in the same way.
struct RunPaces {
    private static let interval = Duration.milliseconds(500)
    /// From so many runs on those that say nothing are forgotten.
    private static let many = 64

    /// Who says it.
    enum Speaker: Hashable, Comparable {
        case run(RunIdentifier)
        case app(AppIdentifier)
    }

    /// The first line of somebody that nobody was told of.
    struct Line {
        var position: LogPosition
        /// `nil` when it is a line of no run.
        var identifier: TaskIdentifier?
        var app: AppIdentifier

        var speaker: Speaker { position.number == nil ? .run(position.run) : .app(app) }

        var body: RunnerEvent.Body { .logged(position, identifier, app) }
    }

    private struct Pace {
        var progressAgain: BootTime?
        var progress: RunRecord?
        var linesAgain: BootTime?
        var line: Line?

        var isHeld: Bool { progress != nil || line != nil }

        var deadline: BootTime? {
            let times = [progress == nil ? nil : progressAgain, line == nil ? nil : linesAgain]
            return times.compactMap(\.self).min()
        }

        func isOver(at now: BootTime) -> Bool {
            !isHeld && max(progressAgain ?? now, linesAgain ?? now) <= now
        }
    }

    private var paces: [Speaker: Pace] = [:]

    var deadline: BootTime? { paces.values.lazy.compactMap(\.deadline).min() }

    /// Whether a run's progress goes out now; otherwise it is held.
    mutating func admitsProgress(_ run: RunRecord, at now: BootTime) -> Bool {
        var pace = paces[.run(run.run)] ?? Pace()
        defer { keep(pace, of: .run(run.run), at: now) }
        if let again = pace.progressAgain, now < again {
            pace.progress = run
            return false
        }
        pace.progress = nil
        pace.progressAgain = now.advanced(by: Self.interval)
        return true
    }

    /// Whether an earlier line of the same speaker is held, whose cursor is good for all that follow.
    func holdsLine(before line: Line) -> Bool {
        paces[line.speaker]?.line != nil
    }

    /// What is to be said now of a line; `nil` when it is held.
    mutating func admitsLine(_ line: Line, at now: BootTime) -> RunnerEvent.Body? {
        let speaker = line.speaker
        var pace = paces[speaker] ?? Pace()
        defer { keep(pace, of: speaker, at: now) }
        if let again = pace.linesAgain, now < again {
            pace.line = line
            return nil
        }
        pace.linesAgain = now.advanced(by: Self.interval)
        return line.body
    }

    /// What is held of a run.
    mutating func take(_ run: RunIdentifier) -> [RunnerEvent.Body] {
        take(.run(run))
    }

    /// What was held for long enough, of all runs.
    mutating func takeDue(at now: BootTime) -> [RunnerEvent.Body] {
        guard let deadline, deadline <= now else { return [] }
        let due = paces.filter { pace in pace.value.deadline.map { $0 <= now } ?? false }
        return due.keys.sorted().flatMap { speaker in
            let pace = paces[speaker]
            let bodies = take(speaker)
            let again = now.advanced(by: Self.interval)
            if pace?.progress != nil { paces[speaker]?.progressAgain = again }
            if pace?.line != nil { paces[speaker]?.linesAgain = again }
            return bodies
        }
    }

    mutating func forget(_ run: RunIdentifier) {
        paces[.run(run)] = nil
    }

    // MARK: - Private

    private mutating func take(_ speaker: Speaker) -> [RunnerEvent.Body] {
        guard let pace = paces[speaker], pace.isHeld else { return [] }
        paces[speaker]?.progress = nil
        paces[speaker]?.line = nil
        var bodies: [RunnerEvent.Body] = []
        if let record = pace.progress { bodies.append(.notice(.progressed(record))) }
        if let line = pace.line { bodies.append(line.body) }
        return bodies
    }

    private mutating func keep(_ pace: Pace, of speaker: Speaker, at now: BootTime) {
        paces[speaker] = pace
        if paces.count > Self.many { paces = paces.filter { !$0.value.isOver(at: now) } }
    }
}
