import CLinux
import CSystemd
package import Platform

extension EventLoop {
    /// Calls the handler each time that somebody has set the wall clock (or the machine's clock was corrected by a
    /// jump). Read the clocks again then: several jumps may be told as one.
    package func onClockJump(_ handler: @escaping () -> Void) throws(SystemError) {
        preconditionOnLoop()
        clockHandlers.append(handler)
        guard clockWatch == nil else { return }
        let watch = OwnedDescriptor(try SystemError.check(runner_clock_watch_open(), "watch the clock"))
        try SystemError.check(runner_clock_watch_arm(watch.raw), "watch the clock")
        clockWatch = watch
        try self.watch(watch.raw, for: .read) { [unowned self] _ in
            guard runner_clock_watch_read(watch.raw) == 1 else { return }
            // Armed first, so that no jump between this one and the handlers' look at the clock is lost.
            let result = runner_clock_watch_arm(watch.raw)
            precondition(result >= 0, "a clock watch can always be armed again")
            for handler in clockHandlers { handler() }
        }
    }

    /// Calls the handler on the loop for each signal. For whole programs only, such as the daemon: the signal must have
    /// been blocked (`ThreadSignals.block`) before the first thread started, else it may still end the process.
    package func onSignal(_ signal: Int32, handler: @escaping () -> Void) throws(SystemError) {
        preconditionOnLoop()
        let target = SignalTarget(loop: self, handler: handler)
        var source: OpaquePointer?
        let callback: sd_event_signal_handler_t = { _, _, pointer in
            guard let pointer else { return 0 }
            let target = Unmanaged<SignalTarget>.fromOpaque(pointer).takeUnretainedValue()
            target.loop.dispatch(target.handler)
            return 0
        }
        let pointer = Unmanaged.passUnretained(target).toOpaque()
        try SystemError.check(
            sd_event_add_signal(event, &source, signal, callback, pointer), "wait for signal \(signal)")
        retained.append(target)
        keep(source)
    }
}

private final class SignalTarget {
    /// Valid while the source exists: the loop ends its sources before it goes.
    unowned let loop: EventLoop
    let handler: () -> Void

    init(loop: EventLoop, handler: @escaping () -> Void) {
        self.loop = loop
        self.handler = handler
    }
}
