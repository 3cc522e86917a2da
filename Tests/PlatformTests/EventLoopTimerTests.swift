import Glibc
import Platform
import SystemPlatform
import Testing

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
