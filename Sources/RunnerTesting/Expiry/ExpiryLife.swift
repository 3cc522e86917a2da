import Dispatch
import Platform
import Plugins
import Scheduling

/// One life of a handler: from its launch to the end of everything that it started.
final class ExpiryLife: Sendable {
    struct Outcome: Sendable {
        var findings: [ExpiryFinding] = []
        /// How many moments there were at which it could have been expired.
        var steps = 0
        var wasExpired = false
        /// Whether a request of its identifier is pending in the end.
        var isPending = false
        /// How long it took, in real time.
        var microseconds = 0
        /// Whether it did something that is out of sight.
        var usesOutside = false
        /// Whether another order of its tasks would have been another life.
        var hadChoice = false
        /// Whether code on a queue waited for other code.
        var wasStuck = false
    }

    /// What goes on for a while after a run is over, without being more work: the unwinding of calls.
    private static let mostJobsAfter = (cancelled: 256, others: 8)
    /// A task that is ready again and again does nothing but ask.
    private static let mostJobs = 20_000
    /// How much virtual time a handler may take when nobody expires it.
    private static let longestLife = Duration.seconds(4 * 3_600)
    private static let mostVainWaits = 2
    private static let longestRealLife = Duration.seconds(30)
    /// How much virtual time is waited for a late completion.
    private static let latest = Duration.seconds(60)

    private let scheduler: VirtualScheduler
    /// What is submitted where nothing is pending.
    private let request: TaskRequest
    private let trial: ExpiryTrial
    private let patience: Duration
    private let reason: ExpirationReason
    /// What it does when nobody expires it; `nil` while that is not known.
    private let baseline: Outcome?
    private let progress = Locked(Progress())

    private struct Progress {
        var steps = 0
        var wasExpired = false
        var usesOutside = false
        /// How often code on a queue was waited for that did not go on.
        var vainWaits = 0
        /// When it was expired, in virtual time.
        var expiredAt = Duration.zero
        var begun = ContinuousClock.now
    }

    init(
        _ scheduler: VirtualScheduler, _ request: TaskRequest, _ trial: ExpiryTrial, patience: Duration,
        reason: ExpirationReason, baseline: Outcome?
    ) {
        self.scheduler = scheduler
        self.request = request
        self.trial = trial
        self.patience = patience
        self.reason = reason
        self.baseline = baseline
        scheduler.patience = patience
        // It will be again, and nothing is gained by waiting long each time.
        if baseline?.wasStuck == true { scheduler.executor.setBodyPatience(.milliseconds(30)) }
    }

    /// On the driver of the scheduler.
    func live(_ setUp: (VirtualScheduler) throws -> Void) throws -> Outcome {
        try scheduler.asCodeUnderTest { try setUp(scheduler) }
        scheduler.finishLaunching()
        executor.settle(most: Self.mostJobs)
        if scheduler.pendingRequest(identifier.text) == nil {
            // It must not start by itself.
            var request = request
            request.floor = scheduler.now.advanced(by: .days(1))
            try scheduler.submit(request)
        }
        executor.beginRun()
        scheduler.closeBooksAtEnd()
        progress.withLock { $0.begun = .now }
        let run = try scheduler.launch(identifier, SimulationOptions()) { self.step() }.get().run
        liveOn(run)
        if progress.withLock({ $0.wasExpired }), scheduler.report(of: run).map({ $0.outcome == .expired }) ?? true {
            endGrace(run)
        }
        executor.settle(most: Self.mostJobs)
        return outcome(run)
    }

    // MARK: - Private

    private var identifier: TaskIdentifier { request.identifier }
    private var executor: VirtualExecutor { scheduler.executor }

    /// Until the run is over, or nothing happens any more.
    private func liveOn(_ run: RunIdentifier) {
        while true {
            executor.settle(most: Self.mostJobs) { _ in self.step() }
            guard !scheduler.hasEnded(run), !isEndless else { return }
            // It waits: for time, or for something that cannot be seen.
            let wasExpired = progress.withLock { $0.wasExpired }
            _ = step()
            if isDue { expire() }
            if progress.withLock({ $0.wasExpired }) != wasExpired { continue }
            if waitForOutside() || waitForLateThreads() { continue }
            guard let next = executor.nextTimer, next <= horizon else { return }
            scheduler.moveTime(to: next)
        }
    }

    /// On a busy machine code on a queue may not go on only because its thread gets no processor.
    private func waitForLateThreads() -> Bool {
        guard executor.isStuck, baseline?.wasStuck != true, progress.withLock({ $0.vainWaits }) < Self.mostVainWaits
        else { return false }
        let didChange = executor.waitForChange(.seconds(2))
        if !didChange { progress.withLock { $0.vainWaits += 1 } }
        return didChange
    }

