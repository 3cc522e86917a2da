import Dispatch
import Platform
import Plugins
import Scheduling

/// One life of a handler: from its launch to the end of everything that it started.
final class ExpiryLife: Sendable {
    /// A task that is ready more often at one time does nothing but ask.
    static let mostJobsAtOnce = 5_000
    /// How much virtual time a handler may take before it is expired.
    private static let longestLife = Duration.seconds(4 * 3_600)
    private static let mostVainWaits = 2
    private static let longestRealLife = Duration.seconds(30)

    let scheduler: VirtualScheduler
    /// What is submitted where nothing is pending.
    private let request: TaskRequest
    let trial: ExpiryTrial
    let patience: Duration
    private let reason: ExpirationReason
    /// What it does when nobody expires it; `nil` while that is not known.
    let baseline: Outcome?
    let progress: Locked<Progress>

    struct Progress {
        var steps = 0
        var wasExpired = false
        var outlasts = false
        /// From here on nobody expires it any more.
        var isOver = false
        var outside = OutsidePatience()
        /// What is known of what expiration handlers hand on, from earlier lives.
        var handover: HandoverPatience
        /// Whether it is known what became of the expiration.
        var sawExpiration = false
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

        init(handover: HandoverPatience) {
            self.handover = handover
        }
    }

    /// Expires it at a time of its own, whatever the handler does then.
    private let alarm = DispatchQueue(label: "expiry")
    /// Held while time goes on, so that an expiration comes before that or after it: its handler has its turn first.
    private let time = Locked(())

    init(
        _ scheduler: VirtualScheduler, _ request: TaskRequest, _ trial: ExpiryTrial, patience: Duration,
        reason: ExpirationReason, baseline: Outcome?, handover: HandoverPatience = HandoverPatience()
    ) {
        progress = Locked(Progress(handover: handover))
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
        let goesOn = goesOn
        // Whoever submits the next request late submits it: that it comes late is told.
        finishLateWork()
        return outcome(run, goesOn: goesOn)
    }

    // MARK: - Private

    var identifier: TaskIdentifier { request.identifier }
    var executor: VirtualExecutor { scheduler.executor }

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

    /// Whether it does something again and again without ever waiting for time.
    var isEndless: Bool {
        let (before, begun) = progress.withLock { ($0.countedPoints, $0.begun) }
        return executor.points - before >= Self.mostJobsAtOnce || begun.duration(to: .now) > Self.longestRealLife
    }

    /// Until when virtual time may pass for the handler.
    var horizon: Duration {
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
    func waitForOutside() -> Bool {
        let isBesideSleep = executor.nextTimer != nil
        // What has come before this is not what the expiration handler has handed on.
        let handover = progress.withLock { $0.wasExpired && !$0.sawExpiration && $0.ended == nil ? $0.handover : nil }
        let ofHandover = handover?.wait(within: patience) ?? .zero
        let longest = isBesideSleep ? min(patience, max(ofHandover, patienceBesideSleep)) : patience
        // Code that was given up and ends, or lets go of its task, is no answer from out of sight, however late it is.
        let (didChange, didCome, waited) = executor.waitForOutside(longest)
        progress.withLock { progress in
            if handover != nil, didCome || !didChange {
                progress.sawExpiration = true
                progress.handover.note(didCome: didCome)
            } else if isBesideSleep {
                progress.outside.note(waited, didCome: didCome)
            }
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
}
