import Scheduling
import Simulation

/// What holds after every step, after every restart, and after quiet time.
extension RandomHistory {
    mutating func check() {
        problems += scheduler.checkInvariants(at: now)
        if uncommitted.isEmpty, !isStoreDown { problems += observer.differences(from: scheduler) }
    }

    /// What was stored as pending is pending again.
    mutating func checkRestored() {
        if scheduler.pendingCount != store.requests.count {
            problems.append("\(store.requests.count) requests were stored, \(scheduler.pendingCount) are pending")
        }
        for stored in store.requests.values {
            guard let pending = scheduler.pending(stored.identifier), pending.submission == stored.submission,
                pending.floor == stored.floor, pending.kind == stored.kind, pending.maker == stored.maker,
                pending.attempts == stored.attempts, pending.submittedAt == stored.submittedAt,
                pending.requiresExternalPower == stored.requiresExternalPower, pending.title == stored.title
            else {
                problems.append("the request of \(stored.identifier) did not survive the crash")
                continue
            }
        }
    }

    /// Runs that a crash left unfinished have ended, and claims went back.
    mutating func checkJudged(_ left: [RunRecord]) {
        for record in left {
            guard let ended = store.runs[record.run], ended.state.isEnded else {
                problems.append("run \(record.run.number) did not end with the runner")
                continue
            }
            guard record.state == .starting, !record.claimCancelled, record.attempt < 3,
                !(record.request.kind == .continuedProcessing && record.app != Fixture.tools)
            else { continue }
            // It may have been claimed again at once; a newer submission wins, and so does a changed manifest.
            let floor = max(record.request.floor ?? now.wall, now.wall)
            let isBack = store.requests[record.identifier].map {
                $0.submission == record.request.submission || $0.maker == .caller || $0.floor ?? now.wall <= floor
            }
            if isBack != true, scheduler.activeRuns.allSatisfy({ $0.identifier != record.identifier }) {
                problems.append("the claim of run \(record.run.number) was lost in a crash")
            }
        }
    }

    /// With every gate open, everything that is pending starts within a day, and every run ends.
    mutating func quiet() {
        log?.append("quiet time")
        if isStoreDown { recover() }
        commit(uncommitted.count)
        if scheduler.phase == .draining {
            settleDown()
            if !hasDrained { problems.append("the runner did not drain") }
            crash()
        }
        openEverything()
        guard problems.isEmpty else { return }
        let newest = scheduler.pending(app: nil, after: 0, limit: 100).requests.map(\.submission).max() ?? 0
        let deadline = now.wall.advanced(by: .days(2))
        while problems.isEmpty, now.wall < deadline {
            settleDown()
            let old = scheduler.pending(app: nil, after: 0, limit: 100).requests.filter { $0.submission <= newest }
            guard let left = old.first else { return }
            guard let next = timeToWakeup else {
                problems.append("\(left.identifier) waits, and nothing will wake it: \(explain(left.identifier))")
                return
            }
            pass(Int(next))
            feedAndCommit(.timePassed)
            check()
        }
        guard problems.isEmpty else { return }
        let left = scheduler.pending(app: nil, after: 0, limit: 100).requests.filter { $0.submission <= newest }
        problems.append("something waits for ever: \(left.map { explain($0.identifier) })")
    }

    /// Lets every host finish what it does.
    private mutating func settleDown() {
        while problems.isEmpty {
            guard let run = hosts.keys.min(), let host = hosts[run] else {
                guard settleProcess() else { break }
                continue
            }
            if host.isLost {
                hosts[run] = nil
                feedAndCommit(.startFailed(run, reason: "its process is gone"))
                continue
            }
            if host.code == .starting { feedAndCommit(.handlerEntered(run, nil)) }
            feedAndCommit(.runCompleted(run, .succeeded, message: nil, call: nil))
            hosts[run] = nil
            if host.process == nil {
                feedAndCommit(host.isCommand ? .processExited(run, .code(0)) : .handlerReturned(run))
            }
        }
        if scheduler.runningCount > 0, problems.isEmpty { problems.append("a run is left that no host has") }
    }

    /// Lets the process go on; `false` when there is nothing that it has to do.
    private mutating func settleProcess() -> Bool {
        guard let process else { return false }
        if process.isEnding {
            let number = process.number
            self.process = nil
            feedAndCommit(.processGone(Self.plug, number, ProcessEnd(.code(0))))
        } else if process.state == .spawned {
            self.process?.state = .connected
            feedAndCommit(.appConnected(Self.plug, process.number))
        } else if process.state == .connected {
            registerAll(likely: 100)
            commit(uncommitted.count)
        } else {
            return false
        }
        return true
    }

    private mutating func openEverything() {
        feedAndCommit(.overrideCleared(nil, call: call()))
        for source in ["kernel", "script"] {
            let good: [(DeviceCondition, ConditionValue)] = [
                (.externalPower, .flag(true)), (.network, .network(.unmetered)), (.idle, .flag(true)),
                (.lowPowerMode, .flag(false)), (.batteryLevel, .level(1)), (.backgroundRefresh, .flag(true)),
            ]
            for (condition, value) in good {
                feedAndCommit(.conditionReported(condition, value, source: source, validFor: nil, call: nil))
            }
        }
        for leftover in leftovers { feedAndCommit(.leftoverGone(leftover.identifier)) }
        leftovers = []
        hasAppLeftover = false
        feedAndCommit(.appLeftoverGone(Self.plug))
        feedAndCommit(.resumed(app: nil, call: call()))
        settleDown()
        feedAndCommit(.appRemoved(Fixture.app))
        settleDown()
        feedAndCommit(.appLoaded(Self.embedded(0)))
        feedAndCommit(.appLoaded(Self.commands(0)))
        feedAndCommit(.appRemoved(Self.plug))
        settleDown()
        feedAndCommit(.appLoaded(Self.plugin(0)))
        feedAndCommit(.quarantineLifted(Self.plug, call: call()))
        settleDown()
        for (identifier, kind) in Self.handlers {
            let registration = HandlerRegistration(
                identifier: identifier.text, app: Fixture.app, kind: kind, origin: "Main.swift:1")
            feedAndCommit(.handlerRegistered(registration, call: call()))
        }
        feedAndCommit(.launchFinished(Fixture.app))
        check()
        for app in [Fixture.app, Fixture.tools, Self.plug] {
            feedAndCommit(.resumed(app: app, call: call()))
            feedAndCommit(.appOpened(app, call: call()))
            feedAndCommit(.refreshSwitched(app, enabled: true, call: call()))
        }
    }

    private mutating func feedAndCommit(_ event: Event) {
        feed(event, settles: false)
        commit(uncommitted.count)
    }

    private func explain(_ identifier: TaskIdentifier) -> String {
        scheduler.explain(identifier, at: now).summary
    }
}
