import Platform
public import Plugins
public import Scheduling

/// Runs a handler many times and expires it at every moment at which it can be expired.
///
/// A moment is each step of its Swift tasks, in several orders, before it and beside it; each time that it waits; and,
/// for what it does outside of Swift concurrency or while it keeps a thread, times that are spread over its real duration.
/// Nothing else is launched meanwhile: what the handler submits stays pending.
public struct ExpiryExplorer: Sendable {
    /// The app whose handler it is.
    public var manifest: Manifest
    /// How many requests may be pending (B13).
    public var limits = VirtualLimits.apple
    /// How often the handler is run at most; a report says when that was too few.
    public var mostTrials = 600
    /// In how many orders its tasks are run, besides the one in which they become ready.
    public var orders = 2
    /// How long the explorer waits, in real time, for code that it cannot see.
    public var patience = Duration.milliseconds(500)
    /// The reason that the handler is given (B24).
    public var reason = ExpirationReason.budget

    /// Makes an explorer for the handlers of an app.
    public init(manifest: Manifest) {
        self.manifest = manifest
    }

    /// Explores the handler of an identifier.
    ///
    /// - Parameters:
    ///   - identifier: the task.
    ///   - kind: the kind of the request that is submitted; `BGTaskScheduler` does not know it from a registration.
    ///   - trial: only this one is run, as a reproduction names it.
    ///   - reproduction: how a trial is seen again; the last `TRIAL` in it stands for the trial.
    ///   - setUp: registers the app's handlers, as its launch does, and is called for every trial with a new scheduler.
    ///     It may set the device and submit requests; where nothing is pending for the identifier, one is submitted.
    /// - Returns: what was found.
    /// - Throws: what `setUp` throws, and the refusal of a handler that cannot be launched.
    public func explore(
        _ identifier: String, kind: TaskKind? = nil, only trial: ExpiryTrial? = nil,
        reproduction: String = "explore(…, only: ExpiryTrial(\"TRIAL\"))",
        setUp: @escaping @Sendable (VirtualScheduler) throws -> Void
    ) async throws -> ExpiryReport {
        let task = try TaskIdentifier(identifier)
        var exploration = Exploration(self, task, kind, reproduction: reproduction, setUp: setUp)
        let clock = ContinuousClock()
        let begun = clock.now
        if let trial {
            try await exploration.runOnly(trial)
        } else {
            try await exploration.runAll()
        }
        exploration.report.duration = begun.duration(to: clock.now)
        return exploration.report
    }
}

/// An exploration on its way.
private struct Exploration {
    private let explorer: ExpiryExplorer
    private let identifier: TaskIdentifier
    private let kind: TaskKind?
    private let setUp: @Sendable (VirtualScheduler) throws -> Void
    /// A handler that breaks rules all the time need not be run hundreds of times.
    private static let mostBroken = 8
    private static let spread = 16
    private static let mostRepeats = 32
    var report: ExpiryReport
    private var broken = 0
    private var hadChoice = false
    private var handover = HandoverPatience()

    init(
        _ explorer: ExpiryExplorer, _ identifier: TaskIdentifier, _ kind: TaskKind?, reproduction: String,
        setUp: @escaping @Sendable (VirtualScheduler) throws -> Void
    ) {
        self.explorer = explorer
        self.identifier = identifier
        self.kind = kind
        self.setUp = setUp
        report = ExpiryReport(identifier, reproduction: reproduction)
    }

    mutating func runOnly(_ trial: ExpiryTrial) async throws {
        report.only = trial
        let baseline = try await baseline(seed: trial.seed)
        guard trial.moment != .never else { return }
        _ = try await run(trial, baseline)
    }

    mutating func runAll() async throws {
        let first = try await baseline(seed: 0)
        guard report.findings.isEmpty, try await runSteps(seed: 0, first) else { return }
        for seed in 1...UInt64(max(1, explorer.orders)) where hadChoice && explorer.orders > 0 {
            guard try await runSteps(seed: seed, baseline(seed: seed, first)) else { return }
        }
        guard first.takesRealTime else { return }
        for part in 1...Self.spread {
            let moment = max(1, first.microseconds * part / Self.spread)
            guard try await run(ExpiryTrial(seed: 0, .after(microseconds: moment)), first) else { return }
        }
    }

    // MARK: - Private

    /// False when there is enough to tell.
    private mutating func runSteps(seed: UInt64, _ baseline: ExpiryLife.Outcome) async throws -> Bool {
        // What goes on until it is expired does the same again and again.
        for step in 0...(baseline.outlasts ? min(baseline.steps, Self.mostRepeats) : baseline.steps) {
            guard try await run(ExpiryTrial(seed: seed, .before(step: step)), baseline),
                try await run(ExpiryTrial(seed: seed, .during(step: step)), baseline)
            else { return false }
        }
        return true
    }

    /// A life without an expiration; every other one in this order is held against it.
    private mutating func baseline(
        seed: UInt64, _ known: ExpiryLife.Outcome? = nil
    ) async throws -> ExpiryLife.Outcome {
        let life = try await live(ExpiryTrial(seed: seed, .never), known)
        report.trials += 1
        report.add(life.findings)
        return life
    }

    /// False when there is enough to tell.
    private mutating func run(_ trial: ExpiryTrial, _ baseline: ExpiryLife.Outcome) async throws -> Bool {
        guard report.trials < explorer.mostTrials else {
            report.isCutOff = true
            return false
        }
        let life = try await live(trial, baseline)
        report.trials += 1
        if life.wasExpired { report.moments += 1 }
        report.add(life.findings)
        if !life.findings.isEmpty { broken += 1 }
        return broken < Self.mostBroken
    }

    /// What a request is where the manifest leaves nothing else.
    private var onlyKind: TaskKind? {
        let modes = explorer.manifest.backgroundModes
        return modes.contains("processing") && !modes.contains("fetch") ? .processing : nil
    }

    private mutating func live(
        _ trial: ExpiryTrial, _ baseline: ExpiryLife.Outcome?
    ) async throws -> ExpiryLife.Outcome {
        let scheduler = VirtualScheduler(manifest: explorer.manifest, limits: explorer.limits, seed: trial.seed)
        let life = ExpiryLife(
            scheduler, TaskRequest(identifier: identifier, kind: kind ?? onlyKind), trial, patience: explorer.patience,
            reason: explorer.reason, baseline: baseline, handover: handover)
        let setUp = setUp
        let outcome = try await scheduler.drive {
            Result { try scheduler.asShared { try life.live(setUp) } }
        }.get()
        if outcome.hadChoice { hadChoice = true }
        handover = outcome.handover
        return outcome
    }
}
