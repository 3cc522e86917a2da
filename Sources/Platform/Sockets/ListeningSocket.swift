import CLinux
import Glibc

/// A Unix socket that accepts connections, and the file that leads to it.
package final class ListeningSocket: Sendable {
    package enum Acceptance: Sendable {
        /// A new connection, whose reads and writes never wait.
        case connection(OwnedDescriptor)
        case wouldBlock
        /// With EMFILE or ENFILE the connection is still waiting: stop watching for a while, or this comes for ever.
        case failed(SystemError)
    }

    package let descriptor: OwnedDescriptor
    /// Where it listens.
    package let path: String
    /// What is ours to remove.
    private let file: SocketFile?

    /// Takes over a Unix socket that listens at a path already, from systemd for example. Its file is not ours to remove.
    package init(adopting descriptor: OwnedDescriptor) throws(SystemError) {
        var bytes = [CChar](repeating: 0, count: UnixSocket.maximumPathBytes + 1)
        let length = runner_listening_path(descriptor.raw, &bytes, bytes.count)
        guard length >= 0 else {
            var error = SystemError(code: -length, operation: "take over the socket that was passed")
            error.explanation =
                "it must be a Unix stream socket that listens at a path (\(SystemError.text(for: -length)))"
            throw error
        }
        try descriptor.setNonblocking()
        self.descriptor = descriptor
        path = String(decoding: bytes.prefix(Int(length)).map { UInt8(bitPattern: $0) }, as: UTF8.self)
        file = nil
    }

    fileprivate init(descriptor: OwnedDescriptor, file: SocketFile) {
        self.descriptor = descriptor
        self.file = file
        path = file.path
    }

    package func accept() -> Acceptance {
        let connection = runner_accept(descriptor.raw)
        if connection >= 0 { return .connection(OwnedDescriptor(connection)) }
        if connection == -EAGAIN { return .wouldBlock }
        return .failed(SystemError(code: -connection, operation: "accept a connection", path: path))
    }

    /// Removes the socket's file, unless another one has taken its place. Whether it was removed.
    @discardableResult
    package func removeIfOurs() -> Bool {
        file?.removeIfOurs() ?? false
    }
}

extension UnixSocket {
    /// Makes a socket that listens at a path.
    ///
    /// The file is made complete, with its mode and group, under another name in the same folder and then renamed, so
    /// that nobody can ever connect to it with wider access or get an answer from a half-made one.
    package static func listen(
        path: String, mode: UInt32, group: UInt32? = nil, backlog: Int32 = 128
    ) throws(SocketListenFailure) -> ListeningSocket {
        do throws(SystemError) {
            try checkLength(of: path)
        } catch {
            throw SocketListenFailure(.system(error), path: path)
        }
        let place = try SocketPlace(path: path)
        try place.refuseWhatMustStay()
        return try place.makeSocket(mode: mode, group: group, backlog: backlog)
    }
}

/// The file of a listening socket, known by device and inode.
private struct SocketFile: Sendable {
    let path: String
    let folder: OwnedDescriptor
    let name: String
    let device: UInt
    let inode: UInt

    func removeIfOurs() -> Bool {
        var status = stat()
        guard fstatat(folder.raw, name, &status, AT_SYMLINK_NOFOLLOW) == 0,
            status.st_dev == device, status.st_ino == inode
        else { return false }
        return unlinkat(folder.raw, name, 0) == 0
    }
}

/// A path at which a socket is to be put. Everything goes through the folder's descriptor, so that nobody can exchange
/// the folder between two steps.
private struct SocketPlace {
    let path: String
    let name: String
    let folder: OwnedDescriptor

