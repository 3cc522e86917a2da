import CLinux
import Glibc

/// A file descriptor that is closed exactly once: by `close()`, or when the last reference goes.
///
/// Unchecked because of the pointer: its cell is touched by atomic operations only.
package final class OwnedDescriptor: @unchecked Sendable, CustomStringConvertible {
    private static let none: Int32 = -1
    private let cell: UnsafeMutablePointer<Int32>

    /// Takes over an open descriptor.
    package init(_ raw: Int32) {
        cell = .allocate(capacity: 1)
        cell.initialize(to: raw)
    }

    deinit {
        close()
        cell.deallocate()
    }

    /// The number, or -1 once it is closed.
    package var raw: Int32 {
        runner_atomic_load(cell)
    }

    /// Closes the descriptor; further calls do nothing.
    ///
    /// A number that another thread is still using may be given out again at once: stop its use first.
    package func close() {
        let raw = release()
        if raw >= 0 { Glibc.close(raw) }
    }

    /// Gives up the descriptor without closing it. -1 when it was closed or given up before.
    package func release() -> Int32 {
        runner_atomic_exchange(cell, Self.none)
    }

    /// Reads, writes and accepts that would wait return `wouldBlock` from now on.
    package func setNonblocking() throws(SystemError) {
        try SystemError.check(runner_set_nonblocking(raw), "make nonblocking", path: description)
    }

    package var description: String {
        "descriptor \(raw)"
    }
}
