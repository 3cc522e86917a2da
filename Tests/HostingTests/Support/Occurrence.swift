import Platform

/// Something that happens once, and that any number of tasks can wait for.
final class Occurrence<Value: Sendable>: Sendable {
    private enum State {
        case awaited([CheckedContinuation<Value, Never>])
        case happened(Value)
    }

    private let state = Locked(State.awaited([]))

    /// What happened; waits for it.
    var value: Value {
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

    var hasHappened: Bool {
        state.withLock { if case .happened = $0 { true } else { false } }
    }

    /// Only the first time counts.
    func happen(_ value: Value) {
        let waiting: [CheckedContinuation<Value, Never>] = state.withLock { state in
            guard case .awaited(let waiting) = state else { return [] }
            state = .happened(value)
            return waiting
        }
        for continuation in waiting { continuation.resume(returning: value) }
    }
}

extension Occurrence<Void> {
    func happen() { happen(()) }
}
