import Recording
import Scheduling

/// Whether the store does its work.
enum StoreHealth {
    /// Can transition to `broken`.
    case healthy
    /// A commit failed. Can transition to `healthy`.
    case broken(Outage)

    struct Outage {
        var failure: StoreFailure
        /// Whether the scheduler was reloaded from the store since.
        var isReloaded = false
        /// Facts that came while the scheduler did not mirror the store.
        var facts: [(event: Event, at: Moment)] = []
        var retryAt: BootTime
        var backoff: Duration
        var isTrying = false
    }

    var retryAt: BootTime? {
        switch self {
        case .healthy: nil
        case .broken(let outage): outage.isTrying ? nil : outage.retryAt
        }
    }
}

/// The commit barrier and what happens when it breaks.
extension Engine {
    /// Hands the gathered changes to the store, if no commit is under way.
    func commit() {
        switch health {
        case .healthy: break
        case .broken: return
        }
        sendCommit()
    }

    func committed(_ result: Result<Void, StoreFailure>) {
        switch result {
        case .success:
            let wasBroken: Bool
            switch health {
            case .healthy: wasBroken = false
            case .broken: wasBroken = true
            }
            health = .healthy
            release(barrier.committed())
            if wasBroken {
                feed(.storeRecovered, at: clock.now())
                perform(.publish(.gateChanged(GateChange(.storeUnavailable, .open))))
            }
            commit()
        case .failure(let failure): commitFailed(failure)
        }
    }

    /// Whether the scheduler holds what the store holds, and what is being committed.
    ///
    /// From a failed commit to the reload it does not: budgets and grace periods go on, and nothing it says is kept.
    var isMirroringStore: Bool {
        guard case .broken(let outage) = health else { return true }
        return outage.isReloaded
    }

    /// Keeps a fact until the scheduler mirrors the store again.
    func noteForReplay(_ event: Event, at now: Moment) {
        guard case .broken(var outage) = health, !outage.isReloaded, event.isFact else { return }
        outage.facts.append((event, now))
        health = .broken(outage)
    }

    func retryStoreIfDue() {
        guard case .broken(var outage) = health, !outage.isTrying, outage.retryAt <= clock.now().boot else { return }
        outage.isTrying = true
        health = .broken(outage)
        if outage.isReloaded {
            // A commit of what gathered, or of nothing but a probe that writes.
            if !barrier.hasChanges { barrier.add(scheduler.runnerChange) }
            sendCommit()
        } else {
            reloadFromStore()
        }
    }

    /// Drops history beyond the retention, in a transaction of its own.
    func applyRetention() {
        let (retention, now, inbox) = (options.retention, clock.now().wall, inbox)
        store.perform { store -> [RunIdentifier] in
            do throws(StoreFailure) { return try store.applyRetention(retention, now: now) } catch { return [] }
        } completion: { runs in
            guard !runs.isEmpty else { return }
            inbox.post(.body { $0.directory?.forget(runs) })
        }
    }

    // MARK: - Private

    private func sendCommit() {
        guard let changes = barrier.beginCommit() else { return }
        let inbox = inbox
        store.commit(changes) { inbox.post(.committed($0)) }
    }

    private func release(_ deferred: [Deferred]) {
        let isOutermost = beginFeeding()
        for item in deferred {
            switch item {
            case .effect(let effect): perform(effect)
            case .answer(let answer): answer(nil)
            }
        }
        endFeeding(isOutermost)
    }

    private func commitFailed(_ failure: StoreFailure) {
        let now = clock.now()
        guard case .broken(var outage) = health else {
            let void = barrier.void()
            health = .broken(
                StoreHealth.Outage(
                    failure: failure, facts: void.facts, retryAt: now.boot, backoff: .seconds(1), isTrying: true))
            feed(.storeFailed(failure), at: now)
            perform(.publish(.gateChanged(GateChange(.storeUnavailable, .closed))))
            refuse(void, failure)
            reloadFromStore()
            return
        }
        barrier.keepTrying()
        outage.isTrying = false
        outage.failure = failure
        outage.backoff = min(outage.backoff * 2, .seconds(30))
        outage.retryAt = now.boot.advanced(by: outage.backoff)
        health = .broken(outage)
    }

    /// Tells callers that nothing happened; who told a fact is answered when it was fed again.
    private func refuse(_ void: Batch, _ failure: StoreFailure) {
        let calls = Set(void.facts.compactMap(\.event.call))
        for item in void.deferred {
            switch item {
            case .effect(.reply(let call, _)): if !calls.contains(call) { dropResponder(of: call, failure: failure) }
            case .effect(.drained): perform(.drained)
            case .effect(.publish(let notice)) where notice.outlivesFailedCommit: perform(.publish(notice))
            case .effect: break
            case .answer(let answer): answer(failure)
            }
        }
    }

    /// Reads the store, so that the scheduler holds what the store holds.
    private func reloadFromStore() {
        let inbox = inbox
        store.perform { store -> (Result<StoreContents, StoreFailure>, StoreReport) in
            do throws(StoreFailure) {
                return (.success(try store.load()), store.report())
            } catch {
                return (.failure(error), store.report())
            }
        } completion: { result, report in
            inbox.post(
                .body { engine in
                    // A damaged store may have been set aside.
                    engine.storeReport = report
                    engine.reloaded(result)
                })
        }
    }

    private func reloaded(_ result: Result<StoreContents, StoreFailure>) {
        guard case .broken(var outage) = health else { return }
        let now = clock.now()
        outage.isTrying = false
        outage.retryAt = now.boot.advanced(by: outage.backoff)
        switch result {
        case .failure(let failure):
            outage.failure = failure
            outage.backoff = min(outage.backoff * 2, .seconds(30))
            health = .broken(outage)
        case .success(let contents):
            let facts = outage.facts
            outage.facts = []
            outage.isReloaded = true
            health = .broken(outage)
            recorder?.record(reload: contents, at: now)
            reloadScheduler(contents, at: now)
            for fact in facts { feed(fact.event, at: fact.at) }
            // What the reload itself led to comes with the next event.
            if facts.isEmpty { feed(.timePassed, at: now) }
        }
    }
}
