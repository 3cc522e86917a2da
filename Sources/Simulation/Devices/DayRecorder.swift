import Scheduling

/// Writes down what a device's days were like, from what the scheduler publishes and what happens around it.
struct DayRecorder: Sendable {
    private let start: WallTime
    /// How far the clock was set ahead in all.
    private var clockChange: Int64 = 0
    private var isOff = false
    private let utcOffsetSeconds: Int
    private let lane: DeviceLane
    private var tasks: [TaskIdentifier: TaskLane] = [:]
    private let order: [TaskIdentifier]
    /// Requests that are pending, in the order of their tasks.
    private var drafts: [TaskIdentifier: WaitingRequest] = [:]
    /// Where the requests of runs that go on stand in their lanes.
    private var running: [RunIdentifier: Int] = [:]
    private var bands: [ChartBand] = []
    private var openBands: [ChartBand.Kind: WallTime] = [:]
    private var marks: [ChartMark] = []
    private var pushes: [PushReport] = []
    private var fetches: [FetchReport] = []
    private var transfers: [TransferReport] = []
    private var syncs: [SyncReport] = []
    private var wakes: [WakeReport] = []
    private var diagnostics: [Diagnostic] = []

    private static let mostDiagnostics = 1_000

    init(_ scenario: Scenario, _ device: ScenarioDevice) {
        start = scenario.start
        utcOffsetSeconds = scenario.utcOffsetSeconds
        lane = DeviceLane(name: device.name, policy: device.policy.name)
        var order: [TaskIdentifier] = []
        for app in scenario.apps {
            for task in app.tasks {
                order.append(task.identifier)
                tasks[task.identifier] = TaskLane(
                    app: app.app.text, identifier: task.identifier.text, kind: task.kind.rawValue)
            }
        }
        self.order = order
    }

    // MARK: The scheduler

    mutating func hear(_ notice: Notice, at now: Moment) {
        switch notice {
        case .submitted(let result):
            guard result.outcome != .kept else { return }
            withdraw(result.request.identifier, at: now, "replaced by a newer request")
            open(result.request, at: now)
        case .refiled(let request, _): open(request, at: now)
        case .withdrawn(let request, let cause):
            withdraw(request.identifier, at: now, cause == .cancelled ? "cancelled" : "dropped")
        case .refused(let refusal, let identifier):
            tasks[identifier]?.requests.append(
                ChartRequest(submittedAt: now.wall, outcome: .refused(detail: refusal.message)))
        case .claimed(let record): claimed(record, at: now)
        case .ended(let record): ended(record)
        case .diagnostic(let diagnostic):
            if diagnostics.count < Self.mostDiagnostics { diagnostics.append(diagnostic) }
        case .deviceChanged(let change): changed(change.condition, change.value, at: now)
        case .launched, .progressed, .expiring, .gateChanged, .appStateChanged, .phaseChanged: break
        }
    }

    /// Looks which gates hold what is pending.
    mutating func look(at scheduler: Scheduler, _ now: Moment) {
        guard !isOff else { return }
        for identifier in drafts.keys {
            let gate = scheduler.holdingGate(of: identifier)?.rawValue
            guard gate != drafts[identifier]?.gate else { continue }
            hold(identifier, by: gate, at: now)
        }
    }

    mutating func windowOpened(at now: Moment, until end: BootTime?) {
        let length = end.map { now.boot.duration(to: $0) } ?? .zero
        bands.append(ChartBand(.window, from: now.wall, to: now.wall.advanced(by: length)))
    }

    // MARK: What happens around it

    mutating func mark(_ kind: ChartMark.Kind, _ now: Moment, app: AppIdentifier? = nil, detail: String = "") {
        marks.append(ChartMark(kind, at: now.wall, app: app?.text, detail: detail))
    }

    mutating func turnedOff(_ now: Moment) {
        isOff = true
        openBands[.off] = now.wall
        for identifier in drafts.keys { hold(identifier, by: ChartHold.deviceOff, at: now) }
    }

    mutating func turnedOn(_ now: Moment) {
        isOff = false
        close(.off, at: now)
        for identifier in drafts.keys { hold(identifier, by: nil, at: now) }
    }

