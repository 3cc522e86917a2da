/// The floor of the next run of a recurring task (B37).
package enum Recurrence {
    /// max(now + near, min(last, now) + interval); with no last run it is now + near.
    package static func nextFloor(
        interval: Duration, lastStart: WallTime?, now: WallTime, refusals: Int, timing: Timing
    ) -> WallTime {
        let near = now.advanced(by: refusals == 0 ? timing.rearmNear : timing.rearmRefused)
        guard let lastStart else { return near }
        let longest = max(interval, timing.rearmLongest)
        let stretched = refusals == 0 ? interval : min(interval * (1 << min(refusals, 20)), longest)
        return max(near, min(lastStart, now).advanced(by: stretched))
    }
}

extension Scheduler {
    /// Makes the recurrences of an app's manifest pending; never postpones anything (B38, B39).
    mutating func armRecurrences(of app: Int32, isFresh: Bool, at now: Moment) {
        for settings in apps[app].description?.tasks ?? [] {
            guard let every = settings.every, let slot = tasks.slot(of: settings.identifier),
                tasks[slot].isRegistered, tasks[slot].run < 0
            else { continue }
            if let shortest = policy.doze?.shortestPeriod, every < shortest {
                diagnose(
                    .periodClamped, .notice, settings.identifier, app: apps[app].identifier, at: now,
                    "Its period of \(every.words) is taken as \(shortest.words), the shortest of the policy \(policy.name).",
                    expected: "A period of at least \(shortest.words).", fix: "Write a longer \"every\" in RunnerTasks."
                )
            }
            _ = arm(slot, isFresh: isFresh, at: now)
        }
    }

    /// Arms the next occurrence in the transaction that claims this one; `true` when a request is pending again.
    mutating func armAfterClaim(
        _ slot: Int32, _ claimed: PendingRequest, _ origin: RunOrigin, at now: Moment
    ) -> Bool {
        if origin == .scheduled, let every = apps.settings(of: claimed.identifier, in: tasks[slot].app)?.every {
            endPeriod(slot, of: claimed, every, at: now)
        }
        return arm(slot, isFresh: false, at: now)
    }

    /// A cancelled occurrence is skipped: the next one follows it by an interval (B38).
    mutating func armAfterSkip(_ slot: Int32, skipped: PendingRequest, at now: Moment) {
        guard let every = apps.settings(of: skipped.identifier, in: tasks[slot].app)?.every else { return }
        let period = max(every, policy.doze?.shortestPeriod ?? every)
        let floor = max(skipped.floor ?? now.wall, now.wall).advanced(by: period)
        _ = arm(slot, isFresh: false, floor: floor, at: now)
    }

    /// Tries again a re-arm that was refused.
    mutating func rearm(_ slot: Int32, at now: Moment) {
        guard tasks[slot].isUsed, !tasks[slot].hasRequest else { return }
        _ = arm(slot, isFresh: false, at: now)
    }

    /// A declared recurrence's run that ended early comes again after a backoff (B38).
    mutating func rearmAfterEnd(_ run: Int32, at now: Moment) {
        let record = runs[run].record
        let slot = runs[run].task
        guard record.origin == .scheduled, let settings = apps.settings(of: record.identifier, in: runs[run].app),
            let every = settings.every, tasks[slot].isRegistered
        else { return }
        guard comesAgain(record, settings) else {
            if record.state == .succeeded, tasks.facts[slot]?.retries ?? 0 > 0 {
                changeFacts(slot) { $0.retries = 0 }
            }
            return
        }
        let retries = tasks.facts[slot]?.retries ?? 0
        let longest = policy.timing.retryLongest ?? every
        let backoff = min(policy.timing.retryBackoff * (1 << min(retries, 20)), longest)
        let isSooner = tasks[slot].hasRequest && tasks[slot].floor > now.wall.advanced(by: backoff).milliseconds
        guard !tasks[slot].hasRequest || (tasks[slot].maker != .caller && isSooner) else { return }
        changeFacts(slot) { $0.retries += 1 }
        let request = occurrence(of: settings, floor: nil)
        do throws(Refusal) {
            let result = try accept(
                request, SubmissionOptions(), maker: .retry, at: now, backoff: now.boot.advanced(by: backoff))
            publish(.submitted(result))
        } catch {
            rearmRefused(slot, error, at: now)
        }
    }

    mutating func changeFacts(_ slot: Int32, _ change: (inout TaskFacts) -> Void) {
        let old = tasks.facts[slot]
        var facts = old ?? TaskFacts(identifier: tasks.identifier(of: slot))
        change(&facts)
        guard facts != old else { return }
        if facts == TaskFacts(identifier: facts.identifier) {
            tasks.facts[slot] = nil
            persist(.removeTask(facts.identifier))
        } else {
            tasks.facts[slot] = facts
            persist(.putTask(facts))
        }
    }

    // MARK: - Private

    private func comesAgain(_ record: RunRecord, _ settings: TaskSettings) -> Bool {
        switch record.state {
        case .crashed, .interrupted: return true
        case .failed where settings.retriesFailures: return true
        case .failed, .expired, .abandoned:
            switch record.expirationReason {
            case .conditionLost, .draining, .appStopping: return true
            case .budget, .stopped, .stalled, .simulated, .none: return false
            }
        case .starting, .running, .expiring, .succeeded, .cancelled: return false
        }
    }

