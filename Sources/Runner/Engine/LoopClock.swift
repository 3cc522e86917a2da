package import Platform
package import Scheduling
package import SystemPlatform

/// The machine's clocks, and timers of the event loop for wakeups.
///
/// Unchecked because the timers are used on the loop only, which they hold by preconditions; reading clocks is free.
package final class LoopClock: EngineClock, @unchecked Sendable {
    private let wall: LoopTimer
    private let boot: LoopTimer
    private let awake: LoopTimer
    private let target = Target()

    private final class Target {
        var handler: () -> Void = {}
    }

    /// Makes the timers; to be called on the loop.
    package init(on loop: EventLoop) throws(SystemError) {
        let target = target
        wall = try loop.makeTimer(clock: .wall) { target.handler() }
        boot = try loop.makeTimer(clock: .boot) { target.handler() }
        awake = try loop.makeTimer(clock: .awake) { target.handler() }
    }

    /// What is called when a deadline is reached.
    package func onWakeup(_ handler: @escaping () -> Void) {
        target.handler = handler
    }

    package func now() -> Moment {
        Moment(SystemClock.now())
    }

    package func setWakeup(_ wakeup: Wakeup) {
        set(wall, wakeup.wall?.milliseconds)
        set(boot, wakeup.boot?.milliseconds)
        set(awake, wakeup.awake?.milliseconds)
    }

    private func set(_ timer: LoopTimer, _ milliseconds: Int64?) {
        if let milliseconds {
            timer.arm(atMilliseconds: milliseconds)
        } else if timer.isArmed {
            timer.disarm()
        }
    }
}

extension Moment {
    package init(_ reading: ClockReading) {
        self.init(
            wall: WallTime(milliseconds: reading.wall), boot: BootTime(milliseconds: reading.boot),
            awake: AwakeTime(milliseconds: reading.awake))
    }
}
