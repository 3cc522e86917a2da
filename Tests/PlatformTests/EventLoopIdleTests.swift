import Glibc
import Platform
import SystemPlatform
import Testing

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
        // A loop that polls does so in every window. What is left of the job above, or the kernel that makes the thread
        // wait for memory while other tests run, disturbs one or two.
        let quiet = try (1...5).contains { _ in
            let before = try #require(switches())
            _ = becomesReadable(silence.reading.raw, within: 2000)
            return try #require(switches()) == before
        }
        #expect(quiet)
        let before = try #require(switches())
        // The count does grow when the loop wakes.
        _ = await Pinned(runner.loop).threadIdentifier()
        _ = becomesReadable(silence.reading.raw, within: 200)
        #expect(try #require(switches()) > before)
        runner.stop()
    }
}
