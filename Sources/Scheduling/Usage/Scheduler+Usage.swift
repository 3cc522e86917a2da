/// What use of an app earns it, and what its runs have cost.
extension Scheduler {
    /// Somebody opened the app.
    mutating func appOpened(_ identifier: AppIdentifier, call: CallIdentifier, at now: Moment) {
        let (apple, offset) = (policy.apple, device.utcOffsetSeconds)
        changeApp(identifier, call: call, at: now) { facts in
            facts.lastOpenedAt = now.wall
            facts.forceQuitAt = nil
            guard let apple else { return }
            var usage = facts.usage ?? AppUsage(opensPerDay: apple.newAppOpensPerDay, at: now.wall)
            usage.opened(at: now.wall, utcOffsetSeconds: offset, halfLife: apple.usageHalfLife)
            facts.usage = usage
        }
        // Rates and buckets are better now.
        guard policy.hasWindows, let app = apps.find(identifier) else { return }
        replaceAll(of: app, at: now)
    }

    /// How often the app is opened a day, as far as it is known.
    func opensPerDay(of app: Int32, at now: Moment) -> Double {
        guard let apple = policy.apple else { return 0 }
        guard let usage = apps[app].facts.usage else { return apple.newAppOpensPerDay }
        return usage.opensPerDay(at: now.wall, halfLife: apple.usageHalfLife)
    }

    /// The shortest time between the starts of an app's scheduled runs of a kind; the less it is used, the longer.
    func interval(for kind: TaskKind, of app: Int32, at now: Moment) -> Duration? {
        guard let apple = policy.apple else { return fixedInterval(for: kind) }
        let opens = max(opensPerDay(of: app, at: now), 1e-6)
        switch kind {
        case .appRefresh:
            let day = Double(Duration.days(1).wholeMilliseconds)
            let earned = Duration.milliseconds(Int64(min(day / (opens * max(apple.refreshesPerOpen, 1e-6)), 1e13)))
            return max(earned, apple.shortestRefreshInterval)
        case .processing, .healthResearch:
            let stretch = max(1, apple.newAppOpensPerDay / opens)
            return .milliseconds(Int64(min(Double(apple.processingInterval.wholeMilliseconds) * stretch, 1e13)))
        case .continuedProcessing: return nil
        }
    }

    /// The same where the policy names it.
    func fixedInterval(for kind: TaskKind) -> Duration? {
        switch kind {
        case .appRefresh: policy.gates.refreshInterval
        case .processing, .healthResearch: policy.gates.processingInterval
        case .continuedProcessing: nil
        }
    }

    /// Why use of the app holds its request; `nil` when it does not.
    func usageHold(_ entry: TaskEntry, at now: Moment) -> UsageHold? {
        if let doze = policy.doze { return idleNetworkHold(entry, doze, at: now) }
        let facts = apps[entry.app].facts
        if let after = policy.gates.unopenedAfter, let opened = facts.lastOpenedAt ?? facts.firstSeenAt,
            opened.advanced(by: after) <= now.wall
        {
            return .notOpened
        }
        guard let apple = policy.apple else { return nil }
        if opensPerDay(of: entry.app, at: now) < apple.fewestOpensPerDay { return .notOpened }
        guard let usage = facts.usage, usage.count >= apple.opensBeforeHoursCount,
            !usage.isUsual(
                at: now.wall, within: apple.usualHoursAhead, utcOffsetSeconds: device.utcOffsetSeconds)
        else { return nil }
        let due = max(entry.order, entry.submittedWall)
        let until = WallTime(milliseconds: due).advanced(by: apple.offHoursPatience)
        return until > now.wall ? .unusualHour(until: until) : nil
    }

    /// How long the app's budget holds its request; 0 when it does not.
    func budgetWait(_ entry: TaskEntry, at now: Moment) -> Int64 {
        let facts = apps[entry.app].facts
        if device.value(of: .externalPower) == .flag(true), policy.hasWindows { return 0 }
        if let apple = policy.apple {
            return facts.energy?.wait(
                for: apple.energyReserve, perDay: apple.energyPerDay, at: now, in: bootIdentifier) ?? 0
        }
        guard let doze = policy.doze else { return 0 }
        let (quota, span) = quota(entry.kind, of: entry.app, doze, at: now)
        guard let quota, let use = entry.kind == .continuedProcessing ? facts.expedited : facts.quota else { return 0 }
        return use.wait(until: quota, within: span, at: now, in: bootIdentifier)
    }

