import Platform

/// Something that happens once, and that any number of tasks can wait for.
package final class Occurrence<Value: Sendable>: Sendable {
    private enum State {
        case awaited([CheckedContinuation<Value, Never>])
        case happened(Value)
    }

    private let state = Locked(State.awaited([]))

    package init() {}

    /// What happened; waits for it.
    package var value: Value {
        get async {
            await withCheckedContinuation { continuation in
                let value: Value? = state.withLock { state in
                    switch state {
                    case .happened(let value): return value
                    case .awaited(let waiting):
                        state = .awaited(waiting + [continuation])
                        return nil
                    }
                }
                if let value { continuation.resume(returning: value) }
            }
        }
    }

    package var hasHappened: Bool {
        state.withLock { if case .happened = $0 { true } else { false } }
    }

    /// Only the first time counts.
    package func happen(_ value: Value) {
        let waiting: [CheckedContinuation<Value, Never>] = state.withLock { state in
            guard case .awaited(let waiting) = state else { return [] }
            state = .happened(value)
            return waiting
        }
        for continuation in waiting { continuation.resume(returning: value) }
    }
}

extension Occurrence<Void> {
    package func happen() { happen(()) }
}
