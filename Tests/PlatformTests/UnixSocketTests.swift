import Glibc
import Platform
import Testing

@Suite("Unix sockets")
struct UnixSocketTests {
    private let folder = TemporaryFolder()

    private var path: String { folder.file("control.sock") }

    private func mode(_ path: String) -> mode_t {
        var status = stat()
        lstat(path, &status)
        return status.st_mode
    }

    private func reason(_ body: () throws -> ListeningSocket) -> SocketListenFailure.Reason? {
        do {
            _ = try body()
            return nil
        } catch {
            return (error as? SocketListenFailure)?.reason
        }
    }

    private func accept(_ socket: ListeningSocket) -> OwnedDescriptor? {
        guard case .connection(let connection) = socket.accept() else { return nil }
        return connection
    }

    /// Leaves a file whose socket nobody answers.
    private func leaveStaleSocket(_ path: String) throws {
        let socket = try UnixSocket.listen(path: path, mode: 0o600)
        // A child that another test is just starting may have a copy, which closing alone would leave listening.
        shutdown(socket.descriptor.raw, Int32(SHUT_RDWR))
        socket.descriptor.close()
    }

    @Test("a socket that the program was started with is taken over: never waiting, and not for its children")
    func adopts() throws {
        let (ours, theirs) = try UnixSocket.pair()
        let raw = theirs.release()
        #expect(fcntl(raw, F_SETFD, 0) == 0)
        let adopted = try UnixSocket.adopt(raw)
        #expect(adopted.raw == raw)
        #expect(fcntl(raw, F_GETFD) & FD_CLOEXEC != 0)
        #expect(fcntl(raw, F_GETFL) & O_NONBLOCK != 0)
        // The other end has its own mode.
        #expect(fcntl(ours.raw, F_GETFL) & O_NONBLOCK == 0)
    }

    @Test("what is no open socket is not taken over, and stays as it is")
    func adoptsNothingElse() throws {
        let pipe = try Pipe.make()
        let noSocket = #expect(throws: SystemError.self) { try UnixSocket.adopt(pipe.reading.raw) }
        #expect(noSocket?.code == ENOTSOCK)
        #expect(fcntl(pipe.reading.raw, F_GETFL) & O_NONBLOCK == 0)
        let notOpen = #expect(throws: SystemError.self) { try UnixSocket.adopt(-1) }
        #expect(notOpen?.code == EBADF)
    }

    private func names() -> [String] {
        SmallNames.inFolder(folder.path)
    }

    @Test("a client that connects is accepted, and what it writes arrives")
    func connects() throws {
        let socket = try UnixSocket.listen(path: path, mode: 0o600)
        guard case .wouldBlock = socket.accept() else {
            Issue.record("someone connected already")
            return
        }
        let client = try UnixSocket.connect(path: path)
        let connection = try #require(accept(socket))
        write("hello\n", to: client)
        #expect(readLine(connection) == "hello")
        #expect(fcntl(connection.raw, F_GETFL) & O_NONBLOCK != 0)
        #expect(fcntl(connection.raw, F_GETFD) & FD_CLOEXEC != 0)
    }

    @Test("the file has exactly its mode, whatever the umask is", arguments: [0o600, 0o660, 0o666] as [UInt32])
    func exactMode(_ wanted: UInt32) throws {
        _ = try UnixSocket.listen(path: path, mode: wanted)
        #expect(UInt32(mode(path) & 0o7777) == wanted)
    }

    @Test("nothing is left in the folder but the socket")
    func noLeftovers() throws {
        _ = try UnixSocket.listen(path: path, mode: 0o600)
        #expect(names() == ["control.sock"])
    }

    @Test("the group is set", .enabled(if: geteuid() == 0))
    func group() throws {
        _ = try UnixSocket.listen(path: path, mode: 0o660, group: 12_345)
        var status = stat()
        lstat(path, &status)
        #expect(status.st_gid == 12_345)
        #expect(status.st_mode & 0o7777 == 0o660)
    }

