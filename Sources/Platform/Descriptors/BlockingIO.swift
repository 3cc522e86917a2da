import Glibc

/// Reads and writes that wait until they can go on.
package enum BlockingIO {
    package enum Direction: Sendable {
        case reading
        case writing
    }

    /// Waits until the descriptor can be used, or has come to its end; false when the time was over before.
    ///
    /// - Parameter deadline: milliseconds of the awake clock; nil is without an end.
    package static func wait(for direction: Direction, of descriptor: Int32, until deadline: Int64? = nil) -> Bool {
        let events = direction == .reading ? POLLIN : POLLOUT
        while true {
            var entry = pollfd(fd: descriptor, events: Int16(events), revents: 0)
            var timeout: Int32 = -1
            if let deadline {
                let rest = deadline - SystemClock.milliseconds(.awake)
                timeout = Int32(clamping: max(0, rest))
            }
            let count = poll(&entry, 1, timeout)
            if count > 0 { return true }
            if count < 0, errno != EINTR { return true }
            if let deadline, SystemClock.milliseconds(.awake) >= deadline { return false }
        }
    }

    /// What a descriptor is waited for.
    package enum Awaited: Sendable {
        case input(Int32)
        case output(Int32)
        /// Nobody will ever read what is written to it.
        case hangUp(Int32)
    }

    /// Waits for the first of several; gives its position, or nil when the time was over before.
    ///
    /// - Parameter deadline: milliseconds of the awake clock; nil is without an end.
    package static func wait(forAnyOf awaited: [Awaited], until deadline: Int64? = nil) -> Int? {
        var entries = awaited.map { awaited in
            switch awaited {
            case .input(let descriptor): pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
            case .output(let descriptor): pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
            case .hangUp(let descriptor): pollfd(fd: descriptor, events: 0, revents: 0)
            }
        }
        while true {
            let timeout = deadline.map { Int32(clamping: max(0, $0 - SystemClock.milliseconds(.awake))) } ?? -1
            let count = poll(&entries, nfds_t(entries.count), timeout)
            if count > 0 { return entries.firstIndex { $0.revents != 0 } }
            if let deadline, SystemClock.milliseconds(.awake) >= deadline { return nil }
        }
    }

    /// Writes all the bytes; `endOfFile` when nobody will ever read them.
    package static func writeAll(_ descriptor: Int32, _ bytes: UnsafeRawBufferPointer) -> NonblockingIO.Outcome {
        var rest = bytes
        while !rest.isEmpty {
            switch NonblockingIO.write(descriptor, rest) {
            case .data(let count): rest = UnsafeRawBufferPointer(rebasing: rest[count...])
            case .wouldBlock: _ = wait(for: .writing, of: descriptor)
            case .endOfFile: return .endOfFile
            case .failed(let error): return .failed(error)
            }
        }
        return .data(bytes.count)
    }
}
