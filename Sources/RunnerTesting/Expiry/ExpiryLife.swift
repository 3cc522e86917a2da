import Dispatch
import Platform
import Plugins
import Scheduling

/// One life of a handler: from its launch to the end of everything that it started.
final class ExpiryLife: Sendable {
    /// What goes on for a while after a run is over, without being more work: the unwinding of calls.
    private static let mostJobsAfter = (cancelled: 256, others: 8)
    /// A task that is ready more often at one time does nothing but ask.
    private static let mostJobsAtOnce = 5_000
    /// How much virtual time a handler may take before it is expired.
    private static let longestLife = Duration.seconds(4 * 3_600)
    private static let mostVainWaits = 2
    private static let longestRealLife = Duration.seconds(30)
    /// How much virtual time is waited for a late completion.
    private static let latest = Duration.seconds(60)
    /// Code that took longer than this, in real time, kept its thread.
    private static let shortBody = Duration.milliseconds(5)
    /// How long a handler that only an expiration ends counts, in real time.
    private static let outlasting = 20_000
    /// How long is waited for what a handler does out of sight when its run is over.
    private static let longestStraggling = Duration.seconds(1)

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
        var outlasts = false
        /// From here on nobody expires it any more.
        var isOver = false
        var outside = OutsidePatience()
        /// How often code on a queue was waited for that did not go on.
        var vainWaits = 0
        /// How long was waited in vain, before the run was over, for something out of sight.
        var waitedInVain = Duration.zero
        /// When it was expired, in virtual time.
        var expiredAt = Duration.zero
        /// How many jobs had been run by then, or when the time went on last.
        var countedPoints = 0
        /// When its handler was entered, and when its run was over, in real time.
        var entered: ContinuousClock.Instant?
        var ended: ContinuousClock.Instant?
        let begun = ContinuousClock.now
    }

    /// Expires it at a time of its own, whatever the handler does then.
    private let alarm = DispatchQueue(label: "expiry")
    /// Held while time goes on, so that an expiration comes before that or after it: its handler has its turn first.
    private let time = Locked(())

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
        // No run but the one that is launched here: what another one does would be taken for its work.
        scheduler.holdRequests()
        try scheduler.asCodeUnderTest { try setUp(scheduler) }
        scheduler.finishLaunching()
        executor.settle()
        if scheduler.pendingRequest(identifier.text) == nil {
            var request = request
            if request.kind == .continuedProcessing { request.title = identifier.text }
            try scheduler.submit(request)
        }
        executor.beginRun()
        scheduler.closeBooksAtEnd { [progress] in progress.withLock { $0.ended = $0.ended ?? .now } }
        let run = try scheduler.launch(
            identifier, SimulationOptions(), most: Self.mostJobsAtOnce, entered: { self.entered() }
        ) { self.step() }
        .get().run
        liveOn(run)
        // Who stalls is expired by the scheduler, and has a grace period too.
        if scheduler.report(of: run).map({ $0.outcome == .expired }) ?? progress.withLock({ $0.wasExpired }) {
            endGrace(run)
        }
        executor.settle(most: Self.mostJobsAtOnce)
        awaitStragglers()
        progress.withLock { $0.isOver = true }
        alarm.sync {}
        return outcome(run)
    }

    // MARK: - Private

    private var identifier: TaskIdentifier { request.identifier }
    private var executor: VirtualExecutor { scheduler.executor }

    /// On the handler's thread, before its code begins.
    private func entered() {
        progress.withLock { $0.entered = .now }
        guard case .after(let microseconds) = trial.moment else { return }
        alarm.asyncAfter(deadline: .now() + .microseconds(microseconds)) { self.expire() }
    }

    /// Until the run is over, or nothing happens any more.
    private func liveOn(_ run: RunIdentifier) {
        while true {
            // The launch may have run into the bound already.
            if !isEndless { executor.settle(most: Self.mostJobsAtOnce) { _ in self.step() } }
            guard !scheduler.hasEnded(run) else { return }
            if isEndless {
                guard expireAtLast() else { return }
                continue
            }
            // It waits: for time, or for something that cannot be seen.
            let wasExpired = progress.withLock { $0.wasExpired }
            _ = step()
            if progress.withLock({ $0.wasExpired }) != wasExpired { continue }
            if waitForOutside() || waitForLateThreads() { continue }
            if let next = executor.nextTimer, next <= horizon {
                letTimePass(to: next, unlessExpiredSince: wasExpired)
            } else {
                // Whoever still has something to do is ended by the budget; nobody helps whoever has nothing.
                guard executor.nextTimer != nil || executor.isStuck, expireAtLast() else { return }
            }
        }
    }

    private func letTimePass(to next: Duration, unlessExpiredSince wasExpired: Bool) {
        time.withLock { _ in
            let isExpiredNow = progress.withLock { progress in
                progress.countedPoints = executor.points
                return progress.wasExpired != wasExpired
            }
            if !isExpiredNow { scheduler.moveTime(to: next) }
        }
    }

    /// A handler may work until it is expired: when nobody does that in time, its budget does. False when it was expired before.
    private func expireAtLast() -> Bool {
        guard !progress.withLock({ $0.wasExpired }) else { return false }
        progress.withLock { $0.outlasts = true }
        return expire()
    }

    /// On a busy machine code on a queue may not go on only because its thread gets no processor.
    private func waitForLateThreads() -> Bool {
        // Code that keeps its thread anyway has to notice first that it was expired.
        let isKnown = baseline?.wasStuck == true
        let (wasExpired, vainWaits) = progress.withLock { ($0.wasExpired, $0.vainWaits) }
        guard executor.isStuck, vainWaits < (isKnown ? 1 : Self.mostVainWaits), wasExpired || !isKnown else {
            return false
        }
        let didChange = executor.waitForChange(isKnown ? patience : .seconds(2))
        if !didChange { progress.withLock { $0.vainWaits += 1 } }
        return didChange
    }

    /// The end of the grace period comes after everything that the handler does before it.
    private func endGrace(_ run: RunIdentifier) {
        let end = horizon
        while !scheduler.hasEnded(run), scheduler.elapsed < end {
            scheduler.moveTime(to: min(end, scheduler.next(after: scheduler.elapsed) ?? end))
        }
        // Perhaps it is only late.
        let latest = scheduler.elapsed + Self.latest
        while !isEndless {
            executor.settle(most: Self.mostJobsAtOnce)
            guard !wasCompletedLate(run) else { return }
            if waitForOutside() { continue }
            guard let next = executor.nextTimer, next <= latest else { return }
            scheduler.moveTime(to: next)
        }
    }

    /// Whether it does something again and again without ever waiting for time.
    private var isEndless: Bool {
        let (before, begun) = progress.withLock { ($0.countedPoints, $0.begun) }
        return executor.points - before >= Self.mostJobsAtOnce || begun.duration(to: .now) > Self.longestRealLife
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
            _ = expire()
            return .wait
        case .during(step: number): _ = expire()
        case .never, .before, .during, .after: break
        }
        return .goOn
    }

    /// False when there is nothing to expire any more.
    @discardableResult
    private func expire() -> Bool {
        time.withLock { _ in expireNow() }
    }

    private func expireNow() -> Bool {
        let now = scheduler.elapsed
        let isFirst = progress.withLock { progress in
            guard !progress.isOver, !progress.wasExpired else { return false }
            progress.expiredAt = now
            progress.countedPoints = executor.points
            progress.wasExpired = true
            return true
        }
        guard isFirst else { return false }
        guard case .refused = scheduler.expire(identifier, reason) else { return true }
        progress.withLock { $0.wasExpired = false }
        return false
    }

    /// Whether something happened that came from out of sight.
    private func waitForOutside() -> Bool {
        let isBesideSleep = executor.nextTimer != nil
        let longest = isBesideSleep ? min(patience, patienceBesideSleep) : patience
        // Code that was given up and ends, or lets go of its task, is no answer from out of sight, however late it is.
        let (didChange, didCome, waited) = executor.waitForOutside(longest)
        progress.withLock { progress in
            if isBesideSleep { progress.outside.note(waited, didCome: didCome) }
            if !didChange, progress.ended == nil { progress.waitedInVain += waited }
        }
        return didChange
    }

    /// What only waits for time is not waited for, once it is known that nothing else wakes it.
    private var patienceBesideSleep: Duration {
        guard let baseline else { return progress.withLock { $0.outside.next } }
        guard baseline.usesOutside || executor.outside > 0 else { return .zero }
        return OutsidePatience.wait(for: baseline.slowest ?? .zero)
    }

    /// What a handler does out of sight does not end with its run: a second completion comes when its work is done.
    private func awaitStragglers() {
        let (entered, ended) = progress.withLock { ($0.entered, $0.ended) }
        guard let entered, (baseline ?? seen).usesOutside else { return }
        let usual = Duration.microseconds(baseline?.busyMicroseconds ?? entered.microseconds(to: ended ?? .now))
        let end = entered + min(Self.longestStraggling, usual * 2 + .milliseconds(10))
        while ContinuousClock.now < end, executor.waitForChange(ContinuousClock.now.duration(to: end)) {
            executor.settle()
        }
    }

    /// What its own life says of where its work is.
    private var seen: Outcome {
        var outcome = Outcome()
        outcome.usesOutside = executor.outside > 0
        outcome.keepsThread = executor.longestBody > Self.shortBody
        return outcome
    }

    private func wasCompletedLate(_ run: RunIdentifier) -> Bool {
        let names = scheduler.report(of: run)?.diagnostics ?? []
        return names.contains(Diagnostic.Name.lateCompletion.rawValue)
            || names.contains(Diagnostic.Name.duplicateCompletion.rawValue)
    }

    private func outcome(_ run: RunIdentifier) -> Outcome {
        let progress = progress.withLock { $0 }
        var outcome = seen
        outcome.steps = progress.steps
        outcome.wasExpired = progress.wasExpired
        outcome.slowest = progress.outside.slowest
        outcome.wasStuck = executor.wasStuck
        outcome.hadChoice = executor.hadChoice
        outcome.outlasts = progress.outlasts
        let begun = progress.entered ?? progress.begun
        outcome.microseconds = begun.microseconds(to: progress.ended ?? .now)
        outcome.busyMicroseconds = max(0, outcome.microseconds - progress.waitedInVain.wholeMicroseconds)
        if outcome.outlasts { outcome.microseconds = min(outcome.microseconds, Self.outlasting) }
        outcome.isPending = scheduler.pendingRequest(identifier.text) != nil
        let report = scheduler.report(of: run)
        var judge = ExpiryJudge(
            trial: trial, state: report.flatMap { RunState(rawValue: $0.outcome.rawValue) },
            diagnostics: Set(report?.diagnostics ?? []))
        judge.wasExpired = progress.wasExpired
        // A life that nobody expires is what others are held against.
        judge.rearms = trial.moment == .never ? nil : baseline?.isPending
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
