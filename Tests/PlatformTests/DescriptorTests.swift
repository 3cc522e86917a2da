import Glibc
import Platform
import Testing

@Suite("Descriptors")
struct DescriptorTests {
    private func isOpen(_ descriptor: Int32, like status: stat) -> Bool {
        var now = stat()
        return fstat(descriptor, &now) == 0 && now.st_ino == status.st_ino && now.st_dev == status.st_dev
    }

    @Test("dropping the last reference closes the descriptor")
    func dropping() throws {
        var status = stat()
        var pipe: (reading: OwnedDescriptor, writing: OwnedDescriptor)? = try Pipe.make()
        let raw = try #require(pipe).reading.raw
        fstat(raw, &status)
        #expect(isOpen(raw, like: status))
        pipe = nil
        #expect(!isOpen(raw, like: status))
    }

    @Test("a flag is seen by whoever waits for descriptors, until it is taken down")
    func flags() throws {
        let flag = try EventFlag()
        let pipe = try Pipe.make()
        let awaited = [BlockingIO.Awaited.input(pipe.reading.raw), .input(flag.raw)]
        #expect(BlockingIO.wait(forAnyOf: awaited, until: 0) == nil)
        flag.raise()
        flag.raise()
        #expect(BlockingIO.wait(forAnyOf: awaited, until: 0) == 1)
        flag.clear()
        #expect(BlockingIO.wait(forAnyOf: awaited, until: 0) == nil)
        #expect(BlockingIO.wait(forAnyOf: [.output(pipe.writing.raw)], until: 0) == 0)
    }

    @Test("closing twice does not close whoever has the number now")
    func twice() throws {
        let first = try Pipe.make()
        first.reading.close()
        #expect(first.reading.raw == -1)
        let second = try Pipe.make()
        first.reading.close()
        write("x", to: second.writing)
        #expect(becomesReadable(second.reading.raw))
    }

    @Test("only one of many threads that close gets to do it")
    func concurrently() throws {
        let descriptor = try Pipe.make().reading
        let winners = Locked(0)
        let threads = try (0..<4).map { number in
            try NamedThread(name: "closer \(number)") {
                let raw = descriptor.release()
                if raw >= 0 {
                    close(raw)
                    winners.withLock { $0 += 1 }
                }
            }
        }
        for thread in threads { thread.join() }
        #expect(winners.withLock { $0 } == 1)
    }

    @Test("descriptors that we make are closed in children")
    func closeOnExec() throws {
        let pipe = try Pipe.make()
        let pair = try UnixSocket.pair()
        for descriptor in [pipe.reading, pipe.writing, pair.0, pair.1] {
            #expect(fcntl(descriptor.raw, F_GETFD) & FD_CLOEXEC != 0)
        }
    }

    @Test("a read has an outcome for data, for nothing yet, for the end and for an error")
    func reading() throws {
        let pipe = try Pipe.make()
        try pipe.reading.setNonblocking()
        var buffer = [UInt8](repeating: 0, count: 8)
        func read(_ descriptor: Int32) -> NonblockingIO.Outcome {
            buffer.withUnsafeMutableBytes { NonblockingIO.read(descriptor, into: $0) }
        }
        #expect(read(pipe.reading.raw) == .wouldBlock)
        write("abc", to: pipe.writing)
        #expect(read(pipe.reading.raw) == .data(3))
        pipe.writing.close()
        // A child that another test is just starting may still have a copy.
        #expect(becomesReadable(pipe.reading.raw))
        #expect(read(pipe.reading.raw) == .endOfFile)
        guard case .failed(let error) = read(-1) else {
            Issue.record("a closed descriptor was read")
            return
        }
        #expect(error.code == EBADF)
    }

    @Test("a write to a full socket would block, and one to a closed socket ends nobody")
    func writing() throws {
        let pair = try UnixSocket.pair()
        try pair.0.setNonblocking()
        let chunk = String(repeating: "x", count: 1 << 16)
        var outcome = write(chunk, to: pair.0)
        while case .data = outcome { outcome = write(chunk, to: pair.0) }
        #expect(outcome == .wouldBlock)
        pair.1.close()
        // A child that another test is just starting may still have a copy.
        #expect(hangsUp(pair.0.raw))
        #expect(write("x", to: pair.0) == .endOfFile)
    }

    @Test("of several descriptors the first that is ready is told, or that the time is over")
    func severalDescriptors() throws {
        let (pipe, pair) = (try Pipe.make(), try UnixSocket.pair())
        let awaited: [BlockingIO.Awaited] = [.hangUp(pipe.writing.raw), .input(pair.0.raw)]
        #expect(BlockingIO.wait(forAnyOf: awaited, until: SystemClock.milliseconds(.awake)) == nil)
        #expect(write("x", to: pair.1) == .data(1))
        #expect(BlockingIO.wait(forAnyOf: awaited) == 1)
        pipe.reading.close()
        // A child that another test is just starting may still have a copy.
        #expect(hangsUp(pipe.writing.raw))
        #expect(BlockingIO.wait(forAnyOf: awaited) == 0)
    }

    @Test("an error says what was tried, on what, and why it failed")
    func errorText() {
        let error = SystemError(code: ENOENT, operation: "open", path: "/x")
        #expect(String(describing: error) == "cannot open /x: No such file or directory")
        #expect(
            String(describing: SystemError(code: EMFILE, operation: "make a pipe"))
                == "cannot make a pipe: Too many open files")
    }
}
