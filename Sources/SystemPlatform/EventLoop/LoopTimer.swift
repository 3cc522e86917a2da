import CSystemd
import Glibc
package import Platform

/// A deadline on one clock. It is set again and again at little cost, and calls its handler once for each setting.
///
/// To be used on the loop. Dropping the last reference ends it; when that happens on another thread, a deadline that
/// is just passing may still call the handler.
package final class LoopTimer {
    private let loop: EventLoop
    private let source: OpaquePointer

    fileprivate init(
        loop: EventLoop, clock: SystemClock.Clock, handler: @escaping () -> Void
    ) throws(SystemError) {
        let clockNumber =
            switch clock {
            case .wall: CLOCK_REALTIME
            case .boot: CLOCK_BOOTTIME
            case .awake: CLOCK_MONOTONIC
            }
        let callback: sd_event_time_handler_t = { _, _, pointer in
            guard let pointer else { return 0 }
            let target = Unmanaged<Target>.fromOpaque(pointer).takeUnretainedValue()
            target.loop.dispatch(target.handler)
            return 0
        }
        let target = Unmanaged.passRetained(Target(loop: loop, handler: handler))
        var source: OpaquePointer?
        // 0 would not mean exact but a quarter of a second.
        let accuracy: UInt64 = 1
        let result = sd_event_add_time(
            loop.event, &source, clockNumber, UInt64.max, accuracy, callback, target.toOpaque())
        guard result >= 0, let source else {
            target.release()
            throw SystemError(code: -result, operation: "make a timer")
        }
        EventLoop.disable(source)
        // The source, not this object, keeps what its callback points to.
        sd_event_source_set_destroy_callback(source) { pointer in
            if let pointer { Unmanaged<Target>.fromOpaque(pointer).release() }
        }
        self.loop = loop
        self.source = source
    }

    deinit {
        loop.end(source)
    }

    /// Calls the handler when the clock shows this, never earlier; at once if it does already. Replaces the deadline
    /// that was set.
    package func arm(atMilliseconds deadline: Int64) {
        loop.preconditionOnLoop()
        let (microseconds, isTooFar) = max(deadline, 0).multipliedReportingOverflow(by: 1000)
        // The greatest number is "never".
        sd_event_source_set_time(source, isTooFar ? UInt64.max : UInt64(microseconds))
        EventLoop.enableOnce(source)
    }

    /// Forgets the deadline.
    package func disarm() {
        loop.preconditionOnLoop()
        EventLoop.disable(source)
    }

    package var isArmed: Bool {
        loop.preconditionOnLoop()
        return sd_event_source_get_enabled(source, nil) > 0
    }

    // MARK: Private

    private final class Target {
        /// Valid while the source exists: the loop ends its sources before it goes.
        unowned let loop: EventLoop
        let handler: () -> Void

        init(loop: EventLoop, handler: @escaping () -> Void) {
            self.loop = loop
            self.handler = handler
        }
    }
}

extension EventLoop {
    /// Makes a timer that has no deadline yet. A timer keeps its loop.
    package func makeTimer(
        clock: SystemClock.Clock, handler: @escaping () -> Void
    ) throws(SystemError) -> LoopTimer {
        preconditionOnLoop()
        return try LoopTimer(loop: self, clock: clock, handler: handler)
    }
}
