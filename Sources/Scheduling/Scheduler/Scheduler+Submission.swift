extension Scheduler {
    /// 1970 to 2200 (B14).
    static let dateRange: ClosedRange<Int64> = 0...7_258_118_400_000
    /// The most bytes of a title or subtitle, which every list and every run carries.
    static let longestText = 1_024
    /// Submission numbers are reserved on disk in blocks, so that a number is never given twice.
    static let submissionBlock: Int64 = 1_024

    mutating func submit(_ request: TaskRequest, _ options: SubmissionOptions, call: CallIdentifier?, at now: Moment) {
        if let app = awaitsFirstLaunch(request.identifier, by: options.by) {
            submissionsAwaitingLaunch.append(
                AwaitingSubmission(app: app, request: request, options: options, call: call))
            return
        }
        do throws(Refusal) {
            let result = try accept(request, options, maker: .caller, at: now)
            publish(.submitted(result))
            reply(call, .submitted(result))
            if let postponed = result.postponed, postponed >= 3 {
                diagnose(
                    .postponed, .warning, request.identifier, at: now,
                    "The request was moved later \(postponed) times in a row and may never run.",
                    expected: "A floor that is reached before the next submission.",
                    fix: "Submit with ifPending: keepEarlier, or submit once after each run.")
            }
        } catch {
            if let slot = tasks.slot(of: request.identifier) { tasks.outcomes[slot] = .refused(error.message) }
            publish(.refused(error, identifier: request.identifier))
            reply(call, .refused(error))
        }
    }

    /// Checks a submission in B10's order, and files it; a refusal changes nothing (B11).
    mutating func accept(
        _ request: TaskRequest, _ options: SubmissionOptions, maker: RequestMaker, at now: Moment,
        backoff: BootTime? = nil
    ) throws(Refusal) -> SubmissionResult {
        let slot = try admissibleTask(request.identifier, by: options.by)
        let kind = try admissibleKind(of: request, slot)
        try checkValues(request, kind: kind)
        let previous = tasks[slot].hasRequest ? pendingRequest(at: slot) : nil
        if let previous, keeps(previous, request, kind: kind, options, at: now) {
            return SubmissionResult(outcome: .kept, request: previous, previous: previous)
        }
        try checkLimits(slot, kind: kind, at: now)
        if kind == .continuedProcessing, request.strategy == .fail { try checkImmediateRun(request, slot, at: now) }

        let postponements = postponements(of: request, over: previous)
        var accepted = PendingRequest(
            identifier: request.identifier, app: apps[tasks[slot].app].identifier, kind: kind, floor: request.floor,
            submittedAt: now.wall, submittedBoot: now.boot, bootIdentifier: bootIdentifier,
            submission: takeSubmissionNumber())
        accepted.requiresNetworkConnectivity = request.requiresNetworkConnectivity
        accepted.requiresExternalPower = request.requiresExternalPower
        accepted.title = request.title
        accepted.subtitle = request.subtitle
        accepted.strategy = kind == .continuedProcessing ? request.strategy ?? .queue : nil
        accepted.maker = maker
        accepted.postponements = postponements ?? 0
        accepted.backoffUntil = backoff
        file(accepted, slot, at: now)
        persist(.putRequest(accepted))
        if request.kind != nil { tasks.noteSubmitted(kind, at: slot) }
        return SubmissionResult(
            outcome: previous == nil ? .submitted : .replaced, request: accepted, previous: previous,
            postponed: postponements)
    }

    mutating func cancel(_ identifier: TaskIdentifier, by app: AppIdentifier?, call: CallIdentifier?, at now: Moment) {
        guard let slot = tasks.slot(of: identifier), app == nil || apps[tasks[slot].app].identifier == app else {
            reply(call, .cancelled(nil))
            return
        }
        let claim = tasks[slot].run >= 0 ? cancelClaim(tasks[slot].run) : nil
        guard tasks[slot].hasRequest else {
            reply(call, .cancelled(claim))
            return
        }
        let request = pendingRequest(at: slot)
        removeRequest(slot)
        persist(.removeRequest(identifier))
        tasks.outcomes[slot] = .cancelled
        publish(.withdrawn(request, .cancelled))
        reply(call, .cancelled(request))
        if request.maker != .caller { armAfterSkip(slot, skipped: request, at: now) }
        forgetIfEmpty(slot)
    }

    mutating func cancelAll(_ app: AppIdentifier?, call: CallIdentifier?, at now: Moment) {
        if let app, apps.find(app) == nil {
            reply(call, .refused(unknownApp(app)))
            return
        }
        var cancelled = 0
        for index in apps.entries.indices where app == nil || apps.entries[index].identifier == app {
            for slot in pendingSlots(of: Int32(index)) {
                cancel(tasks.identifier(of: slot), by: nil, call: nil, at: now)
                cancelled += 1
            }
        }
        for run in runs.active where app == nil || runs[run].record.app == app {
            if cancelClaim(run) != nil { cancelled += 1 }
        }
        reply(call, .cancelledAll(cancelled))
    }

    // MARK: - For the parts

    /// Takes the pending request of a slot away, in memory.
    mutating func removeRequest(_ slot: Int32) {
        vacate(slot)
        unlink(slot)
        setStranded(false, slot)
        apps[tasks[slot].app].pending.add(-1, to: tasks[slot].kind)
        tasks.setHasRequest(false, at: slot)
        tasks.removeExtras(of: slot)
    }

    /// Notes whether the pending request of a slot counts in limits (B42).
    mutating func setStranded(_ isStranded: Bool, _ slot: Int32) {
        guard tasks[slot].isStranded != isStranded else { return }
        tasks[slot].isStranded = isStranded
        apps[tasks[slot].app].stranded.add(isStranded ? 1 : -1, to: tasks[slot].kind)
        strandedCount += isStranded ? 1 : -1
    }

    /// The pending request of a slot as a value.
    func pendingRequest(at slot: Int32) -> PendingRequest {
        let entry = tasks.entries[Int(slot)]
        var request = PendingRequest(
            identifier: tasks.identifier(of: slot), app: apps[entry.app].identifier, kind: entry.kind,
            floor: entry.floor == TaskEntry.noFloor ? nil : WallTime(milliseconds: entry.floor),
            submittedAt: WallTime(milliseconds: entry.submittedWall),
            submittedBoot: BootTime(milliseconds: entry.submittedBoot), bootIdentifier: bootIdentifier,
            submission: entry.submission)
        request.requiresNetworkConnectivity = entry.requiresNetworkConnectivity
        request.requiresExternalPower = entry.requiresExternalPower
        request.maker = entry.maker
        request.attempts = Int(entry.attempts)
        request.postponements = Int(entry.postponements)
        if entry.backoffUntil != TaskEntry.noFloor { request.backoffUntil = BootTime(milliseconds: entry.backoffUntil) }
        if let extras = tasks.extras(of: slot) {
            request.title = extras.title
            request.subtitle = extras.subtitle
            request.strategy = extras.strategy
        }
        return request
    }

    /// Files an accepted request, new or given back, in memory.
    mutating func file(_ request: PendingRequest, _ slot: Int32, at now: Moment) {
        if tasks[slot].hasRequest { removeRequest(slot) }
        tasks[slot].kind = request.kind
        tasks[slot].maker = request.maker
        tasks[slot].requiresNetworkConnectivity = request.requiresNetworkConnectivity
        tasks[slot].requiresExternalPower = request.requiresExternalPower
        tasks[slot].floor = request.floor?.milliseconds ?? TaskEntry.noFloor
        tasks[slot].submittedWall = request.submittedAt.milliseconds
        tasks[slot].submittedBoot = request.submittedBoot.milliseconds
        tasks[slot].submission = request.submission
        tasks[slot].attempts = UInt16(clamping: request.attempts)
        tasks[slot].postponements = UInt16(clamping: request.postponements)
        tasks[slot].backoffUntil = request.backoffUntil?.milliseconds ?? TaskEntry.noFloor
        if request.title != nil || request.subtitle != nil || request.strategy != nil {
            tasks.setExtras(
                RequestExtras(title: request.title, subtitle: request.subtitle, strategy: request.strategy), of: slot)
        }
        tasks.setHasRequest(true, at: slot)
        link(slot)
        apps[tasks[slot].app].pending.add(1, to: request.kind)
        place(slot, at: now)
    }

    mutating func takeSubmissionNumber() -> Int64 {
        let number = nextSubmission
        nextSubmission += 1
        if number >= facts.nextSubmission {
            facts.nextSubmission = number + Self.submissionBlock
            facts.nextRun = nextRun
            persist(.putRunner(facts))
        }
        return number
    }

    func pendingSlots(of app: Int32) -> [Int32] {
        var slots: [Int32] = []
        var slot = apps[app].firstTask
        while slot >= 0 {
            slots.append(slot)
            slot = tasks[slot].nextInApp
        }
        return slots.sorted { tasks[$0].submission < tasks[$1].submission }
    }

    mutating func forgetIfEmpty(_ slot: Int32) {
        if tasks.removeIfEmpty(slot) { rearms.remove(slot) }
    }

    // MARK: - Private

    /// How often in a row the floor was moved later, this replacement included; `nil` when it was not.
    private func postponements(of request: TaskRequest, over previous: PendingRequest?) -> Int? {
        guard let previous, let floor = request.floor else { return nil }
        return floor > previous.floor ?? previous.submittedAt ? previous.postponements + 1 : nil
    }

    private func keeps(
        _ previous: PendingRequest, _ request: TaskRequest, kind: TaskKind, _ options: SubmissionOptions,
        at now: Moment
    ) -> Bool {
        switch options.ifPending {
        case .replace: return false
        case .keep: return true
        case .keepEarlier:
            guard previous.kind == kind,
                previous.requiresNetworkConnectivity == request.requiresNetworkConnectivity,
                previous.requiresExternalPower == request.requiresExternalPower
            else { return false }
            let tolerance = options.tolerance ?? policy.timing.keepTolerance
            return (previous.floor ?? now.wall) <= (request.floor ?? now.wall).advanced(by: tolerance)
        }
    }

    /// A cancel removes a claim: if the start fails, nothing comes back.
    private mutating func cancelClaim(_ run: Int32) -> PendingRequest? {
        guard runs[run].record.state == .starting, !runs[run].record.claimCancelled else { return nil }
        runs[run].record.claimCancelled = true
        persist(.putRun(runs[run].record))
        return runs[run].record.request
    }

    private mutating func link(_ slot: Int32) {
        let app = tasks[slot].app
        let first = apps[app].firstTask
        tasks[slot].nextInApp = first
        tasks[slot].previousInApp = -1
        if first >= 0 { tasks[first].previousInApp = slot }
        apps[app].firstTask = slot
    }

    private mutating func unlink(_ slot: Int32) {
        let (next, previous) = (tasks[slot].nextInApp, tasks[slot].previousInApp)
        if next >= 0 { tasks[next].previousInApp = previous }
        if previous >= 0 { tasks[previous].nextInApp = next } else { apps[tasks[slot].app].firstTask = next }
        tasks[slot].nextInApp = -1
        tasks[slot].previousInApp = -1
    }
}
