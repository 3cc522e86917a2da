import Glibc
import Platform
import SystemPlatform
import Testing

@Suite("Event loop, descriptors")
struct EventLoopDescriptorTests {
    @Test("a handler is called while its descriptor is ready")
    func level() throws {
        let pipe = try Pipe.make()
        write("abc", to: pipe.writing)
        var text = ""
        try runLoop { loop in
            try loop.watch(pipe.reading.raw, for: .read) { readiness in
                #expect(readiness.contains(.read))
                var byte: UInt8 = 0
                read(pipe.reading.raw, &byte, 1)
                text.unicodeScalars.append(UnicodeScalar(byte))
                if text.count == 3 { loop.stop() }
            }
        }
        #expect(text == "abc")
    }

    @Test("reading, writing and hang-up are told apart, and interest can change")
    func interest() throws {
        let pair = try UnixSocket.pair()
        var seen: [Readiness] = []
        try runLoop { loop in
            var token: WatchToken?
            token = try loop.watch(pair.0.raw, for: .write) { readiness in
                seen.append(readiness)
                guard let token else { return }
                do {
                    switch seen.count {
                    case 1:
                        write("x", to: pair.1)
                        try loop.update(token, .read)
                    case 2: try loop.update(token, [.read, .write])
                    case 3:
                        pair.1.close()
                        // A child that another test is just starting may still have a copy.
                        #expect(hangsUp(pair.0.raw))
                    default: loop.stop()
                    }
                } catch {
                    Issue.record(error)
                }
            }
        }
        #expect(seen == [.write, .read, [.read, .write], [.read, .write, .hangUp]])
    }

    @Test("a paused watch is silent even about a hang-up, and goes on when it is wanted again")
    func paused() throws {
        let pair = try UnixSocket.pair()
        var calls = 0
        try runLoop { loop in
            let token = try loop.watch(pair.0.raw, for: []) { _ in
                calls += 1
                loop.stop()
            }
            pair.1.close()
            let timer = try loop.makeTimer(clock: .awake) {
                #expect(calls == 0)
                #expect(throws: Never.self) { try loop.update(token, .read) }
            }
            timer.arm(atMilliseconds: SystemClock.milliseconds(.awake) + 5)
            loop.atEndOfTurn { timer.disarm() }
        }
        #expect(calls == 1)
    }

    @Test("a handler that was ended in the same batch is not called")
    func endedInBatch() throws {
        let pipes = try (0..<2).map { _ in try Pipe.make() }
        for pipe in pipes { write("x", to: pipe.writing) }
        var called: [Int] = []
        try runLoop { loop in
            var tokens: [WatchToken] = []
            for (number, pipe) in pipes.enumerated() {
                tokens.append(
                    try loop.watch(pipe.reading.raw, for: .read) { _ in
                        called.append(number)
                        for token in tokens { loop.unwatch(token) }
                        loop.requestEndOfTurn()
                    })
            }
            loop.atEndOfTurn { loop.stop() }
        }
        #expect(called.count == 1)
    }

