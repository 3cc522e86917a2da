import CLinux
package import Platform

/// A queue into the loop for other threads: what is posted is handed over on the loop, in order, many at a time.
package final class LoopMailbox<Message: Sendable>: Sendable {
    private let wake: OwnedDescriptor
    private let inbox = Locked(Inbox())

    private struct Inbox {
        var messages: [Message] = []
        var isClosed = false
    }

    /// Makes a mailbox whose messages the handler gets. To be called on the loop.
    package init(on loop: EventLoop, _ handler: @escaping ([Message]) -> Void) throws(SystemError) {
        wake = OwnedDescriptor(try SystemError.check(runner_eventfd(), "make a mailbox"))
        let (wake, inbox) = (wake, inbox)
        try loop.watch(wake.raw, for: .read) { _ in
            runner_eventfd_clear(wake.raw)
            handler(
                inbox.withLock { inbox in
                    let messages = inbox.messages
                    inbox.messages = []
                    return messages
                })
        }
    }

    /// Leaves a message; `false` after `close`.
    @discardableResult
    package func post(_ message: Message) -> Bool {
        let (isAccepted, isFirst) = inbox.withLock { inbox in
            guard !inbox.isClosed else { return (false, false) }
            inbox.messages.append(message)
            return (true, inbox.messages.count == 1)
        }
        if isFirst { runner_eventfd_signal(wake.raw) }
        return isAccepted
    }

    /// Accepts nothing more.
    package func close() {
        inbox.withLock { $0.isClosed = true }
    }
}
