import RPC
package import Scheduling

/// What the control service asks of the engine.
extension Engine {
    /// Whether everything that was computed is durable.
    var isDurable: Bool { barrier.isClear }

    /// Throws while requests can be neither read nor written.
    func requireStore() throws(RPCError) {
        if case .broken(let outage) = health { throw .storeUnavailable(outage.failure) }
    }

    package var storeFailure: StoreFailure? {
        if case .broken(let outage) = health { outage.failure } else { nil }
    }

    func remaining(of run: RunRecord?) -> Duration? {
        run.flatMap { scheduler.remaining(of: $0.run, at: clock.now()) }
    }

    /// Asks the store on its thread, and answers on the loop; what is uncommitted now is committed before.
    func ask<Value: Sendable>(
        _ question: @escaping @Sendable (any RequestStore) throws(StoreFailure) -> Value,
        _ answer: @escaping (Result<Value, StoreFailure>, isolated Engine) -> Void
    ) {
        commit()
        let inbox = inbox
        let answer = LoopOnly(answer)
        store.perform { store -> Result<Value, StoreFailure> in
            do throws(StoreFailure) { return .success(try question(store)) } catch { return .failure(error) }
        } completion: { result in
            inbox.post(.body { answer.value(result, $0) })
        }
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
        var findings = scheduler.findings(at: clock.now())
        if let recovered = storeReport.recovered {
            findings.insert(
                Finding(
                    .error, "storeRecovered",
                    message: "The store was damaged (\(recovered.reason)); it was set aside as \(recovered.setAside), "
                        + "and a new one begun.",
                    fix: "Submit again what was lost, then acknowledge with runnerctl store acknowledge."), at: 0)
        }
        return findings + (directory?.findings ?? [])
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
