import Platform
import Plugins
public import Scheduling

extension VirtualScheduler {
    // MARK: - Time

    /// Lets virtual time pass: what is due starts at its time, handlers run, and budgets end.
    public func advance(by duration: Duration) async {
        await drive { self.advance(to: self.elapsed + max(.zero, duration)) }
    }

    /// Lets handlers run until nothing more happens at this time.
    public func settle() async {
        await drive { self.settle() }
    }

    // MARK: - Simulating

    /// Runs the pending request of an identifier now, whatever its gates say, as the debugger does on iOS (B32).
    ///
    /// Returns when the handler was entered. Throws `noPendingRequest`, `notRegistered`, `alreadyRunning`, `timedOut`, or
    /// `launchFailed` before `finishLaunching()`.
    /// With `submit` a request is submitted first when nothing is pending.
    @discardableResult
    public func simulateLaunch(_ identifier: String, submit: Bool = false) async throws(Refusal) -> VirtualRun {
        let identifier = try TaskIdentifier(identifier)
        guard settings.withLock({ $0.isFinished }) else {
            throw Refusal(
                .launchFailed, "\(manifest.identifier) has not finished launching; call finishLaunching() first.")
        }
        if let run = currentRun(of: identifier.text) {
            // What nothing holds is launched at once, whether or not time passes.
            throw Refusal(
                .alreadyRunning,
                "\(identifier) runs already, as run \(run.number), since nothing held its request; take it with "
                    + "currentRun(of:), or submit it with a floor.")
        }
        let options = SimulationOptions(submit: submit)
        return try await drive { self.launch(identifier, options) }.get()
    }

    /// Expires the current run of an identifier, and lets its code go on (B34).
    ///
    /// Time does not pass: the grace period ends with `advance(by:)`. Throws `notRunning`.
    public func simulateExpiration(
        _ identifier: String, reason: ExpirationReason = .simulated
    ) async throws(Refusal) {
        let identifier = try TaskIdentifier(identifier)
        try await drive { () -> Result<Void, Refusal> in
            if case .refused(let refusal) = self.expire(identifier, reason) {
                guard refusal.kind == .notRunning else { return .failure(refusal) }
                // The scheduler's own words lead to a command line.
                return .failure(
                    Refusal(.notRunning, "\(identifier) does not run now; start it with simulateLaunch(_:submit:)."))
            }
            self.settle()
            return .success(())
        }.get()
    }

    /// The run of an identifier that goes on now, whoever started it.
    public func currentRun(of identifier: String) -> VirtualRun? {
        core.withLock { $0.scheduler.activeRuns.first { $0.identifier.text == identifier } }
            .map { VirtualRun(self, $0.run, $0.identifier) }
    }

    /// The report of the last run of an identifier that has ended.
    public func lastRun(of identifier: String) -> RunReport? {
        history.last { $0.identifier.text == identifier }
    }

    // MARK: - For the parts

    @discardableResult
    func expire(_ identifier: TaskIdentifier, _ reason: ExpirationReason) -> Reply? {
        ask { .expirationSimulated(identifier, reason, call: $0) }
    }

    /// When something happens by itself next.
    var nextHappening: Duration? {
        let wakeup = core.withLock { $0.wakeup }
        let moment = moment
        let scheduled = [
            wakeup.wall.map { moment.wall.duration(to: $0) }, wakeup.boot.map { moment.boot.duration(to: $0) },
            wakeup.awake.map { moment.awake.duration(to: $0) },
        ].compactMap(\.self).min().map { elapsed + $0 }
        return [scheduled, executor.nextTimer].compactMap(\.self).min()
    }

    func moveTime(to time: Duration) {
        sample()
        executor.advance(to: time)
        feed(.timePassed)
    }

    func hasEnded(_ run: RunIdentifier) -> Bool {
        core.withLock { $0.ended[run] != nil }
    }

    func report(of run: RunIdentifier) -> RunReport? {
        core.withLock { [beginning] core in
            core.ended[run].flatMap {
                RunReport($0, diagnostics: core.diagnosticNames(of: run), since: beginning.wall)
            }
        }
    }