    /// What is so when the runner starts, which it publishes only where it is not as it assumed.
    mutating func begin(with conditions: [DeviceCondition: ConditionValue], _ now: Moment) {
        for condition in DeviceCondition.allCases {
            changed(condition, conditions[condition] ?? condition.assumed.value, at: now)
        }
    }

    /// The clock was set: what was held goes on being held, and its times are those of the new clock from here on.
    mutating func clockSet(by change: Duration, from before: Moment, to now: Moment) {
        mark(.clockSet, now, detail: change.wholeMilliseconds < 0 ? "back" : "ahead")
        for identifier in drafts.keys {
            guard var draft = drafts[identifier] else { continue }
            draft.endHold(at: before, lasting: lived(before) - lived(draft.gateSince))
            draft.reachFloor(before, lived(before))
            draft.gateSince = now
            draft.reachFloor(now, lived(before), byJump: true)
            drafts[identifier] = draft
        }
        clockChange += change.wholeMilliseconds
    }

    mutating func synced(_ app: AppIdentifier, _ cause: SyncReport.Cause, _ now: Moment) {
        syncs.append(SyncReport(app: app, at: now.wall, cause: cause))
    }

    mutating func woken(_ app: AppIdentifier, _ cause: WakeReport.Cause, isNew: Bool, _ now: Moment) {
        if !isNew, let last = wakes.lastIndex(where: { $0.app == app }) {
            if !wakes[last].causes.contains(cause) { wakes[last].causes.append(cause) }
        } else {
            wakes.append(WakeReport(app: app, at: now.wall, causes: [cause]))
        }
    }

    /// - Returns: where its report stands.
    mutating func pushSent(_ app: AppIdentifier, _ now: Moment) -> Int {
        mark(.pushSent, now, app: app)
        pushes.append(PushReport(app: app, sentAt: now.wall, fate: .held))
        return pushes.count - 1
    }

    mutating func pushEnded(_ position: Int?, _ fate: PushReport.Fate) {
        guard let position else { return }
        pushes[position].fate = fate
        let app = pushes[position].app.text
        switch fate {
        case .delivered(let at): marks.append(ChartMark(.pushDelivered, at: at, app: app))
        case .discarded(let at, let reason): marks.append(ChartMark(.pushDiscarded, at: at, app: app, detail: reason))
        case .superseded(let at):
            marks.append(ChartMark(.pushSuperseded, at: at, app: app, detail: "a newer push took its place"))
        case .held: break
        }
    }

    mutating func fetched(_ app: AppIdentifier, _ result: FetchResult, next: Duration, _ now: Moment) {
        mark(.fetch, now, app: app, detail: result.rawValue)
        fetches.append(FetchReport(app: app, at: now.wall, result: result, nextInterval: next))
    }

    mutating func transferAsked(_ app: AppIdentifier, _ now: Moment) -> Int {
        transfers.append(TransferReport(app: app, askedAt: now.wall))
        return transfers.count - 1
    }

    mutating func transferStarted(_ position: Int?, _ now: Moment) {
        guard let position, transfers[position].startedAt == nil else { return }
        transfers[position].startedAt = now.wall
    }

    mutating func transferEnded(_ position: Int?, _ now: Moment) {
        guard let position else { return }
        transfers[position].endedAt = now.wall
        mark(.transfer, now, app: transfers[position].app)
    }

    // MARK: The report

    /// What there is to tell of the days after the warm-up.
    func report(
        seed: UInt64, end: WallTime, problems: [String], scheduler: Scheduler, at now: Moment
    ) -> DeviceReport {
        var copy = self
        for identifier in order {
            guard var draft = copy.drafts[identifier] else { continue }
            finish(&draft, at: now)
            copy.tasks[identifier]?.requests.append(draft.request)
        }
        for kind in copy.openBands.keys { copy.close(kind, at: now) }
        var lane = lane
        lane.bands = copy.bands.filter { $0.end > start && $0.start < end }
            .sorted { ($0.start, $0.kind.rawValue) < ($1.start, $1.kind.rawValue) }
        lane.marks = copy.marks.filter { $0.at >= start && $0.at < end }
        lane.tasks = order.compactMap { copy.tasks[$0] }.map { task in
            var task = task
            task.requests.removeAll { $0.lastTime.map { $0 < start } ?? false }
            return task
        }
        var report = DeviceReport(
            seed: seed, start: start, end: end, utcOffsetSeconds: utcOffsetSeconds, lane: lane)
        report.pushes = pushes.filter { $0.sentAt >= start }
        report.fetches = fetches.filter { $0.at >= start }
        report.transfers = transfers.filter { $0.askedAt >= start }
        report.syncs = syncs.filter { $0.at >= start }
        report.wakes = wakes.filter { $0.at >= start }
        report.diagnostics = diagnostics
        report.problems = problems
        return report
    }