    /// What is left of the quota that a run of a kind counts in; `nil` when it counts in none.
    func quotaLeft(_ kind: TaskKind, of app: Int32, at now: Moment) -> Duration? {
        guard let doze = policy.doze, device.value(of: .externalPower) != .flag(true) else { return nil }
        let (quota, span) = quota(kind, of: app, doze, at: now)
        guard let quota else { return nil }
        let use = kind == .continuedProcessing ? apps[app].facts.expedited : apps[app].facts.quota
        let taken = use?.taken(within: span, at: now, in: bootIdentifier) ?? 0
        return max(.milliseconds(1), quota - .milliseconds(taken))
    }

    /// The bucket of an app under `doze`.
    func bucket(of app: Int32, at now: Moment) -> StandbyBucket? {
        guard let doze = policy.doze else { return nil }
        let facts = apps[app].facts
        func age(_ time: WallTime) -> Duration { max(.zero, time.duration(to: now.wall)) }
        if let opened = facts.lastOpenedAt { return doze.bucket(openedBefore: age(opened)) }
        // A new app is in the working set, and no longer than one that was opened then.
        let bucket = facts.firstSeenAt.map { doze.bucket(openedBefore: age($0)) } ?? .workingSet
        return bucket == .active ? .workingSet : bucket
    }

    /// What a run has taken since it was counted last counts (B35).
    mutating func countUsage(of run: Int32, at now: Moment) {
        countUsage(of: run, onPower: device.value(of: .externalPower) == .flag(true), at: now)
    }

    /// The same for all runs of an app whose quota the next one shares.
    mutating func countUsage(ofApp app: Int32, at now: Moment) {
        guard policy.isDoze, apps[app].running > 0 else { return }
        for run in runs.active where runs[run].app == app { countUsage(of: run, at: now) }
    }

    /// How long a run of a kind may take, as its app and the policy say.
    func ownBudget(_ kind: TaskKind, _ settings: TaskSettings?) -> Duration? {
        kind == .continuedProcessing ? nil : settings?.budget ?? policy.budgets.budget(of: kind)
    }

    /// Power came or went: what runs have taken counts as what it was, and quotas hold them from now on, or no longer.
    mutating func powerChanged(from old: ConditionValue?, at now: Moment) {
        guard policy.hasWindows else { return }
        for run in runs.active where runs[run].record.origin == .scheduled && runs[run].enteredAwake != nil {
            countUsage(of: run, onPower: old == .flag(true), at: now)
        }
        guard policy.isDoze else { return }
        for run in runs.active where runs[run].record.origin == .scheduled && runs[run].record.state == .running {
            let entry = runs[run]
            let own = ownBudget(
                entry.record.request.kind, apps.settings(of: entry.record.identifier, in: entry.app))
            let left = quotaLeft(entry.record.request.kind, of: entry.app, at: now)
            let ends = [
                own.map { (entry.enteredAwake ?? now.awake).advanced(by: $0) }, left.map { now.awake.advanced(by: $0) },
            ]
            runs[run].budgetDeadline = ends.compactMap { $0 }.min()
            runs.scheduleDeadline(run)
        }
    }

    /// A scheduled run was entered: rates count from its claim; simulated ones count nowhere (B35).
    mutating func countStart(_ run: Int32) {
        let record = runs[run].record
        guard record.origin == .scheduled else { return }
        let countsRate = hasInterval(record.request.kind)
        let countsNetwork = policy.isDoze && record.request.requiresNetworkConnectivity
        guard countsRate || countsNetwork else { return }
        let stamp = stamp(record)
        changeAppFacts(runs[run].app) { facts in
            if countsNetwork { facts.lastNetwork = stamp }
            guard countsRate else { return }
            switch record.request.kind {
            case .appRefresh: facts.lastRefresh = stamp
            case .processing, .healthResearch: facts.lastProcessing = stamp
            case .continuedProcessing: break
            }
        }
    }

    /// When the app's last scheduled run of a kind began. One that is being started counts; if that fails, it never was.
    func lastStart(_ kind: TaskKind, of app: Int32) -> TimeStamp? {
        let mode = kind.requiredMode
        if let starting = starting(of: app, { $0.kind.requiredMode == mode }) { return starting }
        return kind == .appRefresh ? apps[app].facts.lastRefresh : apps[app].facts.lastProcessing
    }

    /// An app is there for the first time: one that nobody opens counts as opened now.
    mutating func noteFirstSeen(_ app: Int32, at now: Moment) {
        guard policy.hasWindows, apps[app].description != nil else { return }
        let learned = policy.apple.map { AppUsage(opensPerDay: $0.newAppOpensPerDay, at: now.wall) }
        guard apps[app].facts.firstSeenAt == nil || apps[app].facts.usage == nil && learned != nil else { return }
        changeAppFacts(app) { facts in
            facts.firstSeenAt = facts.firstSeenAt ?? now.wall
            facts.usage = facts.usage ?? learned
        }
    }

