import Platform
import Plugins
import Scheduling

/// Calls of the code under test, whose dates are of the real clock.
extension VirtualScheduler {
    func submitFromCode(_ request: TaskRequest, ifPending: PendingChoice) throws(Refusal) -> Submission {
        noteLateCall("submitted a request for \(request.identifier)")
        var request = request
        request.floor = request.floor.map { $0.advanced(by: ahead) }
        return try submit(request, ifPending: ifPending)
    }

    func cancelFromCode(_ identifier: TaskIdentifier) throws(Refusal) -> Bool {
        noteLateCall("cancelled \(identifier)")
        return try withdraw(identifier)
    }

    func withdraw(_ identifier: TaskIdentifier) throws(Refusal) -> Bool {
        switch ask({ [manifest] in .requestCancelled(identifier, by: manifest.identifier, call: $0) }) {
        case .cancelled(let request): return request != nil
        case .refused(let refusal): throw refusal
        case nil, .submitted, .cancelledAll, .run, .accepted, .done: return false
        }
    }

    func cancelAllFromCode() throws(Refusal) -> Int {
        noteLateCall("cancelled all requests")
        switch ask({ [manifest] in .allRequestsCancelled(app: manifest.identifier, call: $0) }) {
        case .cancelledAll(let count): return count
        case .refused(let refusal): throw refusal
        case nil, .submitted, .cancelled, .run, .accepted, .done: return 0
        }
    }

    func pendingFromCode() -> [TaskRequest] {
        let ahead = ahead
        return pendingRequests.map { request in
            var request = request
            request.floor = request.floor.map { $0.advanced(by: .zero - ahead) }
            return request
        }
    }

    /// A call that a run's own code made.
    func codeCalled(_ what: String, of run: RunIdentifier) {
        guard core.withLock({ $0.ended[run] != nil }) else { return }
        noteLateCall(what, isLate: true)
    }

    func note(_ line: String) {
        settings.withLock { $0.log.append(line) }
    }

    /// From now on what is submitted stays pending, until it is launched by hand.
    func holdRequests() {
        settings.withLock { $0.holdsRequests = true }
        _ = ask { .paused(app: nil, call: $0) }
    }

    /// Asks what would be said of a request that starts at once or not at all if none were held.
    func checkStart(_ request: TaskRequest, _ options: SubmissionOptions) throws(Refusal) {
        var (scheduler, call) = core.withLock { ($0.scheduler, $0.takeCall()) }
        let moment = moment
        _ = scheduler.handle(.resumed(app: nil, call: call), at: moment)
        for effect in scheduler.handle(.requestSubmitted(request, options, call: call), at: moment) {
            if case .reply(call, .refused(let refusal)) = effect { throw refusal }
        }
    }

    func submission(_ reply: Reply?) throws(Refusal) -> Submission {
        switch reply {
        case .submitted(let result): return Submission(result)
        case .refused(let refusal): throw refusal
        case nil, .cancelled, .cancelledAll, .run, .accepted, .done:
            throw Refusal(.unavailable, "The scheduler gave no answer to the submission.")
        }
    }

    /// The calls that code made after its run was over, since the books were closed.
    var lateCalls: [String] { settings.withLock { $0.lateCalls } }

    /// What the code under test was told to mend.
    var misuses: [String] { settings.withLock { $0.misuses } }

    /// From the end of the first run on, what its code still does is watched.
    func closeBooksAtEnd(_ runEnded: @escaping @Sendable () -> Void) {
        settings.withLock { settings in
            settings.closesBooks = true
            settings.runEnded = runEnded
        }
    }

    /// Looks at what wants to be looked at before time goes on.
    func sample() {
        for (_, look) in settings.withLock({ $0.samplers.sorted { $0.key < $1.key } }) { look() }
    }

    func addSampler(_ look: @escaping @Sendable () -> Void) -> Int {
        settings.withLock { settings in
            settings.nextSampler += 1
            settings.samplers[settings.nextSampler] = look
            return settings.nextSampler
        }
    }

    func removeSampler(_ number: Int) {
        _ = settings.withLock { $0.samplers.removeValue(forKey: number) }
    }

    func runEnded() {
        guard
            settings.withLock({ settings in
                settings.watchesLateCalls = settings.closesBooks
                return settings.closesBooks
            })
        else { return }
        executor.closeBooks()
        settings.withLock { $0.runEnded }()
    }

    /// Runs what an app does at its launch.
    func asCodeUnderTest<Result>(_ body: () throws -> Result) throws -> Result {
        try executor.asCodeUnderTest(body)
    }

    // MARK: - Private

    private func noteLateCall(_ what: String, isLate: Bool = false) {
        executor.noteCall()
        settings.withLock { if isLate || $0.watchesLateCalls { $0.lateCalls.append(what) } }
    }

    /// How much the virtual time is ahead of the real one.
    private var ahead: Duration {
        // The virtual time began at the real one.
        let real = beginning.wall.duration(to: WallTime(milliseconds: SystemClock.milliseconds(.wall)))
        return elapsed - real
    }
}
