import Platform
package import Scheduling

/// What the two forms of a handler share: the run's order, its deadline and its way back.
package final class RunHandle: Sendable {
    package let order: LaunchOrder
    package let channel: any RunChannel
    private let awakeNow: @Sendable () -> AwakeTime
    private let onReturn: @Sendable () -> Void
    private let state: Locked<State>

    private enum Entry {
        /// Can transition to `entered`, `revoked`.
        case waiting
        case entered
        case revoked
    }

    private struct State {
        var entry = Entry.waiting
        var deadline: AwakeTime?
        var reason: ExpirationReason?
    }

    /// - Parameter onReturn: called when the handler's code is over, before the channel is told.
    package init(
        order: LaunchOrder, channel: any RunChannel, awakeNow: @escaping @Sendable () -> AwakeTime,
        onReturn: @escaping @Sendable () -> Void = {}
    ) {
        self.order = order
        self.channel = channel
        self.awakeNow = awakeNow
        self.onReturn = onReturn
        state = Locked(State(deadline: order.budget.map { awakeNow().advanced(by: $0) }))
    }

    /// The handler is entered: its budget counts from now, however long it waited for its queue.
    /// `false` when the start was given up meanwhile: then the handler must not be called.
    package func enter() -> Bool {
        let deadline = order.budget.map { awakeNow().advanced(by: $0) }
        return state.withLock { state in
            switch state.entry {
            case .revoked: return false
            case .waiting, .entered:
                state.entry = .entered
                if state.reason == nil { state.deadline = deadline }
                return true
            }
        }
    }

    /// The handler's code is over.
    package func returned() {
        onReturn()
        channel.returned(order.run)
    }

    /// Gives the start up; `false` when the handler was entered before.
    package func revoke() -> Bool {
        state.withLock { state in
            switch state.entry {
            case .entered: return false
            case .waiting, .revoked:
                state.entry = .revoked
                return true
            }
        }
    }

    package var remainingTime: Duration? {
        state.withLock { $0.deadline }.map { max(.zero, awakeNow().duration(to: $0)) }
    }

    package var expirationReason: ExpirationReason? {
        state.withLock { $0.reason }
    }

    /// Notes the expiration: what remains is the grace period now.
    package func expired(_ reason: ExpirationReason, grace: Duration) {
        let deadline = awakeNow().advanced(by: grace)
        state.withLock {
            $0.reason = reason
            $0.deadline = deadline
        }
    }

    package func reportProgress(_ fraction: Double, title: String?, subtitle: String?) {
        guard fraction.isFinite else { return }
        channel.progress(
            order.run, RunProgress(fraction: min(max(fraction, 0), 1), title: title, subtitle: subtitle))
    }
}