    @Test("a stale socket is replaced")
    func stale() throws {
        try leaveStaleSocket(path)
        #expect(throws: SystemError.self) { try UnixSocket.connect(path: path) }
        let socket = try UnixSocket.listen(path: path, mode: 0o600)
        let client = try UnixSocket.connect(path: path)
        #expect(client.raw >= 0)
        #expect(accept(socket) != nil)
    }

    @Test("a live socket is never replaced, even when its queue is full")
    func live() throws {
        let socket = try UnixSocket.listen(path: path, mode: 0o600, backlog: 0)
        #expect(reason { try UnixSocket.listen(path: path, mode: 0o600) } == .inUse)
        // The look has taken the only place in the queue.
        #expect(reason { try UnixSocket.listen(path: path, mode: 0o600) } == .inUse)
        #expect(accept(socket) != nil)
        let client = try UnixSocket.connect(path: path)
        #expect(client.raw >= 0)
    }

    @Test("a connection at once is refused where the queue is full, instead of waiting")
    func fullQueue() throws {
        let socket = try UnixSocket.listen(path: path, mode: 0o600, backlog: 0)
        let first = try UnixSocket.connectAtOnce(path: path)
        #expect(fcntl(first.raw, F_GETFL) & O_NONBLOCK != 0)
        let error = #expect(throws: SystemError.self) { try UnixSocket.connectAtOnce(path: path) }
        #expect(error?.explanation == "whoever listens there does not accept connections")
        #expect(accept(socket) != nil)
    }

    @Test("where the queue is full one is waited for a while only, and where it is not, reads wait as ever")
    func patience() throws {
        let socket = try UnixSocket.listen(path: path, mode: 0o600, backlog: 0)
        let first = try UnixSocket.connect(path: path, within: 10_000)
        #expect(fcntl(first.raw, F_GETFL) & O_NONBLOCK == 0)
        var time = timeval()
        var size = socklen_t(MemoryLayout<timeval>.size)
        #expect(getsockopt(first.raw, SOL_SOCKET, SO_SNDTIMEO, &time, &size) == 0)
        #expect(time.tv_sec == 0 && time.tv_usec == 0)
        let error = #expect(throws: SystemError.self) { try UnixSocket.connect(path: path, within: 20) }
        #expect(error?.explanation == "whoever listens there does not accept connections")
        #expect(accept(socket) != nil)
    }

    @Test("a planted symbolic link is neither followed nor replaced")
    func symbolicLink() throws {
        let other = folder.file("other.sock")
        try leaveStaleSocket(other)
        symlink(other, path)
        #expect(reason { try UnixSocket.listen(path: path, mode: 0o600) } == .symbolicLink)
        #expect(mode(path) & S_IFMT == S_IFLNK)
    }

    @Test("a dangling symbolic link is refused as well")
    func danglingLink() {
        symlink(folder.file("nowhere"), path)
        #expect(reason { try UnixSocket.listen(path: path, mode: 0o600) } == .symbolicLink)
        #expect(names() == ["control.sock"])
    }

    @Test("a file or folder that is no socket stays as it is")
    func wrongType() {
        folder.write("precious", to: "control.sock")
        #expect(reason { try UnixSocket.listen(path: path, mode: 0o600) } == .notASocket)
        #expect(mode(path) & S_IFMT == S_IFREG)
        unlink(path)
        mkdir(path, 0o755)
        #expect(reason { try UnixSocket.listen(path: path, mode: 0o600) } == .notASocket)
    }

    @Test("a path of 107 bytes works and one of 108 is one clear error")
    func longPath() throws {
        let room = UnixSocket.maximumPathBytes - folder.path.utf8.count - 1
        let longest = folder.file(String(repeating: "s", count: room))
        let socket = try UnixSocket.listen(path: longest, mode: 0o600)
        _ = try UnixSocket.connect(path: longest)
        #expect(accept(socket) != nil)

        let tooLong = longest + "s"
        let error = #expect(throws: SocketListenFailure.self) { try UnixSocket.listen(path: tooLong, mode: 0o600) }
        let sentence = "cannot use the socket path \(tooLong): it has 108 bytes, and a socket's path can have 107"
        #expect(error.map { String(describing: $0) } == sentence)
        let refused = #expect(throws: SystemError.self) { try UnixSocket.connect(path: tooLong) }
        #expect(refused?.code == ENAMETOOLONG)
    }