    /// The end of the grace period comes after everything that the handler does before it.
    private func endGrace(_ run: RunIdentifier) {
        let end = horizon
        while !scheduler.hasEnded(run), scheduler.elapsed < end {
            scheduler.moveTime(to: min(end, scheduler.nextHappening ?? end))
        }
        // Perhaps it is only late.
        let latest = scheduler.elapsed + Self.latest
        while !wasCompletedLate(run), !isEndless {
            executor.settle(most: Self.mostJobs)
            if waitForOutside() { continue }
            guard let next = executor.nextTimer, next <= latest else { return }
            scheduler.moveTime(to: next)
        }
    }

    /// Whether it does something again and again without ever waiting for time.
    private var isEndless: Bool {
        executor.points > Self.mostJobs || progress.withLock { $0.begun.duration(to: .now) } > Self.longestRealLife
    }

    /// Until when virtual time may pass for the handler.
    private var horizon: Duration {
        progress.withLock { $0.wasExpired ? $0.expiredAt + Policy.prompt.budgets.grace : Self.longestLife }
    }

    /// A moment at which the handler can be expired.
    private func step() -> VirtualExecutor.AtPoint {
        let number = progress.withLock { progress in
            progress.steps += 1
            return progress.steps - 1
        }
        switch trial.moment {
        case .before(step: number):
            expire()
            return .wait
        case .during(step: number): expire()
        case .never, .before, .during, .after: break
        }
        return .goOn
    }

    private func expire() {
        let isFirst = progress.withLock { progress in
            progress.expiredAt = scheduler.elapsed
            return !exchange(&progress.wasExpired, with: true)
        }
        if isFirst { scheduler.expire(identifier, reason) }
    }

    /// Whether the handler is to be expired by real time, and it is time.
    private var isDue: Bool {
        guard let left = realTimeLeft else { return false }
        return left <= .zero
    }

    private var realTimeLeft: Duration? {
        guard case .after(let microseconds) = trial.moment else { return nil }
        return progress.withLock { progress in
            progress.wasExpired
                ? nil : .microseconds(microseconds) - progress.begun.duration(to: .now)
        }
    }

    /// Whether something happened that came from out of sight.
    private func waitForOutside() -> Bool {
        // What only waits for time is not waited for, once it is known that nothing else wakes it.
        var longest = patience
        if executor.nextTimer != nil, !executor.wasWokenFromOutside {
            longest = baseline?.usesOutside == false ? .zero : .milliseconds(2)
        }
        if let left = realTimeLeft {
            _ = executor.waitForChange(min(longest, left))
            if isDue { expire() }
            return left <= longest
        }
        let didChange = executor.waitForChange(longest)
        if didChange { progress.withLock { $0.usesOutside = true } }
        return didChange
    }

    private func wasCompletedLate(_ run: RunIdentifier) -> Bool {
        let names = scheduler.report(of: run)?.diagnostics ?? []
        return names.contains(Diagnostic.Name.lateCompletion.rawValue)
            || names.contains(Diagnostic.Name.duplicateCompletion.rawValue)
    }

    private func outcome(_ run: RunIdentifier) -> Outcome {
        let progress = progress.withLock { $0 }
        let microseconds = progress.begun.duration(to: .now).components
        var outcome = Outcome()
        outcome.steps = progress.steps
        outcome.wasExpired = progress.wasExpired
        outcome.usesOutside = progress.usesOutside || executor.wasWokenFromOutside
        outcome.wasStuck = executor.wasStuck
        outcome.hadChoice = executor.hadChoice
        outcome.microseconds = Int(microseconds.seconds) * 1_000_000 + Int(microseconds.attoseconds / 1_000_000_000_000)
        outcome.isPending = scheduler.pendingRequest(identifier.text) != nil
        let report = scheduler.report(of: run)
        var judge = ExpiryJudge(
            trial: trial, state: report.flatMap { RunState(rawValue: $0.outcome.rawValue) },
            diagnostics: Set(report?.diagnostics ?? []))
        judge.wasExpired = progress.wasExpired
        judge.rearms = baseline?.isPending
        judge.isPending = outcome.isPending
        judge.lateCalls = scheduler.lateCalls
        judge.misuses = scheduler.misuses
        judge.goesOn =
            executor.sleepers > 0 || executor.afterClosing.others > Self.mostJobsAfter.others
            || executor.afterClosing.cancelled > Self.mostJobsAfter.cancelled
        outcome.findings = judge.findings
        return outcome
    }
}
