import Dispatch
import Platform
import Plugins
import Scheduling

/// What comes after the expiration and the end of a run, and what is said of the life.
extension ExpiryLife {
    /// What goes on for a while after a run is over, without being more work: the unwinding of calls.
    private static let mostJobsAfter = (cancelled: 256, others: 8)
    /// How much virtual time is waited for a late completion.
    private static let latest = Duration.seconds(60)
    /// Code that took longer than this, in real time, kept its thread.
    private static let shortBody = Duration.milliseconds(5)
    /// How long a handler that only an expiration ends counts, in real time.
    private static let outlasting = 20_000
    /// How long is waited for what a handler does out of sight when its run is over.
    private static let longestStraggling = Duration.seconds(1)

    /// The end of the grace period comes after everything that the handler does before it.
    func endGrace(_ run: RunIdentifier) {
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

    /// What a handler does out of sight does not end with its run: a second completion comes when its work is done.
    func awaitStragglers() {
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

    /// Whether its code does more after the end of its run than unwinding.
    var goesOn: Bool {
        executor.sleepers > 0 || executor.afterClosing.others > Self.mostJobsAfter.others
            || executor.afterClosing.cancelled > Self.mostJobsAfter.cancelled
    }

    func finishLateWork() {
        let latest = scheduler.elapsed + Self.latest
        while executor.sleepers > 0, !isEndless, let next = executor.nextTimer, next <= latest {
            scheduler.moveTime(to: next)
            executor.settle(most: Self.mostJobsAtOnce)
        }
    }

    private func wasCompletedLate(_ run: RunIdentifier) -> Bool {
        let names = scheduler.report(of: run)?.diagnostics ?? []
        return names.contains(Diagnostic.Name.lateCompletion.rawValue)
            || names.contains(Diagnostic.Name.duplicateCompletion.rawValue)
    }

    func outcome(_ run: RunIdentifier, goesOn: Bool) -> Outcome {
        let progress = progress.withLock { $0 }
        var outcome = seen
        outcome.steps = progress.steps
        outcome.wasExpired = progress.wasExpired
        outcome.slowest = progress.outside.slowest
        outcome.handover = progress.handover
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
        judge.goesOn = goesOn
        judge.isHeldUp = executor.isStuck
        judge.blindSpot = "what a timer of a run loop does is not seen, nor what takes longer than \(patience)"
        outcome.findings = judge.findings
        return outcome
    }
}
