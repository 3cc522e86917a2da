/// A rule that a handler broke when it was expired, and how to see it again.
public struct ExpiryFinding: Hashable, Sendable {
    /// The rules that a handler can break.
    public enum Kind: String, Sendable, CaseIterable {
        /// Nobody ever completed the run, or the task was dropped before (B24, B27).
        case neverCompleted
        /// The run was completed more than once (B26).
        case completedTwice
        /// Its tasks went on, or called the task or the scheduler, after the run was completed.
        case wentOnAfterCompletion
        /// The run was expired before it had an expiration handler (B25).
        case noExpirationHandler
        /// Without an expiration it submits its next request, with this one nothing is pending.
        case notRearmed
        /// The run was completed, but only after its grace period (B24).
        case didNotFinishInGrace
        /// Its code called the scheduler in a way that ends an app.
        case misused
        /// Its process ended under it.
        case crashed
    }

    /// The rule that was broken.
    public let kind: Kind
    /// The trial in which it was first seen.
    public let trial: ExpiryTrial
    /// What was seen, as a sentence.
    public let message: String
    /// In how many trials it was seen.
    public package(set) var count: Int
    /// Whether what runs is a command, which knows of no task.
    package let isCommand: Bool

    package init(_ kind: Kind, _ trial: ExpiryTrial, _ message: String, count: Int = 1, isCommand: Bool = false) {
        self.kind = kind
        self.trial = trial
        self.message = message
        self.count = count
        self.isCommand = isCommand
    }

    /// What to change.
    public var fix: String {
        isCommand ? fixOfCommand ?? fixOfHandler : fixOfHandler
    }

    // MARK: - Private

    private var fixOfHandler: String {
        switch kind {
        case .neverCompleted:
            "Complete the task on every path, the ones of errors and of cancellation too, and on no queue that waits."
        case .completedTwice:
            "Let one place decide who completes it, behind a lock: the work and the expiration handler race."
        case .wentOnAfterCompletion: "Stop the work first, and complete the task as the last thing."
        case .noExpirationHandler: "Set expirationHandler first, before any work begins."
        case .notRearmed: "Submit the next request as the first thing that the handler does."
        case .didNotFinishInGrace: "Let the expiration handler stop the work at once, without waiting for it."
        case .misused: "Do what the message says."
        case .crashed: "Look at the end of its log for what it died of."
        }
    }

    /// What a command can do; `nil` where it is the same, or cannot happen to one.
    private var fixOfCommand: String? {
        switch kind {
        case .neverCompleted, .didNotFinishInGrace:
            "Let the command end when it gets SIGTERM, and all that it started: its process group gets it too."
        case .notRearmed:
            "Submit the next request first, with runnerctl submit, or declare every in RunnerTasks."
        case .completedTwice, .wentOnAfterCompletion, .noExpirationHandler, .misused, .crashed: nil
        }
    }
}

/// One life of a handler: in which order its tasks ran, and when it was expired.
public struct ExpiryTrial: Hashable, Sendable {
    /// When the run is expired.
    public enum Moment: Hashable, Sendable {
        /// Never.
        case never
        /// Before the step of that number goes on: the expiration handler has ended by then.
        case before(step: Int)
        /// While the step of that number runs.
        case during(step: Int)
        /// After so many microseconds of real time.
        case after(microseconds: Int)
    }

    /// The order in which tasks run; 0 is the order in which they became ready.
    public var seed: UInt64
    /// When the run is expired.
    public var moment: Moment

    package init(seed: UInt64, _ moment: Moment) {
        self.seed = seed
        self.moment = moment
    }

    /// Reads what `description` writes, as a report prints it. Throws `invalidParams` for anything else.
    public init(_ text: String) throws(Refusal) {
        guard let trial = ExpiryTrial(reading: text) else {
            throw Refusal(
                .invalidParams,
                "“\(text)” is no trial; write SEED:never, SEED:before:STEP, SEED:during:STEP or SEED:after:MICROSECONDS, as "
                    + "a report does.")
        }
        self = trial
    }

    package init?(reading text: String) {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false).map(String.init)
        guard parts.count >= 2, let seed = UInt64(parts[0]) else { return nil }
        self.seed = seed
        switch (parts[1], parts.count) {
        case ("never", 2): moment = .never
        case ("before", 3):
            guard let step = Int(parts[2]), step >= 0 else { return nil }
            moment = .before(step: step)
        case ("during", 3):
            guard let step = Int(parts[2]), step >= 0 else { return nil }
            moment = .during(step: step)
        case ("after", 3):
            guard let microseconds = Int(parts[2]), microseconds >= 0 else { return nil }
            moment = .after(microseconds: microseconds)
        default: return nil
        }
    }
}

extension ExpiryTrial: CustomStringConvertible {
    /// `SEED:never`, `SEED:before:STEP`, `SEED:during:STEP` or `SEED:after:MICROSECONDS`.
    public var description: String {
        switch moment {
        case .never: "\(seed):never"
        case .before(let step): "\(seed):before:\(step)"
        case .during(let step): "\(seed):during:\(step)"
        case .after(let microseconds): "\(seed):after:\(microseconds)"
        }
    }
}