    /// On the driver: starts a run, and waits until its handler was entered.
    func launch(
        _ identifier: TaskIdentifier, _ options: SimulationOptions, most: Int? = nil,
        entered: @escaping @Sendable () -> Void = {},
        _ point: () -> VirtualExecutor.AtPoint = { .goOn }
    ) -> Result<VirtualRun, Refusal> {
        let answer = Locked<Reply?>(nil)
        ask({ .launchSimulated(identifier, options, call: $0) }) { reply in
            if case .run = reply { entered() }
            answer.withLock { $0 = reply }
        }
        repeat {
            executor.settle(most: most) { _ in answer.withLock { $0 == nil } ? .goOn : point() }
        } while answer.withLock({ $0 == nil }) && executor.waitForChange(patience)
        switch answer.withLock({ $0 }) {
        case .run(let record): return .success(VirtualRun(self, record.run, identifier))
        case .refused(let refusal): return .failure(refusal)
        case nil:
            return .failure(
                Refusal(.timedOut, "The handler of \(identifier) was not entered: its queue is busy."))
        case .submitted, .cancelled, .cancelledAll, .accepted, .done:
            return .failure(Refusal(.unavailable, "The scheduler gave no answer to the launch."))
        }
    }

    /// On the driver: lets time pass until the run has ended.
    func awaitEnd(of run: RunIdentifier, within limit: Duration) -> RunReport? {
        let deadline = elapsed + limit
        while !hasEnded(run) {
            settle()
            guard !hasEnded(run), elapsed < deadline else { break }
            moveTime(to: min(deadline, next(after: elapsed) ?? deadline))
        }
        executor.settle()
        return report(of: run)
    }

    // MARK: - Private

    private func advance(to target: Duration) {
        settle()
        while elapsed < target {
            moveTime(to: min(target, next(after: elapsed) ?? target))
            settle()
        }
    }

    /// Waking early is harmless, so a wakeup may be one of the past.
    func next(after time: Duration) -> Duration? {
        nextHappening.map { max($0, time + .milliseconds(1)) }
    }

    /// Lets code run until nothing happens any more, as far as can be seen, or something happens for too long: often, and
    /// for a while, since on a busy machine a few things may take long.
    private func settle() {
        let begun = ContinuousClock.now
        let longest = max(.seconds(5), patience * 10)
        var rounds = 0
        while executor.settle(), isRunning, waitForOutside(), rounds < 500 || begun.duration(to: .now) < longest {
            rounds += 1
        }
        sample()
    }

    private var isRunning: Bool { core.withLock { $0.scheduler.runningCount > 0 } }

    /// Code that waits for virtual time may wait for something else too, but that is rare.
    private func waitForOutside() -> Bool {
        guard executor.nextTimer != nil else { return executor.waitForChange(patience) }
        let longest = settings.withLock { min($0.patience, $0.patienceBesideSleep ?? $0.outside.next) }
        let (didChange, didCome, waited) = executor.waitForOutside(longest)
        settings.withLock { $0.outside.note(waited, didCome: didCome) }
        return didChange
    }
}

/// A run that was started by a test.
public struct VirtualRun: Sendable {
    /// The identifier of the task.
    public let identifier: TaskIdentifier
    let run: RunIdentifier
    private let scheduler: VirtualScheduler

    init(_ scheduler: VirtualScheduler, _ run: RunIdentifier, _ identifier: TaskIdentifier) {
        self.scheduler = scheduler
        self.run = run
        self.identifier = identifier
    }

    /// Its number.
    public var number: Int64 { run.number }

    /// What is known of it, once it has ended.
    public var report: RunReport? { scheduler.report(of: run) }

    /// Waits for its end, and lets virtual time pass as far as that takes.
    ///
    /// Throws `timedOut` when it has not ended within the limit, which is in virtual time.
    public func end(within limit: Duration = .seconds(900)) async throws(Refusal) -> RunReport {
        let run = run
        let scheduler = scheduler
        guard let report = await scheduler.drive({ scheduler.awaitEnd(of: run, within: limit) }) else {
            throw Refusal(.timedOut, "Run \(run.number) of \(identifier) did not end within \(limit).")
        }
        return report
    }
}
