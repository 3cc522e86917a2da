import CLinux
import Glibc
package import Platform

/// What a descriptor is watched for. Nothing is a pause: then not even a hang-up is reported.
package struct Interest: OptionSet, Sendable {
    package let rawValue: UInt32

    package init(rawValue: UInt32) {
        self.rawValue = rawValue
    }

    package static let read = Interest(rawValue: UInt32(RUNNER_EPOLL_READ))
    package static let write = Interest(rawValue: UInt32(RUNNER_EPOLL_WRITE))
    /// The same as `[.read, .write]`, which would be put together element by element, each time anew.
    package static let readAndWrite = Interest(rawValue: UInt32(RUNNER_EPOLL_READ | RUNNER_EPOLL_WRITE))
}

/// What a descriptor is ready for.
package struct Readiness: OptionSet, Sendable {
    package let rawValue: UInt32

    package init(rawValue: UInt32) {
        self.rawValue = rawValue
    }

    package static let read = Readiness(rawValue: UInt32(RUNNER_EPOLL_READ))
    package static let write = Readiness(rawValue: UInt32(RUNNER_EPOLL_WRITE))
    /// Both directions are closed. What was sent before may still wait to be read.
    package static let hangUp = Readiness(rawValue: UInt32(RUNNER_EPOLL_HANG_UP))
    package static let error = Readiness(rawValue: UInt32(RUNNER_EPOLL_ERROR))
    /// What is reported whatever a descriptor is watched for.
    static let always = Readiness(rawValue: UInt32(RUNNER_EPOLL_HANG_UP | RUNNER_EPOLL_ERROR))
}

/// One watch. After `unwatch` it means nothing, even if its descriptor's number is watched again.
package struct WatchToken: Hashable, Sendable {
    let descriptor: Int32
    let generation: UInt32
}

/// Many descriptors behind one: an epoll instance that is itself watched by the event loop.
///
/// sd-event calls one source a turn and asks the kernel again in between; here one question serves up to 128.
final class DescriptorWatcher {
    typealias Handler = (Readiness) -> Void

    let epoll: OwnedDescriptor

    private struct Slot {
        /// Grows with each change of hands, so that what was meant for an earlier watch is not taken for this one's.
        var generation: UInt32 = 0
        var interest: Interest = []
        var handler: Handler?
    }

    /// Indexed by descriptor.
    private var slots: [Slot] = []
    private let events: UnsafeMutablePointer<runner_epoll_event>

    init() throws(SystemError) {
        epoll = OwnedDescriptor(try SystemError.check(runner_epoll_create(), "make an epoll instance"))
        events = .allocate(capacity: Int(RUNNER_EPOLL_BATCH))
        events.initialize(repeating: runner_epoll_event(), count: Int(RUNNER_EPOLL_BATCH))
    }

    deinit {
        events.deallocate()
    }

    func watch(
        _ descriptor: Int32, for interest: Interest, handler: @escaping Handler
    ) throws(SystemError) -> WatchToken {
        guard descriptor >= 0 else { throw failure(EBADF, descriptor) }
        let index = Int(descriptor)
        if index >= slots.count {
            slots.append(contentsOf: repeatElement(Slot(), count: index + 1 - slots.count))
        }
        let generation = slots[index].generation &+ 1
        let token = WatchToken(descriptor: descriptor, generation: generation)
        // A descriptor that was closed while it was watched has left the kernel's set, and its slot is free for the
        // next one of that number. One that is still there must not be watched twice.
        let isPaused = slots[index].handler != nil && (interest.isEmpty || slots[index].interest.isEmpty)
        guard !isPaused else { throw failure(EEXIST, descriptor) }
        if !interest.isEmpty {
            let result = control(RUNNER_EPOLL_ADD, token, interest)
            guard result >= 0 else { throw failure(-result, descriptor) }
        }
        slots[index] = Slot(generation: generation, interest: interest, handler: handler)
        return token
    }

    func update(_ token: WatchToken, _ interest: Interest) throws(SystemError) {
        guard isCurrent(token) else { return }
        let index = Int(token.descriptor)
        let before = slots[index].interest
        guard before != interest else { return }
        let result: Int32 =
            if interest.isEmpty {
                // The kernel would go on reporting hang-ups and errors, at once and for ever.
                control(RUNNER_EPOLL_REMOVE, token, interest)
            } else if before.isEmpty {
                control(RUNNER_EPOLL_ADD, token, interest)
            } else {
                control(RUNNER_EPOLL_MODIFY, token, interest)
            }
        guard result >= 0 else { throw failure(-result, token.descriptor) }
        slots[index].interest = interest
    }

    func unwatch(_ token: WatchToken) {
        guard isCurrent(token) else { return }
        let index = Int(token.descriptor)
        // Fails when the descriptor was closed before; then there is nothing to remove.
        if !slots[index].interest.isEmpty { _ = control(RUNNER_EPOLL_REMOVE, token, []) }
        slots[index] = Slot(generation: token.generation &+ 1)
    }

    /// Calls the handlers of all descriptors that are ready now.
    func dispatch() {
        let count = runner_epoll_wait(epoll.raw, events, Int32(RUNNER_EPOLL_BATCH), 0)
        guard count > 0 else { return }
        for position in 0..<Int(count) {
            let event = events[position]
            let token = WatchToken(
                descriptor: Int32(truncatingIfNeeded: event.token & 0xFFFF_FFFF),
                generation: UInt32(truncatingIfNeeded: event.token >> 32))
            // A handler that ran just before may have ended or changed this watch.
            guard isCurrent(token) else { continue }
            let slot = slots[Int(token.descriptor)]
            guard let handler = slot.handler, !slot.interest.isEmpty else { continue }
            let wanted = slot.interest.rawValue | Readiness.always.rawValue
            let readiness = Readiness(rawValue: event.readiness & wanted)
            if !readiness.isEmpty { handler(readiness) }
        }
    }

    // MARK: Private

    private func isCurrent(_ token: WatchToken) -> Bool {
        let index = Int(token.descriptor)
        return index < slots.count && slots[index].generation == token.generation && slots[index].handler != nil
    }

    private func control(_ operation: Int, _ token: WatchToken, _ interest: Interest) -> Int32 {
        let word = UInt64(token.generation) << 32 | UInt64(UInt32(bitPattern: token.descriptor))
        return runner_epoll_control(epoll.raw, Int32(operation), token.descriptor, interest.rawValue, word)
    }

    private func failure(_ code: Int32, _ descriptor: Int32) -> SystemError {
        SystemError(code: code, operation: "watch", path: "descriptor \(descriptor)")
    }
}

extension EventLoop {
    /// Calls the handler on the loop, again and again, while the descriptor is ready for what it is watched for.
    ///
    /// A descriptor has one watch. End it before the descriptor is closed.
    @discardableResult
    package func watch(
        _ descriptor: Int32, for interest: Interest, handler: @escaping (Readiness) -> Void
    ) throws(SystemError) -> WatchToken {
        preconditionOnLoop()
        return try descriptors.watch(descriptor, for: interest, handler: handler)
    }

    /// Watches for something else from now on. Does nothing for a watch that has ended.
    package func update(_ token: WatchToken, _ interest: Interest) throws(SystemError) {
        preconditionOnLoop()
        try descriptors.update(token, interest)
    }

    /// Ends a watch: its handler is not called again, even if the descriptor was found ready already.
    package func unwatch(_ token: WatchToken) {
        preconditionOnLoop()
        descriptors.unwatch(token)
    }
}
