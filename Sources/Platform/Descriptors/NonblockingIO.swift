import CLinux
import Glibc

/// Reads and writes whose every outcome is a value.
package enum NonblockingIO {
    package enum Outcome: Equatable, Sendable {
        /// So many bytes were moved, at least one unless none were asked for.
        case data(Int)
        case wouldBlock
        /// Reading: the other side has ended its stream. Writing: nobody will ever read this.
        case endOfFile
        case failed(SystemError)
    }

    package static func read(_ descriptor: Int32, into buffer: UnsafeMutableRawBufferPointer) -> Outcome {
        while true {
            let count = Glibc.read(descriptor, buffer.baseAddress, buffer.count)
            if count > 0 { return .data(count) }
            if count == 0 { return buffer.isEmpty ? .data(0) : .endOfFile }
            switch errno {
            case EINTR: continue
            case EAGAIN: return .wouldBlock
            case ECONNRESET: return .endOfFile
            default: return .failed(.last("read from", path: "descriptor \(descriptor)"))
            }
        }
    }

    /// Never raises SIGPIPE for a socket, whatever the program has decided about that signal.
    package static func write(_ descriptor: Int32, _ bytes: UnsafeRawBufferPointer) -> Outcome {
        let count = runner_write(descriptor, bytes.baseAddress, bytes.count)
        if count >= 0 { return .data(Int(count)) }
        switch Int32(-count) {
        case EAGAIN: return .wouldBlock
        case EPIPE, ECONNRESET: return .endOfFile
        case let code:
            return .failed(SystemError(code: code, operation: "write to", path: "descriptor \(descriptor)"))
        }
    }
}
