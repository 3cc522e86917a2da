package import Dispatch
import Platform

/// When the launch of this program is finished: one turn of the main queue after the first use of a scheduler or, where
/// there is an application's delegate, after its `didFinishLaunching` returned.
package final class LaunchPhase: Sendable {
    /// The phase of this process.
    package static let ofProcess = LaunchPhase(turns: .main)

    private typealias Body = @Sendable () -> Void

    private enum State {
        /// Nobody has used a scheduler. Can transition to `waiting`, `delegated`.
        case idle
        /// Until the next turn. Can transition to `finished`.
        case waiting([Body])
        /// Until the delegate returns. Can transition to `waiting`.
        case delegated([Body])
        case finished
    }

    private let turns: DispatchQueue
    private let state = Locked(State.idle)

    package init(turns: DispatchQueue) {
        self.turns = turns
    }

    /// Calls the body when the launch is finished; at once when it is already.
    package func whenFinished(_ body: @escaping @Sendable () -> Void) {
        let (isFirst, isFinished) = state.withLock { state in
            switch state {
            case .idle:
                state = .waiting([body])
                return (true, false)
            case .waiting(let bodies):
                state = .waiting(bodies + [body])
                return (false, false)
            case .delegated(let bodies):
                state = .delegated(bodies + [body])
                return (false, false)
            case .finished: return (false, true)
            }
        }
        if isFirst { awaitTurn() }
        if isFinished { body() }
    }

    /// An application's delegate is about to be told of the launch: from here on that decides.
    package func delegateBegan() {
        state.withLock { state in
            if case .idle = state { state = .delegated([]) }
        }
    }

    /// The delegate has been told, and returned.
    package func delegateReturned() {
        let isDelegated = state.withLock { state in
            guard case .delegated(let bodies) = state else { return false }
            state = .waiting(bodies)
            return true
        }
        if isDelegated { awaitTurn() }
    }

    private func awaitTurn() {
        turns.async {
            let bodies: [Body] = self.state.withLock { state in
                guard case .waiting(let bodies) = state else { return [] }
                state = .finished
                return bodies
            }
            for body in bodies { body() }
        }
    }
}
