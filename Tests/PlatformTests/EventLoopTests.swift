import Glibc
import Platform
import SystemPlatform
import Testing

@Suite("Event loop as executor")
struct EventLoopExecutorTests {
    @Test("an actor that is pinned to the loop runs on the loop's thread")
    func pinned() async throws {
        let runner = try LoopOnThread()
        let actor = Pinned(runner.loop)
        #expect(await actor.isOnLoop())
        #expect(await actor.threadIdentifier() == actor.threadIdentifier())
        #expect(!runner.loop.isOnLoop)
        runner.stop()
    }

    @Test("a callback of the loop enters the actor without a hop")
    func assumeIsolated() throws {
        let pipe = try Pipe.make()
        write("x", to: pipe.writing)
        try runLoop { loop in
            let actor = Pinned(loop)
            try loop.watch(pipe.reading.raw, for: .read) { _ in
                actor.assumeIsolated { $0.values.append(1) }
                #expect(actor.assumeIsolated { $0.values } == [1])
                loop.stop()
            }
        }
    }

    @Test("before it runs, the loop belongs to the thread that made it")
    func settingUp() throws {
        let loop = try EventLoop()
        #expect(loop.isOnLoop)
        Pinned(loop).assumeIsolated { $0.values.append(1) }
        let elsewhere = Locked(true)
        let thread = try NamedThread(name: "other") {
            let isOnLoop = loop.isOnLoop
            elsewhere.withLock { $0 = isOnLoop }
        }
        thread.join()
        #expect(!elsewhere.withLock { $0 })
    }

    @Test("a thread that handed its loop over no longer owns it")
    func handedOver() throws {
        let runner = try LoopOnThread()
        #expect(!runner.loop.isOnLoop)
        runner.stop()
    }

    @Test("assuming isolation on another thread ends the process")
    func wrongThread() async {
        await #expect(processExitsWith: .failure) {
            let runner = try LoopOnThread()
            Pinned(runner.loop).appendHere(1)
        }
    }

    @Test("using the loop from another thread ends the process")
    func wrongThreadCall() async {
        await #expect(processExitsWith: .failure) {
            let runner = try LoopOnThread()
            runner.loop.requestEndOfTurn()
        }
    }

    @Test("jobs that one thread leaves run in the order in which they came")
    func order() async throws {
        let runner = try LoopOnThread()
        let loop = runner.loop
        let actor = Pinned(loop)
        let tasks = (0..<1000).map { number in
            Task(executorPreference: loop) {
                #expect(loop.isOnLoop)
                actor.appendHere(number)
            }
        }
        for task in tasks { await task.value }
        #expect(await actor.values == Array(0..<1000))
        runner.stop()
    }

    @Test("jobs of many threads all run")
    func manyThreads() async throws {
        let runner = try LoopOnThread()
        let actor = Pinned(runner.loop)
        await withTaskGroup(of: Void.self) { group in
            for number in 0..<500 { group.addTask { await actor.append(number) } }
        }
        #expect(await actor.values.sorted() == Array(0..<500))
        runner.stop()
    }

    @Test("jobs that were left before the loop ran are run")
    func beforeRunning() throws {
        try runLoop { loop in
            Task(executorPreference: loop) { loop.stop() }
        }
    }

    @Test("a job that always leaves another one starves nobody")
    func noStarvation() throws {
        try runLoop { loop in
            let timerFired = Locked(false)
            let turnEnded = Locked(false)
            Task(executorPreference: loop) {
                loop.requestEndOfTurn()
                while !timerFired.withLock({ $0 }) || !turnEnded.withLock({ $0 }) { await Task.yield() }
                loop.stop()
            }
            let timer = try loop.makeTimer(clock: .awake) { timerFired.withLock { $0 = true } }
            timer.arm(atMilliseconds: SystemClock.milliseconds(.awake) + 5)
            loop.atEndOfTurn {
                turnEnded.withLock { $0 = true }
                _ = timer.isArmed
            }
        }
    }

    @Test("what an actor leaves for itself in a callback is done before the next callback")
    func afterCallback() throws {
        let pipe = try Pipe.make()
        write("abc", to: pipe.writing)
        try runLoop { loop in
            let actor = Pinned(loop)
            var count = 0
            try loop.watch(pipe.reading.raw, for: .read) { _ in
                var byte: UInt8 = 0
                read(pipe.reading.raw, &byte, 1)
                count += 1
                #expect(actor.assumeIsolated { $0.values } == Array(1..<count))
                let number = count
                actor.assumeIsolated { $0.appendLater(number) }
                if count == 3 { loop.stop() }
            }
        }
    }

    @Test("a loop that was stopped before it ran ends at once")
    func stoppedEarly() throws {
        let loop = try EventLoop()
        loop.stop()
        loop.run()
    }

    @Test("a loop that is dropped frees what its callbacks kept")
    func dropped() throws {
        final class Canary {}
        weak var canary: Canary?
        do {
            let loop = try EventLoop()
            let strong = Canary()
            canary = strong
            let timer = try loop.makeTimer(clock: .awake) { _ = strong }
            timer.arm(atMilliseconds: 0)
            let pipe = try Pipe.make()
            try loop.watch(pipe.reading.raw, for: .read) { _ in _ = strong }
            loop.atEndOfTurn { _ = strong }
            try loop.onClockJump { _ = strong }
        }
        #expect(canary == nil)
    }

    @Test("a timer dropped on another thread is ended by the loop")
    func droppedElsewhere() throws {
        final class Canary: Sendable {}
        /// Carries the timer to the other thread, which only drops it.
        final class Box: @unchecked Sendable {
            var timer: LoopTimer?
        }
        weak var canary: Canary?
        let box = Box()
        try runLoop { loop in
            let strong = Canary()
            canary = strong
            box.timer = try loop.makeTimer(clock: .awake) { _ = strong }
            let thread = try NamedThread(name: "dropper") { box.timer = nil }
            thread.join()
            Task(executorPreference: loop) { loop.stop() }
        }
        #expect(canary == nil)
    }
}