    @Test("a descriptor that was closed and came back under its number in the same batch is another one")
    func reusedInBatch() throws {
        let pipes = try (0..<2).map { _ in try Pipe.make() }
        for pipe in pipes { write("x", to: pipe.writing) }
        var called: [String] = []
        let fresh = try Pipe.make()
        try runLoop { loop in
            var tokens: [WatchToken] = []
            for (number, pipe) in pipes.enumerated() {
                tokens.append(
                    try loop.watch(pipe.reading.raw, for: .read) { _ in
                        called.append("old \(number)")
                        let other = 1 - number
                        loop.unwatch(tokens[number])
                        loop.unwatch(tokens[other])
                        // The other's number now leads to a pipe that has nothing to read.
                        let raw = pipes[other].reading.raw
                        dup2(fresh.reading.raw, raw)
                        #expect(throws: Never.self) {
                            try loop.watch(raw, for: .read) { _ in called.append("new") }
                        }
                        loop.requestEndOfTurn()
                    })
            }
            loop.atEndOfTurn { loop.stop() }
        }
        #expect(called.count == 1)
        #expect(called.first?.hasPrefix("old") == true)
    }

    @Test("a token of an ended watch changes nothing about the next watch of that number")
    func staleToken() throws {
        let pipe = try Pipe.make()
        write("x", to: pipe.writing)
        try runLoop { loop in
            let stale = try loop.watch(pipe.reading.raw, for: .read) { _ in Issue.record("an ended watch was called") }
            loop.unwatch(stale)
            try loop.watch(pipe.reading.raw, for: .read) { _ in loop.stop() }
            loop.unwatch(stale)
            try loop.update(stale, [])
        }
    }

    @Test("a descriptor is watched once, an impossible one not at all")
    func refused() throws {
        let loop = try EventLoop()
        let pipe = try Pipe.make()
        let handler: (Readiness) -> Void = { _ in }
        func code(_ descriptor: Int32, _ interest: Interest) -> Int32 {
            do {
                try loop.watch(descriptor, for: interest, handler: handler)
                return 0
            } catch {
                return error.code
            }
        }
        #expect(code(pipe.reading.raw, .read) == 0)
        #expect(code(pipe.reading.raw, .read) == EEXIST)
        #expect(code(pipe.reading.raw, []) == EEXIST)
        #expect(code(pipe.writing.raw, []) == 0)
        #expect(code(pipe.writing.raw, .write) == EEXIST)
        #expect(code(-1, .read) == EBADF)
        let folder = TemporaryFolder()
        folder.write("x", to: "file")
        let file = OwnedDescriptor(open(folder.file("file"), O_RDONLY | O_CLOEXEC))
        #expect(code(file.raw, .read) == EPERM)
    }

    @Test("more descriptors than one batch holds are all served")
    func many() throws {
        let pipes = try (0..<300).map { _ in try Pipe.make() }
        var served = Set<Int>()
        try runLoop { loop in
            for (number, pipe) in pipes.enumerated() {
                write("x", to: pipe.writing)
                try loop.watch(pipe.reading.raw, for: .read) { _ in
                    var byte: UInt8 = 0
                    read(pipe.reading.raw, &byte, 1)
                    served.insert(number)
                    if served.count == pipes.count { loop.stop() }
                }
            }
        }
        #expect(served.count == 300)
    }

    @Test("the end of a turn comes once, after everything that was ready")
    func endOfTurn() throws {
        let pipes = try (0..<5).map { _ in try Pipe.make() }
        for pipe in pipes { write("x", to: pipe.writing) }
        var log: [String] = []
        try runLoop { loop in
            for pipe in pipes {
                try loop.watch(pipe.reading.raw, for: .read) { _ in
                    var byte: UInt8 = 0
                    read(pipe.reading.raw, &byte, 1)
                    log.append("read")
                    loop.requestEndOfTurn()
                }
            }
            let timer = try loop.makeTimer(clock: .awake) { log.append("timer") }
            timer.arm(atMilliseconds: 0)
            loop.atEndOfTurn {
                log.append("end")
                timer.disarm()
                if log.count(where: { $0 == "end" }) == 2 { loop.stop() } else { loop.requestEndOfTurn() }
            }
        }
        #expect(log.sorted() == ["end", "end"] + Array(repeating: "read", count: 5) + ["timer"])
        #expect(log.suffix(2) == ["end", "end"])
    }

    @Test("a flood of events does not put the end of a turn off for ever")
    func flood() throws {
        let pipe = try Pipe.make()
        write("x", to: pipe.writing)
        var batches = 0
        try runLoop { loop in
            // Nobody reads the byte, so that the descriptor is always ready.
            try loop.watch(pipe.reading.raw, for: .read) { _ in
                batches += 1
                if batches == 1 { loop.requestEndOfTurn() }
                if batches == 1000 { loop.stop() }
            }
            loop.atEndOfTurn { loop.stop() }
        }
        #expect(batches > 1)
        #expect(batches < 100)
    }
}