    // MARK: - Private

    private mutating func open(_ request: PendingRequest, at now: Moment) {
        let hasFloor = request.floor.map { $0 > now.wall } ?? false
        drafts[request.identifier] = WaitingRequest(
            request: ChartRequest(submittedAt: request.submittedAt, floor: request.floor, outcome: .pending),
            gateSince: now, waitsSince: hasFloor ? nil : lived(now))
    }

    /// The time that was lived, in milliseconds; unlike the clock it only grows.
    private func lived(_ now: Moment) -> Int64 { now.wall.milliseconds - clockChange }

    private mutating func hold(_ identifier: TaskIdentifier, by gate: String?, at now: Moment) {
        guard var draft = drafts[identifier] else { return }
        draft.endHold(at: now, lasting: lived(now) - lived(draft.gateSince))
        draft.gate = gate
        drafts[identifier] = draft
    }

    /// Its wait ends here.
    private func finish(_ draft: inout WaitingRequest, at now: Moment) {
        draft.endHold(at: now, lasting: lived(now) - lived(draft.gateSince))
        draft.reachFloor(now, lived(now))
        draft.request.waited = draft.waitsSince.map { max(0, lived(now) - $0) } ?? 0
    }

    private mutating func withdraw(_ identifier: TaskIdentifier, at now: Moment, _ detail: String) {
        guard var draft = drafts.removeValue(forKey: identifier) else { return }
        finish(&draft, at: now)
        draft.request.outcome = .withdrawn(at: now.wall, detail: detail)
        tasks[identifier]?.requests.append(draft.request)
    }

    private mutating func claimed(_ record: RunRecord, at now: Moment) {
        let identifier = record.identifier
        var draft =
            drafts.removeValue(forKey: identifier)
            ?? WaitingRequest(
                request: ChartRequest(submittedAt: record.request.submittedAt, outcome: .pending), gateSince: now,
                waitsSince: lived(now))
        finish(&draft, at: now)
        draft.request.outcome = .granted(ChartRun(record))
        running[record.run] = tasks[identifier]?.requests.count
        tasks[identifier]?.requests.append(draft.request)
    }

    private mutating func ended(_ record: RunRecord) {
        guard let position = running.removeValue(forKey: record.run) else { return }
        tasks[record.identifier]?.requests[position].outcome = .granted(ChartRun(record))
    }

    private mutating func changed(_ condition: DeviceCondition, _ value: ConditionValue?, at now: Moment) {
        func show(_ kind: ChartBand.Kind, _ isOn: Bool) {
            if !isOn {
                close(kind, at: now)
            } else if openBands[kind] == nil {
                openBands[kind] = now.wall
            }
        }
        switch condition {
        case .externalPower: show(.externalPower, value == .flag(true))
        case .lowPowerMode: show(.lowPowerMode, value == .flag(true))
        case .idle: show(.idle, value == .flag(true))
        case .unlocked: show(.locked, value == .flag(false))
        case .backgroundRefresh: show(.backgroundRefreshOff, value == .flag(false))
        case .network:
            show(.noNetwork, value == .network(.none))
            show(.meteredNetwork, value == .network(.metered))
        case .thermal: show(.thermal, value == .thermal(.serious) || value == .thermal(.critical))
        case .batteryLevel: break
        }
    }

    private mutating func close(_ kind: ChartBand.Kind, at now: Moment) {
        guard let since = openBands.removeValue(forKey: kind) else { return }
        bands.append(ChartBand(kind, from: since, to: max(since, now.wall)))
    }
}
