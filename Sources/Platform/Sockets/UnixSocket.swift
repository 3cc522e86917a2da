import CLinux
import Glibc

/// Unix stream sockets.
package enum UnixSocket {
    /// The longest path that a socket's address can hold.
    package static let maximumPathBytes = 107

    /// Connects, waiting as long as it takes. Later reads and writes wait too.
    package static func connect(path: String) throws(SystemError) -> OwnedDescriptor {
        try connect(path: path, waiting: true)
    }

    /// Connects, waiting for so long at most until who listens there accepts. Later reads and writes wait as long as it takes.
    package static func connect(path: String, within milliseconds: Int64) throws(SystemError) -> OwnedDescriptor {
        try checkLength(of: path)
        let socket = OwnedDescriptor(try SystemError.check(runner_unix_socket(0), "make a socket"))
        try setSendTimeout(of: socket, milliseconds: max(1, milliseconds))
        do throws(SystemError) {
            try SystemError.check(runner_unix_connect(socket.raw, path), "connect to", path: path)
        } catch {
            throw explained(error)
        }
        try setSendTimeout(of: socket, milliseconds: 0)
        return socket
    }

    /// Connects at once, or not at all when nobody accepts connections fast enough. Later reads and writes never wait.
    package static func connectAtOnce(path: String) throws(SystemError) -> OwnedDescriptor {
        do throws(SystemError) {
            return try connect(path: path, waiting: false)
        } catch {
            throw explained(error)
        }
    }

    private static func explained(_ error: SystemError) -> SystemError {
        guard error.code == EAGAIN else { return error }
        var error = error
        error.explanation = "whoever listens there does not accept connections"
        return error
    }

    /// - Parameter milliseconds: 0 is without an end.
    private static func setSendTimeout(of socket: OwnedDescriptor, milliseconds: Int64) throws(SystemError) {
        var time = timeval(
            tv_sec: time_t(milliseconds / 1_000), tv_usec: suseconds_t(milliseconds % 1_000 * 1_000))
        let size = socklen_t(MemoryLayout<timeval>.size)
        guard setsockopt(socket.raw, SOL_SOCKET, SO_SNDTIMEO, &time, size) == 0 else {
            throw .last("set the patience of a socket")
        }
    }

    private static func connect(path: String, waiting: Bool) throws(SystemError) -> OwnedDescriptor {
        try checkLength(of: path)
        let socket = OwnedDescriptor(try SystemError.check(runner_unix_socket(waiting ? 0 : 1), "make a socket"))
        try SystemError.check(runner_unix_connect(socket.raw, path), "connect to", path: path)
        return socket
    }

    /// Two connected sockets, whose reads and writes wait.
    package static func pair() throws(SystemError) -> (OwnedDescriptor, OwnedDescriptor) {
        var ends: (Int32, Int32) = (-1, -1)
        let result = withUnsafeMutablePointer(to: &ends) { pair in
            pair.withMemoryRebound(to: Int32.self, capacity: 2) { runner_unix_socket_pair($0) }
        }
        try SystemError.check(result, "make a pair of sockets")
        return (OwnedDescriptor(ends.0), OwnedDescriptor(ends.1))
    }

    /// Takes over a connected socket that this program was started with; reads and writes never wait from now on, and
    /// its children do not get it.
    package static func adopt(_ raw: Int32) throws(SystemError) -> OwnedDescriptor {
        let name = "descriptor \(raw)"
        var status = stat()
        guard raw >= 0, fstat(raw, &status) == 0 else {
            throw SystemError(code: EBADF, operation: "use", path: name, explanation: "it is not open")
        }
        guard status.st_mode & S_IFMT == S_IFSOCK else {
            throw SystemError(code: ENOTSOCK, operation: "use", path: name, explanation: "it is not a socket")
        }
        guard fcntl(raw, F_SETFD, FD_CLOEXEC) == 0 else { throw .last("keep from children", path: name) }
        let socket = OwnedDescriptor(raw)
        try socket.setNonblocking()
        return socket
    }

    static func checkLength(of path: String) throws(SystemError) {
        let bytes = path.utf8.count
        guard bytes <= maximumPathBytes else {
            throw SystemError(
                code: ENAMETOOLONG, operation: "use the socket path", path: path,
                explanation: "it has \(bytes) bytes, and a socket's path can have \(maximumPathBytes)")
        }
        // An empty path, or one that begins with NUL, would be an address outside the file system.
        guard bytes > 0, !path.utf8.contains(0) else {
            throw SystemError(
                code: EINVAL, operation: "use the socket path", path: path,
                explanation: "it must be the name of a file")
        }
    }
}
