import Platform
import Scheduling

@testable import Runner

/// Clocks that stand still until a test moves them, and the wakeup that the engine wishes.
final class VirtualClock: EngineClock, Sendable {
    private struct State {
        var moment: Moment
        var wakeup = Wakeup.never
    }

    /// 2026-11-30T08:00:00Z.
    static let start = Moment(
        wall: WallTime(milliseconds: 1_796_025_600_000), boot: BootTime(milliseconds: 1_000_000),
        awake: AwakeTime(milliseconds: 1_000_000))

    private let state = Locked(State(moment: VirtualClock.start))

    func now() -> Moment { state.withLock { $0.moment } }

    func setWakeup(_ wakeup: Wakeup) { state.withLock { $0.wakeup = wakeup } }

    var wakeup: Wakeup { state.withLock { $0.wakeup } }

    func advance(by duration: Duration) {
        state.withLock { state in
            state.moment = Moment(
                wall: state.moment.wall.advanced(by: duration), boot: state.moment.boot.advanced(by: duration),
                awake: state.moment.awake.advanced(by: duration))
        }
    }
}
