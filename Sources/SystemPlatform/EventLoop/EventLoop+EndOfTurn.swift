import CSystemd
import Platform

/// Work that is put off until everything that is ready now has been handled.
struct EndOfTurn {
    /// A flood of events must not put the end of a turn off for ever.
    static let maximumDispatches = 16

    var source: OpaquePointer?
    var handlers: [() -> Void] = []
    var isRequested = false
    var dispatchesSinceRequest = 0
}

extension EventLoop {
    /// Adds what `requestEndOfTurn` makes happen.
    package func atEndOfTurn(_ handler: @escaping () -> Void) {
        preconditionOnLoop()
        endOfTurn.handlers.append(handler)
    }

    /// Has the end-of-turn handlers called once, after everything that is ready now (and, under load, a bounded number
    /// of later callbacks). Asking again before that changes nothing; asking in such a handler means the next turn.
    package func requestEndOfTurn() {
        preconditionOnLoop()
        guard !endOfTurn.isRequested else { return }
        endOfTurn.isRequested = true
        endOfTurn.dispatchesSinceRequest = 0
        EventLoop.enableOnce(endOfTurn.source)
    }

    /// Counts what came before the end of the turn.
    func countDispatch() {
        guard endOfTurn.isRequested else { return }
        endOfTurn.dispatchesSinceRequest += 1
        guard endOfTurn.dispatchesSinceRequest >= EndOfTurn.maximumDispatches else { return }
        EventLoop.disable(endOfTurn.source)
        endTurn()
    }

    func addEndOfTurnSource() throws(SystemError) {
        let operation = "make an event loop"
        let handler: sd_event_handler_t = { _, pointer in
            guard let pointer else { return 0 }
            Unmanaged<EventLoop>.fromOpaque(pointer).takeUnretainedValue().endTurn()
            return 0
        }
        let pointer = Unmanaged.passUnretained(self).toOpaque()
        try SystemError.check(sd_event_add_defer(event, &endOfTurn.source, handler, pointer), operation)
        let source = endOfTurn.source
        keep(source)
        EventLoop.disable(source)
        try SystemError.check(sd_event_source_set_priority(source, Int64(SD_EVENT_PRIORITY_IDLE)), operation)
    }

    // MARK: Private

    private func endTurn() {
        endOfTurn.isRequested = false
        dispatch {
            for handler in endOfTurn.handlers { handler() }
        }
    }
}
