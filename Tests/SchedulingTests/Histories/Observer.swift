import Scheduling

/// Somebody who was told once what is pending and running, and then only what is published.
struct Observer {
    /// What somebody may fail to hear.
    enum Kind: CaseIterable {
        case submitted, refiled, withdrawn, claimed, launched, progressed, expiring, ended
    }

    /// Does not hear this kind, so that a test can see that it would be missed.
    let deaf: Kind?
    private(set) var pending: [TaskIdentifier: PendingRequest] = [:]
    private(set) var running: [RunIdentifier: RunRecord] = [:]

    init(_ scheduler: Scheduler, deafTo deaf: Kind? = nil) {
        self.deaf = deaf
        for request in Self.pending(scheduler) { pending[request.identifier] = Self.shown(request) }
        for run in scheduler.activeRuns { running[run.run] = Self.shown(run) }
    }

    mutating func apply(_ notice: Notice) {
        guard deaf == nil || Self.kind(notice) != deaf else { return }
        switch notice {
        case .submitted(let result): pending[result.request.identifier] = Self.shown(result.request)
        case .refiled(let request, _): pending[request.identifier] = Self.shown(request)
        case .withdrawn(let request, _): remove(request)
        case .claimed(let run):
            remove(run.request)
            running[run.run] = Self.shown(run)
        case .launched(let run), .progressed(let run), .expiring(let run): running[run.run] = Self.shown(run)
        case .ended(let run): running[run.run] = nil
        case .refused, .diagnostic, .gateChanged, .appStateChanged, .deviceChanged, .phaseChanged: break
        }
    }

    /// How what it knows differs from what is so.
    func differences(from scheduler: Scheduler) -> [String] {
        let requests = Dictionary(uniqueKeysWithValues: Self.pending(scheduler).map { ($0.identifier, Self.shown($0)) })
        let runs = Dictionary(uniqueKeysWithValues: scheduler.activeRuns.map { ($0.run, Self.shown($0)) })
        var differences: [String] = []
        for identifier in Set(requests.keys).union(pending.keys) where requests[identifier] != pending[identifier] {
            differences.append("\(identifier) was told as \(String(describing: pending[identifier]))")
        }
        for run in Set(runs.keys).union(running.keys) where runs[run] != running[run] {
            differences.append("run \(run.number) was told as \(String(describing: running[run]))")
        }
        return differences
    }

    // MARK: - Private

    private static func kind(_ notice: Notice) -> Kind? {
        switch notice {
        case .submitted: .submitted
        case .refiled: .refiled
        case .withdrawn: .withdrawn
        case .claimed: .claimed
        case .launched: .launched
        case .progressed: .progressed
        case .expiring: .expiring
        case .ended: .ended
        case .refused, .diagnostic, .gateChanged, .appStateChanged, .deviceChanged, .phaseChanged: nil
        }
    }

    private mutating func remove(_ request: PendingRequest) {
        if pending[request.identifier]?.submission == request.submission { pending[request.identifier] = nil }
    }

    private static func pending(_ scheduler: Scheduler) -> [PendingRequest] {
        scheduler.pending(app: nil, after: 0, limit: .max).requests
    }

    /// What the control socket shows of a request.
    private static func shown(_ request: PendingRequest) -> PendingRequest {
        var request = request
        request.maker = .caller
        request.submittedBoot = BootTime(milliseconds: 0)
        request.bootIdentifier = BootIdentifier("")
        request.postponements = 0
        request.backoffUntil = nil
        return request
    }

    /// What the control socket shows of a run.
    private static func shown(_ run: RunRecord) -> RunRecord {
        var run = run
        run.request = shown(run.request)
        run.claimCancelled = false
        run.process = nil
        return run
    }
}
