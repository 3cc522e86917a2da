import RPC
package import Scheduling

/// What the control service asks of the engine.
extension Engine {
    /// Whether everything that was computed is durable.
    var isDurable: Bool { barrier.isClear }

    /// Throws while the store cannot be used for what a method does: it can often be read when it cannot be written.
    ///
    /// Calls that the engine feeds are judged there, since ending a run needs no store.
    func requireStore() throws(RPCError) {
        guard case .broken(let outage) = health, !outage.isReloaded else { return }
        throw .storeUnavailable(outage.failure)
    }

    package var storeFailure: StoreFailure? {
        if case .broken(let outage) = health { outage.failure } else { nil }
    }

    func remaining(of run: RunRecord?) -> Duration? {
        run.flatMap { scheduler.remaining(of: $0.run, at: clock.now()) }
    }

    /// Asks the store on its thread, after what is uncommitted now, and answers on the loop.
    ///
    /// One question is with the store at a time, so that a commit never waits for more than one; what nobody wants any
    /// more is not asked.
    func ask<Value: Sendable>(
        isWanted: @escaping @Sendable () -> Bool,
        _ question: @escaping @Sendable (any RequestStore) throws(StoreFailure) -> Value,
        _ answer: @escaping (Result<Value, StoreFailure>, isolated Engine) -> Void
    ) {
        let (inbox, store, engine) = (inbox, store, self)
        let answer = LoopOnly(answer)
        afterDurable { failure in
            if let failure {
                inbox.post(.body { answer.value(.failure(failure), $0) })
                return
            }
            let ask = {
                store.perform { store -> Result<Value, StoreFailure> in
                    do throws(StoreFailure) { return .success(try question(store)) } catch { return .failure(error) }
                } completion: { result in
                    inbox.post(
                        .body { engine in
                            engine.questions.answered()
                            answer.value(result, engine)
                        })
                }
            }
            engine.assumeIsolated { $0.questions.add(isWanted: isWanted, ask) }
        }
    }

    /// Runs an answer when what it has seen is durable or, while nothing can be made durable, at once (decision 0007).
    func afterDurable(_ answer: @escaping (StoreFailure?) -> Void) {
        if storeFailure == nil { afterCommit(answer) } else { answer(nil) }
    }

    /// Stops admitting, and drains (B24).
    package func drain(grace: Duration?) {
        switch scheduler.phase {
        case .starting, .running: feed(.drainBegan(grace: grace ?? options.policy.timing.drain))
        case .draining: feed(.drainHurried)
        }
    }

    /// Reads the configuration and the bundles again, and feeds what changed.
    package func reload() {
        reconfigure()
        guard let directory else { return }
        for event in directory.reload() { feed(event) }
    }

    /// Everything that is wrong now, each with its fix.
    func findings() -> [Finding] {
        let ofBundles = directory?.findings ?? []
        // What a manifest says wrongly is told once, by the key that has to change.
        let withoutHandler = Set(ofBundles.filter { $0.name == "noHandler" }.compactMap(\.app))
        var findings = scheduler.findings(at: clock.now()).filter { finding in
            guard finding.name == "neverRegistered", let app = finding.app else { return true }
            return !withoutHandler.contains(app)
        }
        if let recovered = storeReport.recovered {
            findings.insert(
                Finding(
                    .error, "storeRecovered",
                    message: "The store was damaged (\(recovered.reason)); it was set aside as \(recovered.setAside), "
                        + "and a new one begun.",
                    fix: "Submit again what was lost, then acknowledge with runnerctl store acknowledge."), at: 0)
        }
        return findings + ofBundles
    }
}

/// A value that is made and used on the loop only, and merely passes through another thread's hands.
///
/// Unchecked because nothing but the loop ever looks into it.
private struct LoopOnly<Value>: @unchecked Sendable {
    let value: Value

    init(_ value: Value) {
        self.value = value
    }
}
