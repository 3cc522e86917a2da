import Platform
import Scheduling
import Storage
import SystemPlatform

@testable import Runner

/// An engine with virtual clocks, a store that can be held or broken, and a host that only notes its orders.
final class EngineFixture: Sendable {
    static let app = try! AppIdentifier("com.example.app")
    static let refresh = try! TaskIdentifier("com.example.app.refresh")
    static let clean = try! TaskIdentifier("com.example.app.clean")

    let clock = VirtualClock()
    let store: HeldStore
    let engine: Engine
    let host = NotingHost()
    private let turns = TurnEnds()
    private let thread: NamedThread

    init(
        memory: MemoryStore = MemoryStore(), policy: Policy = .prompt, failing: StoreFailure? = nil
    ) throws {
        let store = HeldStore(memory)
        store.fail(failing)
        self.store = store
        let loop = try EventLoop()
        let start = StartFacts(
            bootIdentifier: BootIdentifier("boot"), osVersion: "test 1", runnerVersion: "1", utcOffsetSeconds: 0)
        let options = EngineOptions(policy: policy, start: start, version: "1")
        let scheduler = Scheduler(
            policy: policy, contents: try memory.load(), boot: start.bootIdentifier, at: clock.now())
        engine = try Engine(
            loop: loop, clock: clock, store: store, scheduler: scheduler, storeReport: memory.report(),
            options: options)
        let (host, turns) = (host, turns)
        engine.assumeIsolated { engine in
            engine.setFallbackHost(host)
            engine.start()
            // After the engine's own, which commits.
            loop.atEndOfTurn { turns.end() }
            engine.feed(.appLoaded(Self.description))
            engine.feed(.loadingFinished)
        }
        thread = try loop.runOnOwnThread(name: "engine-test")
    }

    deinit {
        engine.loop.stop()
        thread.join()
    }

    static let description = AppDescription(
        app: app, host: .commands, permitted: [.exact(refresh), .exact(clean)], modes: [.fetch, .processing],
        tasks: [
            TaskSettings(identifier: refresh, kind: .appRefresh, hasCommand: true),
            TaskSettings(identifier: clean, kind: .processing, hasCommand: true),
        ])

    /// Returns when the loop has done everything that was there before, and what followed from it: each turn may end
    /// with a commit, whose completion belongs to the next.
    func settle() async {
        for _ in 0..<5 { await engine.endOfTurn(turns) }
    }

    func submit(_ identifier: TaskIdentifier = refresh, after delay: Duration? = nil) async -> Engine.Answer {
        let floor = delay.map { clock.now().wall.advanced(by: $0) }
        let request = TaskRequest(identifier: identifier, floor: floor)
        return await engine.answer { .requestSubmitted(request, SubmissionOptions(), call: $0) }
    }

    /// Begins a call whose answer may come much later.
    func begin(_ event: @escaping @Sendable (CallIdentifier) -> Event) async -> Pending {
        let pending = Pending()
        await engine.begin(pending, event)
        return pending
    }

    func advance(by duration: Duration) async {
        clock.advance(by: duration)
        await engine.timePassed()
        await settle()
    }

    func feed(_ event: Event) async {
        await engine.feed(event)
        await settle()
    }
}

/// An answer that a test looks at when it likes.
final class Pending: Sendable {
    private let answer = Locked<Engine.Answer?>(nil)

    var value: Engine.Answer? { answer.withLock { $0 } }
    var isAnswered: Bool { value != nil }

    func set(_ value: Engine.Answer) { answer.withLock { $0 = value } }
}

/// Who waits for the end of a loop's turn.
final class TurnEnds: Sendable {
    private let waiting = Locked<[CheckedContinuation<Void, Never>]>([])

    func add(_ continuation: CheckedContinuation<Void, Never>) {
        waiting.withLock { $0.append(continuation) }
    }

    func end() {
        let ended = waiting.withLock { waiting in
            defer { waiting = [] }
            return waiting
        }
        for continuation in ended { continuation.resume() }
    }
}

extension Engine {
    /// Returns when all that is ready now has been handled.
    func endOfTurn(_ turns: TurnEnds) async {
        await withCheckedContinuation { continuation in
            turns.add(continuation)
            loop.requestEndOfTurn()
        }
    }

    func begin(_ pending: Pending, _ event: (CallIdentifier) -> Event) {
        call({ pending.set($0) }, event)
    }
}

extension Engine.Answer {
    var refusal: Refusal.Kind? {
        switch self {
        case .reply(.refused(let refusal)): refusal.kind
        case .void: .storeUnavailable
        case .reply: nil
        }
    }
}

/// Notes what it is told to do; tests say what becomes of it.
final class NotingHost: HandlerHost, Sendable {
    enum Order: Hashable {
        case launch(RunIdentifier, TaskIdentifier, attempt: Int)
        case expire(RunIdentifier, ExpirationReason)
        case terminate(RunIdentifier)
    }

    private let noted = Locked<[Order]>([])

    var orders: [Order] { noted.withLock { $0 } }
    var launches: [RunIdentifier] {
        orders.compactMap { if case .launch(let run, _, _) = $0 { run } else { nil } }
    }

    func launch(_ order: LaunchOrder) {
        noted.withLock { $0.append(.launch(order.run, order.identifier, attempt: order.attempt)) }
    }

    func expire(_ run: RunIdentifier, reason: ExpirationReason, grace: Duration) {
        noted.withLock { $0.append(.expire(run, reason)) }
    }

    func settle() {}

    func terminate(_ run: RunIdentifier) {
        noted.withLock { $0.append(.terminate(run)) }
    }
}