    init(path: String) throws(SocketListenFailure) {
        self.path = path
        let slash = path.lastIndex(of: "/")
        name = slash.map { String(path[path.index(after: $0)...]) } ?? path
        let folderPath =
            switch slash {
            case nil: "."
            case path.startIndex?: "/"
            case let slash?: String(path[..<slash])
            }
        guard !name.isEmpty, name != ".", name != ".." else {
            throw SocketListenFailure(.notASocket, path: path)
        }
        let raw = runner_open_folder(folderPath)
        guard raw >= 0 else {
            let error = SystemError(code: -raw, operation: "open the folder", path: folderPath)
            throw SocketListenFailure(.system(error), path: path)
        }
        folder = OwnedDescriptor(raw)
    }

    /// Only nothing, or a socket that nobody answers, may be replaced.
    func refuseWhatMustStay() throws(SocketListenFailure) {
        let raw = runner_open_reference(folder.raw, name)
        if raw == -ENOENT { return }
        let reference = OwnedDescriptor(try check(raw, "look at"))
        var status = stat()
        guard fstat(reference.raw, &status) == 0 else { throw failure(errno, "look at") }
        switch status.st_mode & S_IFMT {
        case S_IFSOCK: break
        case S_IFLNK: throw SocketListenFailure(.symbolicLink, path: path)
        default: throw SocketListenFailure(.notASocket, path: path)
        }
        let probe = OwnedDescriptor(try check(runner_unix_socket(1), "make a socket for"))
        switch runner_unix_connect(probe.raw, "/proc/self/fd/\(reference.raw)") {
        // A full queue means that somebody listens.
        case 0, -EAGAIN, -EINPROGRESS: throw SocketListenFailure(.inUse, path: path)
        case -ECONNREFUSED: return
        case let code: throw failure(-code, "see whether somebody listens at")
        }
    }

    func makeSocket(mode: UInt32, group: UInt32?, backlog: Int32) throws(SocketListenFailure) -> ListeningSocket {
        let socket = OwnedDescriptor(try check(runner_unix_socket(1), "make a socket for"))
        // Before the file exists: it is never wider than this, whatever the umask is.
        guard fchmod(socket.raw, mode) == 0 else { throw failure(errno, "set the mode of") }
        let temporary = try bind(socket)
        do throws(SocketListenFailure) {
            let reference = OwnedDescriptor(try check(runner_open_reference(folder.raw, temporary), "open"))
            // The umask may have taken bits away, and the group comes before what it may do.
            try check(runner_set_access_of_reference(reference.raw, group.map(Int64.init) ?? -1, mode), "set access of")
            var status = stat()
            guard fstat(reference.raw, &status) == 0 else { throw failure(errno, "look at") }
            guard Glibc.listen(socket.raw, backlog) == 0 else { throw failure(errno, "listen at") }
            guard renameat(folder.raw, temporary, folder.raw, name) == 0 else { throw failure(errno, "listen at") }
            let file = SocketFile(
                path: path, folder: folder, name: name, device: UInt(status.st_dev), inode: UInt(status.st_ino))
            return ListeningSocket(descriptor: socket, file: file)
        } catch {
            unlinkat(folder.raw, temporary, 0)
            throw error
        }
    }

    /// Binds to a name that nobody has, and returns it. It is short, because a longer one may not fit where the final
    /// name does.
    private func bind(_ socket: OwnedDescriptor) throws(SocketListenFailure) -> String {
        while true {
            let temporary = ".socket-" + String(UInt32.random(in: 0...UInt32.max), radix: 36)
            let result = runner_unix_bind(socket.raw, "/proc/self/fd/\(folder.raw)/\(temporary)")
            if result == -EADDRINUSE { continue }
            try check(result, "listen at")
            return temporary
        }
    }

    @discardableResult
    private func check(_ result: Int32, _ operation: String) throws(SocketListenFailure) -> Int32 {
        guard result >= 0 else { throw failure(-result, operation) }
        return result
    }

    private func failure(_ code: Int32, _ operation: String) -> SocketListenFailure {
        SocketListenFailure(.system(SystemError(code: code, operation: operation, path: path)), path: path)
    }
}