    @Test("a path that names no file is refused", arguments: ["", "\0abstract", "/tmp/", "/tmp/..", "."])
    func noName(_ path: String) {
        #expect(reason { try UnixSocket.listen(path: path, mode: 0o600) } != nil)
    }

    @Test("a missing folder is a plain error")
    func missingFolder() {
        let path = folder.file("missing/control.sock")
        let error = #expect(throws: SocketListenFailure.self) { try UnixSocket.listen(path: path, mode: 0o600) }
        #expect(
            error.map { String(describing: $0) }
                == "cannot open the folder \(folder.path)/missing: No such file or directory")
    }

    @Test("removing takes away our own file, once")
    func removesOurs() throws {
        let socket = try UnixSocket.listen(path: path, mode: 0o600)
        #expect(socket.removeIfOurs())
        #expect(names() == [])
        #expect(!socket.removeIfOurs())
    }

    @Test("removing leaves a file that took our place")
    func leavesTheirs() throws {
        let first = try UnixSocket.listen(path: path, mode: 0o600)
        unlink(path)
        let second = try UnixSocket.listen(path: path, mode: 0o600)
        #expect(!first.removeIfOurs())
        #expect(names() == ["control.sock"])
        #expect(second.removeIfOurs())
    }

    @Test("a socket that was taken over is not ours to remove, and never waits")
    func adopted() throws {
        let made = try UnixSocket.listen(path: path, mode: 0o600)
        let taken = try ListeningSocket(adopting: OwnedDescriptor(dup(made.descriptor.raw)))
        #expect(!taken.removeIfOurs())
        #expect(taken.path.hasPrefix("/proc/self/fd/"), "where it was bound, which is not where it was renamed to")
        guard case .wouldBlock = taken.accept() else {
            Issue.record("someone connected already")
            return
        }
    }

    @Test("what is no Unix stream socket that listens at a path is not taken over")
    func notAdopted() throws {
        func refusal(_ raw: Int32) -> Int32? {
            do throws(SystemError) {
                _ = try ListeningSocket(adopting: OwnedDescriptor(raw))
                return nil
            } catch {
                #expect(error.description.contains("it must be a Unix stream socket that listens at a path"))
                return error.code
            }
        }
        let stream = Int32(SOCK_STREAM.rawValue)
        #expect(refusal(open("/dev/null", O_RDONLY)) == ENOTSOCK)
        #expect(refusal(socket(AF_UNIX, stream, 0)) == EINVAL)
        let internet = socket(AF_INET, stream, 0)
        #expect(Glibc.listen(internet, 1) == 0)
        #expect(refusal(internet) == EAFNOSUPPORT)
        // Binding to nothing gives an abstract name that the kernel makes up.
        let abstract = socket(AF_UNIX, stream, 0)
        var family = sa_family_t(AF_UNIX)
        let bound = withUnsafeMutableBytes(of: &family) { bytes in
            bind(
                abstract, bytes.baseAddress?.assumingMemoryBound(to: sockaddr.self),
                socklen_t(MemoryLayout<sa_family_t>.size))
        }
        #expect(bound == 0)
        #expect(Glibc.listen(abstract, 1) == 0)
        #expect(refusal(abstract) == EADDRNOTAVAIL)
    }

    @Test("the peer is known by user, groups and process")
    func peer() throws {
        let pair = try UnixSocket.pair()
        let peer = try PeerCredentials(of: pair.0.raw)
        #expect(peer.uid == geteuid())
        #expect(peer.gid == getegid())
        #expect(peer.pid == getpid())
        var groups = [gid_t](repeating: 0, count: 65_536)
        let count = getgroups(Int32(groups.count), &groups)
        #expect(Set(peer.groups) == Set(groups.prefix(Int(count))))
        #expect(peer.isMember(of: getegid()))
        #expect(!peer.isMember(of: 4_000_000_000))
    }

    @Test("a descriptor that is no socket has no peer")
    func noPeer() throws {
        let pipe = try Pipe.make()
        #expect(throws: SystemError.self) { try PeerCredentials(of: pipe.reading.raw) }
    }
}
