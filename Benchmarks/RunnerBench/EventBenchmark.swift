import Platform
import Runner
import Scheduling
import Storage
import SystemPlatform

/// What an event costs while nobody subscribes, beside the scheduling that it tells of.
struct EventBenchmark {
    let count: Int
    private let boot = BootIdentifier("3a1c9d52-4f0e-4b1e-9a57-2f8f4c6f7a10")

    func run() throws -> Figures {
        let start = StartFacts(bootIdentifier: boot, osVersion: "1", runnerVersion: "1", utcOffsetSeconds: 0)
        let state = try OpenedState(memory: MemoryStore())
        defer { state.store.stop() }
        let loop = try EventLoop()
        let clock = try LoopClock(on: loop)
        let engine = try Engine(
            loop: loop, clock: clock, store: state.store,
            scheduler: Scheduler(policy: .prompt, boot: boot, at: clock.now()), storeReport: state.report,
            options: EngineOptions(policy: .prompt, start: start, version: "bench"))
        let work = try Work(start: start, at: clock.now())
        return engine.assumeIsolated { measure(work, $0) }
    }

    /// The scheduler is one of our own, so that nothing but the events reaches the engine.
    private func measure(_ work: Work, _ engine: isolated Engine) -> Figures {
        var (work, scheduling, telling) = (work, Stopwatch(), Stopwatch())
        var (events, notices) = (0, 0)
        while notices < count {
            let event = work.next()
            scheduling.start()
            let effects = work.scheduler.handle(event, at: work.now)
            scheduling.stop()
            events += 1
            for effect in effects {
                if case .launch(let order) = effect { work.launched(order.run) }
                guard case .publish(let notice) = effect else { continue }
                telling.start()
                engine.tell(notice, at: work.now)
                telling.stop()
                notices += 1
            }
        }
        var figures = Figures()
        figures.add("event", telling.microseconds)
        figures.add("scheduling", scheduling.microseconds * Double(events) / Double(notices))
        return figures
    }
}

/// One task that is submitted, runs and ends, again and again.
private struct Work {
    var scheduler: Scheduler
    private(set) var now: Moment
    private let identifier: TaskIdentifier
    private var waiting: [Event] = []

    init(start: StartFacts, at now: Moment) throws {
        self.now = now
        identifier = try TaskIdentifier(BenchProgram.app + ".task")
        scheduler = Scheduler(policy: .prompt, boot: start.bootIdentifier, at: now)
        let description = AppDescription(
            app: try AppIdentifier(BenchProgram.app), host: .commands, permitted: [.exact(identifier)], modes: [.fetch],
            tasks: [TaskSettings(identifier: identifier, kind: .appRefresh, hasCommand: true)])
        for event in [Event.started(start), .appLoaded(description), .loadingFinished] {
            _ = scheduler.handle(event, at: now)
        }
    }

    /// What happens next, a second later.
    mutating func next() -> Event {
        now = Moment(
            wall: now.wall.advanced(by: .seconds(1)), boot: now.boot.advanced(by: .seconds(1)),
            awake: AwakeTime(milliseconds: now.awake.milliseconds + 1_000))
        if let event = waiting.popLast() { return event }
        return .requestSubmitted(TaskRequest(identifier: identifier), SubmissionOptions(), call: CallIdentifier(1))
    }

    mutating func launched(_ run: RunIdentifier) {
        waiting = [.processExited(run, .code(0)), .handlerEntered(run, nil)]
    }
}
