import Platform
import Scheduling
import Storage
import Testing

@testable import Runner

@Suite("Hosts that answer at once", .timeLimit(.minutes(1)))
struct ReentrancyTests {
    /// Answers within `launch` and `expire`, before the engine has done its other effects.
    ///
    /// Unchecked because `report` is set once, before anything is launched.
    private final class EagerHost: HandlerHost, @unchecked Sendable {
        var report: (Event) -> Void = { _ in }
        private let body: (LaunchOrder) -> [Event]
        private let orders = Locked<[LaunchOrder]>([])

        var launches: [LaunchOrder] { orders.withLock { $0 } }

        init(_ body: @escaping (LaunchOrder) -> [Event]) {
            self.body = body
        }

        func launch(_ order: LaunchOrder) {
            orders.withLock { $0.append(order) }
            for event in body(order) { report(event) }
        }

        func expire(_ run: RunIdentifier, reason: ExpirationReason, grace: Duration) {
            report(.processExited(run, .signal(15)))
        }

        func settle() {}

        func terminate(_ run: RunIdentifier) {}
    }

    private func fixture(
        policy: Policy = .prompt, _ body: @escaping @Sendable (LaunchOrder) -> [Event]
    ) async throws -> (EngineFixture, EagerHost) {
        let fixture = try EngineFixture(policy: policy)
        let host = EagerHost(body)
        await fixture.engine.use(host) { $0.report = $1 }
        return (fixture, host)
    }

    @Test("a run that is over within its launch ends once, and the next goes on")
    func endsAtOnce() async throws {
        let (fixture, host) = try await fixture { [.handlerEntered($0.run, nil), .processExited($0.run, .code(0))] }
        for _ in 0..<3 {
            _ = await fixture.submit()
            _ = await fixture.submit(EngineFixture.clean)
            await fixture.settle()
        }
        #expect(host.launches.count == 6)
        for order in host.launches {
            #expect(try fixture.store.memory.run(order.run)?.state == .succeeded)
        }
        #expect(await fixture.engine.scheduler.runningCount == 0)
    }

    @Test("a start that fails within its launch gives the request back, three times in all (B22)")
    func failsAtOnce() async throws {
        let (fixture, host) = try await fixture { [.startFailed($0.run, reason: "no such file")] }
        _ = await fixture.submit()
        await fixture.settle()
        #expect(await fixture.engine.scheduler.pending(EngineFixture.refresh)?.attempts == 1)
        await fixture.advance(by: .seconds(10))
        #expect(await fixture.engine.scheduler.pending(EngineFixture.refresh)?.attempts == 2)
        await fixture.advance(by: .seconds(20))
        #expect(await fixture.engine.scheduler.pending(EngineFixture.refresh) == nil)
        #expect(host.launches.map(\.attempt) == [1, 2, 3])
        let last = try #require(host.launches.last)
        #expect(try fixture.store.memory.run(last.run)?.state == .crashed)
    }

    @Test("an exit that is reported within the expiration is the run's end")
    func exitsAtOnce() async throws {
        let (fixture, host) = try await fixture { [.handlerEntered($0.run, nil)] }
        _ = await fixture.submit()
        await fixture.settle()
        let answer = await fixture.engine.answer { .stopAsked(identifier: EngineFixture.refresh, run: nil, call: $0) }
        await fixture.settle()
        guard case .reply(.run(let run)) = answer else {
            Issue.record("stop gave no run")
            return
        }
        #expect(run.state == .expiring)
        let launched = try #require(host.launches.first)
        #expect(try fixture.store.memory.run(launched.run)?.state == .cancelled)
    }

    @Test("a recurrence whose run ends within its launch is armed before and stays armed (B38)")
    func recurrences() async throws {
        let (fixture, host) = try await fixture { [.handlerEntered($0.run, nil), .processExited($0.run, .code(1))] }
        let identifier = try TaskIdentifier("com.example.cron.tick")
        await fixture.feed(
            .appLoaded(
                AppDescription(
                    app: try AppIdentifier("com.example.cron"), host: .commands, permitted: [.exact(identifier)],
                    modes: [.processing],
                    tasks: [
                        TaskSettings(
                            identifier: identifier, kind: .processing, every: .minutes(15), hasCommand: true)
                    ])))
        let start = VirtualClock.start.wall
        #expect(await fixture.engine.scheduler.pending(identifier)?.floor == start.advanced(by: .minutes(1)))
        await fixture.advance(by: .minutes(1))
        #expect(host.launches.count == 1)
        #expect(await fixture.engine.scheduler.pending(identifier)?.floor == start.advanced(by: .minutes(16)))
        for _ in 0..<8 { await fixture.advance(by: .minutes(15)) }
        #expect(host.launches.count == 9)
        #expect(host.launches.allSatisfy { $0.attempt == 1 && $0.origin == .scheduled })
        // Two hours of sleep are made up for once, not eight times.
        await fixture.advance(by: .hours(2))
        #expect(host.launches.count == 10)
    }
}

extension Engine {
    fileprivate func use<Host: HandlerHost & Sendable>(
        _ host: Host, _ connect: @Sendable (Host, @escaping (Event) -> Void) -> Void
    ) {
        setFallbackHost(host)
        connect(host) { [weak self] event in self?.assumeIsolated { $0.feed(event) } }
    }
}
