import FoundationEssentials
package import Scheduling

/// Lives through a recording again, line by line, and keeps where the scheduler says something else than it did then.
package struct Replay {
    /// An event whose effects are not the recorded ones.
    package struct Difference: Hashable, Sendable {
        /// Counted from 1.
        package var number: Int
        /// The event's line in the file, counted from 1.
        package var line: Int
        package var event: Event
        package var at: Moment
        package var recorded: [Effect]
        package var now: [Effect]
    }

    /// How many differences are kept: what comes after the first often only follows from it.
    package static let kept = 3

    package private(set) var writer = ""
    package private(set) var events = 0
    /// Launches that the scheduler ordered.
    package private(set) var runs = 0
    package private(set) var reloads = 0
    package private(set) var differences = 0
    package private(set) var first: [Difference] = []
    /// Whether what the scheduler wanted done for the last event was not recorded any more.
    package var lacksEffects: Bool { expected == .effects }
    /// From the start to the last event, on the wall clock.
    package private(set) var milliseconds: Int64 = 0

    private let decoder = JSONDecoder()
    private var lines = 0
    private var expected = Expected.header
    private var scheduler: Scheduler?
    private var startedAt = WallTime(milliseconds: 0)
    /// The event whose recorded effects come next.
    private var event: (event: Event, at: Moment)?
    private var effects: [Effect] = []

    private enum Expected {
        /// Can transition to `start`.
        case header
        /// Can transition to `event`.
        case start
        /// Can transition to `effects`.
        case event
        /// Can transition to `event`.
        case effects
    }

    package init() {}

    /// Takes the next line, with or without its LF.
    package mutating func take(_ bytes: [UInt8]) throws(RecordingProblem) {
        lines += 1
        guard expected != .header else {
            try takeHeader(bytes)
            expected = .start
            return
        }
        guard let line = try? decoder.decode(RecordingLine.self, from: Data(bytes)) else {
            throw .damaged(line: lines)
        }
        switch (expected, line) {
        case (.start, .start(let policy, let contents, let boot, let now)):
            scheduler = Scheduler(policy: policy, contents: contents, boot: boot, at: now)
            startedAt = now.wall
            expected = .event
        case (.event, .event(let event, let now)):
            live(event, at: now)
            expected = .effects
        case (.event, .reload(let contents, let now)):
            reloads += 1
            scheduler?.reload(contents, at: now)
        case (.effects, .effects(let recorded)):
            compare(with: recorded)
            expected = .event
        case (_, .start), (_, .event), (_, .reload), (_, .effects): throw .damaged(line: lines)
        }
    }

    /// There are no more lines. An event without its effects is the one at which the daemon died.
    package func end() throws(RecordingProblem) {
        switch expected {
        case .header: throw .notARecording
        case .start: throw .empty
        case .event, .effects: break
        }
    }

    // MARK: Private

    private mutating func takeHeader(_ bytes: [UInt8]) throws(RecordingProblem) {
        guard let header = try? decoder.decode(RecordingHeader.self, from: Data(bytes)) else { throw .notARecording }
        guard header.recording.version == RecordingHeader.version else {
            throw .otherVersion(header.recording.version, writer: header.recording.writer)
        }
        writer = header.recording.writer
    }

    private mutating func live(_ event: Event, at now: Moment) {
        events += 1
        effects = scheduler?.handle(event, at: now) ?? []
        for case .launch in effects { runs += 1 }
        milliseconds = now.wall.milliseconds - startedAt.milliseconds
        self.event = (event, now)
    }

    private mutating func compare(with recorded: [Effect]) {
        guard recorded != effects, let event else { return }
        differences += 1
        guard first.count < Self.kept else { return }
        first.append(
            Difference(
                number: events, line: lines - 1, event: event.event, at: event.at, recorded: recorded, now: effects))
    }
}