    private func occurrence(of settings: TaskSettings, floor: WallTime?) -> TaskRequest {
        TaskRequest(
            identifier: settings.identifier, kind: settings.kind, floor: floor,
            requiresNetworkConnectivity: settings.requiresNetworkConnectivity,
            requiresExternalPower: settings.requiresExternalPower)
    }

    /// Makes the next occurrence pending; what a caller submitted stays.
    private mutating func arm(_ slot: Int32, isFresh: Bool, floor: WallTime? = nil, at now: Moment) -> Bool {
        let identifier = tasks.identifier(of: slot)
        guard let settings = apps.settings(of: identifier, in: tasks[slot].app), let every = settings.every,
            tasks[slot].isRegistered
        else { return false }
        let facts = tasks.facts[slot]
        var next =
            floor ?? periodFloor(slot, every, isFresh: isFresh, at: now)
            ?? Recurrence.nextFloor(
                interval: every, lastStart: facts?.lastScheduledStart, now: now.wall,
                refusals: facts?.refusedRearms ?? 0, timing: policy.timing)
        var choice = PendingChoice.keepEarlier
        if tasks[slot].hasRequest {
            let pending = tasks[slot].floor == TaskEntry.noFloor ? now.wall : WallTime(milliseconds: tasks[slot].floor)
            switch tasks[slot].maker {
            case .caller: choice = .keep
            case .recurrence where isFresh && tasks[slot].attempts == 0: choice = .replace
            // A manifest that asks for other conditions replaces the request, but never postpones it.
            case .recurrence, .retry: next = min(next, pending)
            }
        }
        do throws(Refusal) {
            let result = try accept(
                occurrence(of: settings, floor: next), SubmissionOptions(ifPending: choice), maker: .recurrence,
                at: now)
            publish(.submitted(result))
            rearms.remove(slot)
            if facts?.refusedRearms ?? 0 > 0 { changeFacts(slot) { $0.refusedRearms = 0 } }
            return true
        } catch {
            rearmRefused(slot, error, at: now)
            return false
        }
    }

    /// The time of a period in which its occurrence may run, under a policy with periods (`doze`); else `nil`.
    ///
    /// Periods follow each other whenever their runs begin, so that an early run makes no other one early.
    private mutating func periodFloor(_ slot: Int32, _ every: Duration, isFresh: Bool, at now: Moment) -> WallTime? {
        guard let doze = policy.doze, tasks.facts[slot]?.refusedRearms ?? 0 == 0 else { return nil }
        let period = max(every, doze.shortestPeriod)
        let flex = min(doze.flex, period)
        // A retry that waits is the fresh start.
        let isRetry = tasks[slot].hasRequest && tasks[slot].maker == .retry
        guard let end = tasks.facts[slot]?.periodEnd, !isFresh || isRetry else {
            let near = now.wall.advanced(by: policy.timing.rearmNear)
            // However fresh the start is, it is no nearer to the last run than two runs of periods may be.
            let last = tasks.facts[slot]?.lastScheduledStart.map { min($0, now.wall).advanced(by: period - flex) }
            let first = max(near, last ?? near)
            changeFacts(slot) { $0.periodEnd = first.advanced(by: flex) }
            return first
        }
        let left = now.wall.duration(to: end).wholeMilliseconds
        // What a caller submits may stand for an occurrence before its time has come.
        guard left <= 0 || left > (period * 2 + flex).wholeMilliseconds else { return end.advanced(by: .zero - flex) }
        // It is over, or the clock was set: the periods keep their beat, and this is the one that goes on now.
        let rest = left % period.wholeMilliseconds
        let current = now.wall.advanced(by: .milliseconds(rest > 0 ? rest : rest + period.wholeMilliseconds))
        changeFacts(slot) { $0.periodEnd = current }
        return current.advanced(by: .zero - flex)
    }

    /// The occurrence of a period is claimed: the next period begins. Claimed again after a failed start, it is the same one.
    private mutating func endPeriod(_ slot: Int32, of claimed: PendingRequest, _ every: Duration, at now: Moment) {
        guard let doze = policy.doze, let known = tasks.facts[slot]?.periodEnd else { return }
        let period = max(every, doze.shortestPeriod)
        let end: WallTime
        switch claimed.maker {
        case .recurrence: end = claimed.floor?.advanced(by: min(doze.flex, period)) ?? known
        // What a caller submits stands for the occurrence of the period in which it comes, unless that one has come.
        case .caller where claimed.attempts == 0 && now.wall.duration(to: known) <= period: end = known
        // A retry is of the period that has ended already.
        case .caller, .retry: return
        }
        let late = end.duration(to: now.wall).wholeMilliseconds
        // A run that comes late is that of the period in which it comes; those before it are over.
        let passed = late < 0 ? 0 : 1 + late / max(1, period.wholeMilliseconds)
        let next = end.advanced(by: period * Int(1 + passed))
        changeFacts(slot) { $0.periodEnd = next }
    }

    private mutating func rearmRefused(_ slot: Int32, _ refusal: Refusal, at now: Moment) {
        changeFacts(slot) { $0.refusedRearms += 1 }
        rearms.remove(slot)
        rearms.insert(
            slot, key: now.boot.advanced(by: policy.timing.rearmRefused).milliseconds, tie: Int64(slot))
        diagnose(
            .recurrenceNotArmed, .error, tasks.identifier(of: slot), at: now,
            "The next occurrence could not be made pending: \(refusal.message)",
            expected: "A pending request for the next occurrence.",
            fix: "Make room for it; it is tried again in \(policy.timing.rearmRefused).")
    }
}