@Suite("Event loop, timers")
struct EventLoopTimerTests {
    @Test("a timer calls once, and never before its clock shows the time", arguments: SystemClock.Clock.allCases)
    func notEarly(_ clock: SystemClock.Clock) throws {
        var fired: [(deadline: Int64, now: Int64)] = []
        try runLoop { loop in
            var timers: [LoopTimer] = []
            for delay in [30, 1, 20, 2, 10] as [Int64] {
                let deadline = SystemClock.milliseconds(clock) + delay
                let timer = try loop.makeTimer(clock: clock) {
                    fired.append((deadline, SystemClock.milliseconds(clock)))
                    if fired.count == 5 { loop.stop() }
                }
                timer.arm(atMilliseconds: deadline)
                timers.append(timer)
            }
            loop.atEndOfTurn { timers.removeAll() }
        }
        #expect(fired.count == 5)
        // Another test may set the wall clock back by some microseconds.
        for (deadline, now) in fired { #expect(now >= deadline - (clock == .wall ? 1 : 0)) }
    }

    @Test("a deadline that has passed fires at once", arguments: [0, -5, Int64.min])
    func past(_ deadline: Int64) throws {
        try runLoop { loop in
            let timer = try loop.makeTimer(clock: .boot) { loop.stop() }
            timer.arm(atMilliseconds: deadline)
            loop.atEndOfTurn { timer.disarm() }
        }
    }

    @Test("a deadline beyond all clocks never comes", arguments: [Int64.max, Int64.max / 1000 + 1])
    func never(_ deadline: Int64) throws {
        try runLoop { loop in
            let never = try loop.makeTimer(clock: .wall) { Issue.record("it came") }
            never.arm(atMilliseconds: deadline)
            #expect(never.isArmed)
            let soon = try loop.makeTimer(clock: .awake) {
                never.disarm()
                loop.stop()
            }
            soon.arm(atMilliseconds: SystemClock.milliseconds(.awake) + 5)
            loop.atEndOfTurn { soon.disarm() }
        }
    }

    @Test("a timer can be moved, disarmed, and armed again by its own handler")
    func rearming() throws {
        var count = 0
        try runLoop { loop in
            var timer: LoopTimer?
            let disarmed = try loop.makeTimer(clock: .awake) { Issue.record("a disarmed timer fired") }
            disarmed.arm(atMilliseconds: SystemClock.milliseconds(.awake) + 1)
            disarmed.disarm()
            #expect(!disarmed.isArmed)
            let repeating = try loop.makeTimer(clock: .awake) {
                count += 1
                #expect(timer?.isArmed == false)
                guard count < 3 else {
                    disarmed.disarm()
                    loop.stop()
                    return
                }
                timer?.arm(atMilliseconds: SystemClock.milliseconds(.awake) + 1)
            }
            timer = repeating
            repeating.arm(atMilliseconds: Int64.max)
            repeating.arm(atMilliseconds: SystemClock.milliseconds(.awake) + 1)
        }
        #expect(count == 3)
    }

    @Test("a clock that is set is told, each time", .enabled(if: hasCapability(25)))
    func clockJump() throws {
        /// Sets the clock to what it shows.
        func touchClock() {
            var now = timespec()
            clock_gettime(CLOCK_REALTIME, &now)
            clock_settime(CLOCK_REALTIME, &now)
        }
        var jumps = 0
        try runLoop { loop in
            try loop.onClockJump {
                jumps += 1
                if jumps < 3 { touchClock() } else { loop.stop() }
            }
            touchClock()
        }
        #expect(jumps == 3)
    }

    @Test("a blocked signal reaches its handler on the loop")
    func signals() throws {
        let received = Locked(0)
        let thread = try NamedThread(name: "signalled") {
            // The thread has all signals blocked, as the main thread of a daemon has.
            try? runLoop { loop in
                try loop.onSignal(SIGUSR1) {
                    #expect(loop.isOnLoop)
                    received.withLock { $0 += 1 }
                    loop.stop()
                }
                pthread_kill(pthread_self(), SIGUSR1)
            }
        }
        thread.join()
        #expect(received.withLock { $0 } == 1)
    }

    @Test("a signal that is not blocked is refused")
    func unblockedSignal() throws {
        let error = Locked<SystemError?>(nil)
        let thread = try NamedThread(name: "unblocked") {
            var none = sigset_t()
            sigemptyset(&none)
            pthread_sigmask(SIG_SETMASK, &none, nil)
            do throws(SystemError) {
                try EventLoop().onSignal(SIGUSR2) {}
            } catch let failure {
                error.withLock { $0 = failure }
            }
        }
        thread.join()
        #expect(error.withLock { $0?.code } == EBUSY)
    }
}

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

/// These wait for real time to pass, so that they can see that nothing happens.
@Suite("Event loop, over time")
struct EventLoopIdleTests {
    @Test("an idle loop never wakes, whatever it waits for")
    func idle() async throws {
        let pipe = try Pipe.make()
        let box = Locked(0 as Int32)
        let runner = try LoopOnThread { loop in
            for clock in SystemClock.Clock.allCases {
                let timer = try loop.makeTimer(clock: clock) {}
                timer.arm(atMilliseconds: SystemClock.milliseconds(clock) + 3_600_000)
                loop.atEndOfTurn { timer.disarm() }
            }
            try loop.watch(pipe.reading.raw, for: .read) { _ in }
            try loop.onClockJump {}
            Task(executorPreference: loop) { box.withLock { $0 = NamedThread.currentIdentifier } }
        }
        let thread = await Pinned(runner.loop).threadIdentifier()
        #expect(box.withLock { $0 } == thread)

        func switches() -> Int? {
            let text = readAll(OwnedDescriptor(open("/proc/self/task/\(thread)/status", O_RDONLY | O_CLOEXEC)))
            let line = text.split(separator: "\n").first { $0.hasPrefix("voluntary_ctxt_switches:") }
            return line?.split(separator: "\t").last.flatMap { Int($0) }
        }
        /// Nothing is to come from here; this only lets time pass.
        let silence = try Pipe.make()
        // The job above has to be over before counting begins.
        _ = becomesReadable(silence.reading.raw, within: 200)
        let before = try #require(switches())
        _ = becomesReadable(silence.reading.raw, within: 2000)
        #expect(switches() == before)
        // The count does grow when the loop wakes.
        _ = await Pinned(runner.loop).threadIdentifier()
        _ = becomesReadable(silence.reading.raw, within: 200)
        #expect(try #require(switches()) > before)
        runner.stop()
    }
}
