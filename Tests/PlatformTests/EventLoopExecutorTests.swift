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
