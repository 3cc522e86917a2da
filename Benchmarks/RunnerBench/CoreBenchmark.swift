import Glibc
import Platform
import Scheduling

/// The scheduler alone: what a pending request costs, in memory and in time.
struct CoreBenchmark {
    let count: Int
    private var random = RandomNumbers()
    private var now = Moment(
        wall: WallTime(milliseconds: 1_700_000_000_000), boot: BootTime(milliseconds: 1_000),
        awake: AwakeTime(milliseconds: 1_000))
    private let boot = BootIdentifier("3a1c9d52-4f0e-4b1e-9a57-2f8f4c6f7a10")

    init(count: Int) {
        self.count = count
    }

    func run() throws -> Figures {
        var copy = self
        return try copy.measure()
    }

    private mutating func measure() throws -> Figures {
        var figures = Figures()
        var scheduler = try emptyScheduler()
        let before = residentBytes()
        try register(in: &scheduler)
        let registered = residentBytes()
        figures.add("submit", submitAll(to: &scheduler))
        let pending = residentBytes()
        figures.add("bytes", Double(pending - before) / Double(count))
        figures.add("bytesOfRequest", Double(pending - registered) / Double(count))
        figures.add("replace", replaceSome(in: &scheduler))
        figures.add("cancel", cancelSome(in: &scheduler))
        figures.add("wake", wakeSome(in: &scheduler))
        return figures
    }

    // MARK: - Setting up

    private func emptyScheduler() throws -> Scheduler {
        var policy = Policy.prompt
        policy.limits = RequestLimits(
            name: "none", refreshPerApp: nil, processingPerApp: nil, allPerApp: nil, inAll: nil)
        policy.concurrency = .max
        var scheduler = Scheduler(policy: policy, boot: boot, at: now)
        let app = try AppIdentifier(BenchProgram.app)
        let start = StartFacts(bootIdentifier: boot, osVersion: "1", runnerVersion: "1", utcOffsetSeconds: 0)
        let description = AppDescription(
            app: app, host: .embedded, permitted: [.prefix(BenchProgram.app + ".")], modes: [.fetch])
        _ = scheduler.handle(.started(start), at: now)
        _ = scheduler.handle(.appLoaded(description), at: now)
        return scheduler
    }

    private func register(in scheduler: inout Scheduler) throws {
        let app = try AppIdentifier(BenchProgram.app)
        for number in 0..<count {
            let registration = HandlerRegistration(
                identifier: identifier(number).text, app: app, kind: nil, origin: "bench.swift:1")
            _ = scheduler.handle(.handlerRegistered(registration, call: CallIdentifier(0)), at: now)
        }
        _ = scheduler.handle(.launchFinished(app), at: now)
        _ = scheduler.handle(.loadingFinished, at: now)
    }

    // MARK: - Measuring

    private mutating func submitAll(to scheduler: inout Scheduler) -> Double {
        var watch = Stopwatch()
        for number in 0..<count { submit(number, to: &scheduler, &watch) }
        return watch.microseconds
    }

    private mutating func replaceSome(in scheduler: inout Scheduler) -> Double {
        var watch = Stopwatch()
        for _ in 0..<min(max(count, 20_000), 200_000) { submit(random.next(below: count), to: &scheduler, &watch) }
        return watch.microseconds
    }

    private mutating func cancelSome(in scheduler: inout Scheduler) -> Double {
        var watch = Stopwatch()
        var ignored = Stopwatch()
        for _ in 0..<min(max(count, 20_000), 100_000) {
            let number = random.next(below: count)
            let event = Event.requestCancelled(identifier(number), by: nil, call: CallIdentifier(1))
            watch.start()
            _ = scheduler.handle(event, at: now)
            watch.stop()
            submit(number, to: &scheduler, &ignored)
        }
        return watch.microseconds
    }

    /// Each wake finds one request whose floor has passed, and claims it.
    private mutating func wakeSome(in scheduler: inout Scheduler) -> Double {
        var watch = Stopwatch()
        for _ in 0..<min(count / 2, 50_000) {
            guard let wall = scheduler.nextWakeup.wall else { break }
            advance(to: wall)
            watch.start()
            let effects = scheduler.handle(.timePassed, at: now)
            watch.stop()
            for case .launch(let order) in effects {
                _ = scheduler.handle(.handlerEntered(order.run, nil), at: now)
                _ = scheduler.handle(.runCompleted(order.run, .succeeded, message: nil, call: nil), at: now)
                _ = scheduler.handle(.handlerReturned(order.run), at: now)
            }
        }
        return watch.microseconds
    }

    private mutating func submit(_ number: Int, to scheduler: inout Scheduler, _ watch: inout Stopwatch) {
        // So far apart that hardly two share a millisecond.
        let floor = now.wall.milliseconds + 1_000 + Int64(random.next(below: 1_000_000_000))
        let request = TaskRequest(identifier: identifier(number), floor: WallTime(milliseconds: floor))
        let event = Event.requestSubmitted(request, SubmissionOptions(), call: CallIdentifier(1))
        watch.start()
        let effects = scheduler.handle(event, at: now)
        watch.stop()
        precondition(effects.contains { if case .persist(.putRequest) = $0 { true } else { false } }, "refused")
    }

    private mutating func advance(to wall: WallTime) {
        let passed = wall.milliseconds - now.wall.milliseconds
        now = Moment(
            wall: wall, boot: BootTime(milliseconds: now.boot.milliseconds + passed),
            awake: AwakeTime(milliseconds: now.awake.milliseconds + passed))
    }

    /// Made anew each time, so that the scheduler owns the only lasting copy.
    private func identifier(_ number: Int) -> TaskIdentifier {
        TaskIdentifier(checked: "com.example.bench.task\(number)")
    }

    private func residentBytes() -> Int {
        guard let file = fopen("/proc/self/statm", "r") else { return 0 }
        defer { fclose(file) }
        var line = [UInt8](repeating: 0, count: 128)
        let count = fread(&line, 1, line.count, file)
        let pages = String(decoding: line[..<count], as: UTF8.self).split(separator: " ").dropFirst().first
        return (pages.flatMap { Int($0) } ?? 0) * sysconf(Int32(_SC_PAGESIZE))
    }
}

/// Numbers that are the same in every run.
struct RandomNumbers {
    private var state: UInt64 = 0x9E37_79B9_7F4A_7C15

    mutating func next(below limit: Int) -> Int {
        state ^= state << 13
        state ^= state >> 7
        state ^= state << 17
        return Int(state % UInt64(limit))
    }
}