    /// Power came or went: budgets that it lifts are looked at again.
    mutating func reopenBudgets(at now: Moment) {
        guard policy.hasWindows else { return }
        for app in apps.entries.indices where apps.entries[app].pending.total > 0 {
            replaceAll(of: Int32(app), at: now)
        }
    }

    // MARK: - Private

    private func stamp(_ record: RunRecord) -> TimeStamp {
        TimeStamp(wall: record.startedAt, boot: record.startedBoot, bootIdentifier: bootIdentifier)
    }

    /// When a scheduled run of the app was claimed that is not entered yet.
    private func starting(of app: Int32, _ matches: (PendingRequest) -> Bool) -> TimeStamp? {
        guard apps[app].running > 0 else { return nil }
        for case let entry? in runs.entries
        where entry.app == app && entry.record.state == .starting && entry.record.origin == .scheduled
            && matches(entry.record.request)
        {
            return stamp(entry.record)
        }
        return nil
    }

    private mutating func countUsage(of run: Int32, onPower: Bool, at now: Moment) {
        guard runs[run].record.origin == .scheduled, let counted = runs[run].countedUntil else { return }
        let time = now.awake.milliseconds - counted.milliseconds
        guard time > 0 else { return }
        runs[run].countedUntil = now.awake
        let (app, kind, boot) = (runs[run].app, runs[run].record.request.kind, bootIdentifier)
        if let apple = policy.apple, !onPower, kind != .continuedProcessing {
            let cost = apps.settings(of: runs[run].record.identifier, in: app)?.cost ?? 1
            let spent = Int64(min(max(Double(time) * cost, 0), 1e12))
            let stamp = stamp(now)
            changeAppFacts(app) { facts in
                var energy = facts.energy ?? EnergyUse(at: stamp)
                energy.spend(spent, perDay: apple.energyPerDay, at: now, in: boot)
                facts.energy = energy
            }
        }
        if policy.isDoze {
            let isExpedited = kind == .continuedProcessing
            // What runs of an app take at the same time counts once.
            let from = max(counted, (isExpedited ? apps[app].expeditedUntil : apps[app].quotaUntil) ?? counted)
            if isExpedited { apps[app].expeditedUntil = now.awake } else { apps[app].quotaUntil = now.awake }
            let taken = now.awake.milliseconds - from.milliseconds
            if !onPower, taken > 0 {
                changeAppFacts(app) { facts in
                    var use = (isExpedited ? facts.expedited : facts.quota) ?? QuotaUse()
                    use.add(taken, at: now, in: boot)
                    if isExpedited { facts.expedited = use } else { facts.quota = use }
                }
            }
        }
        guard policy.gates.runTimePerDay != nil else { return }
        changeAppFacts(app) { facts in
            if let began = facts.usageDayStart, began.advanced(by: .hours(24)) > now.wall, began <= now.wall {
                facts.usedMilliseconds += time
            } else {
                facts.usageDayStart = now.wall
                facts.usedMilliseconds = time
            }
        }
    }

    func quota(
        _ kind: TaskKind, of app: Int32, _ doze: DozeParameters, at now: Moment
    ) -> (quota: Duration?, span: Duration) {
        let bucket = bucket(of: app, at: now) ?? .active
        if kind == .continuedProcessing { return (doze.expedited(of: bucket), .hours(24)) }
        guard let span = doze.span(of: bucket) else { return (nil, .zero) }
        return (doze.quota, span)
    }

    private func idleNetworkHold(_ entry: TaskEntry, _ doze: DozeParameters, at now: Moment) -> UsageHold? {
        guard entry.requiresNetworkConnectivity, entry.kind != .continuedProcessing,
            device.value(of: .externalPower) != .flag(true),
            let last = starting(of: entry.app, \.requiresNetworkConnectivity) ?? apps[entry.app].facts.lastNetwork
        else { return nil }
        switch bucket(of: entry.app, at: now) {
        case .rare, .restricted:
            let left = doze.idleNetwork.wholeMilliseconds - last.elapsed(to: now, in: bootIdentifier)
            return left > 0 ? .idleNetwork(until: now.boot.advanced(by: .milliseconds(left))) : nil
        case .active, .workingSet, .frequent, .none: return nil
        }
    }
}

/// How the use of an app holds its request.
enum UsageHold: Hashable {
    /// It was not opened for too long.
    case notOpened
    /// It is not usually opened soon after this hour.
    case unusualHour(until: WallTime)
    /// It is idle, and had the network a short time ago.
    case idleNetwork(until: BootTime)
}
