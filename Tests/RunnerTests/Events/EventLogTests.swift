import RPC
import Scheduling
import Testing

@testable import Runner

@Suite("The log of events")
struct EventLogTests {
    private var now = VirtualClock.start

    private func passed(_ milliseconds: Int64) -> Moment {
        var moment = now
        moment.wall = moment.wall.advanced(by: .milliseconds(milliseconds))
        moment.boot = moment.boot.advanced(by: .milliseconds(milliseconds))
        return moment
    }

    private func run(_ number: Int64 = 1, progress: Double? = nil, state: RunState = .running) -> RunRecord {
        let request = PendingRequest(
            identifier: EventFixture.refresh, app: EventFixture.app, kind: .appRefresh, submittedAt: now.wall,
            submittedBoot: now.boot, bootIdentifier: BootIdentifier("boot"), submission: number)
        var record = RunRecord(
            run: RunIdentifier(number), request: request, origin: .scheduled, attempt: 1, state: state,
            startedAt: now.wall, startedBoot: now.boot)
        record.progress = progress.map { RunProgress(fraction: $0) }
        return record
    }

    private func fractions(_ log: EventLog, after place: Int64 = 0) -> [Double] {
        log.events(after: place).compactMap { event in
            guard case .notice(.progressed(let run)) = event.body else { return nil }
            return run.progress?.fraction
        }
    }

    @Test("events are numbered from 1 on, and the last 4,096 are kept")
    func ring() {
        var log = EventLog()
        #expect(log.oldestPlace == 0)
        for _ in 0..<4_096 { log.record(.phaseChanged(.running), at: now) }
        #expect(log.oldestPlace == 0)
        #expect(Array(log.events(after: 0)).map(\.sequence) == Array(1...4_096))
        for _ in 0..<10 { log.record(.phaseChanged(.draining), at: now) }
        #expect(log.sequence == 4_106)
        #expect(log.oldestPlace == 10)
        #expect(Array(log.events(after: 10)).map(\.sequence) == Array(11...4_106))
        #expect(Array(log.events(after: 4_104)).map(\.sequence) == [4_105, 4_106])
        #expect(Array(log.events(after: 4_106)).isEmpty)
        #expect(Array(log.events(after: -5)).count == 4_096)
    }

    @Test("each event is handed out once, in order, and what nobody wanted is not handed out later")
    func delivery() {
        var log = EventLog()
        log.record(.phaseChanged(.running), at: now)
        log.skipDelivery()
        log.record(.phaseChanged(.draining), at: now)
        log.record(.phaseChanged(.draining), at: now)
        var handedOut: [Int64] = []
        while let event = log.nextUndelivered() { handedOut.append(event.sequence) }
        #expect(handedOut == [2, 3])
    }

    @Test("progress goes out twice a second and run at most, and the last value always comes")
    func progress() {
        var log = EventLog()
        log.record(.progressed(run(progress: 0.1)), at: now)
        log.record(.progressed(run(progress: 0.2)), at: passed(100))
        log.record(.progressed(run(progress: 0.3)), at: passed(499))
        log.record(.progressed(run(2, progress: 0.9)), at: passed(499))
        #expect(fractions(log) == [0.1, 0.9])
        #expect(log.deadline == passed(500).boot)
        log.recordDue(at: passed(499))
        #expect(fractions(log) == [0.1, 0.9])
        log.recordDue(at: passed(500))
        #expect(fractions(log) == [0.1, 0.9, 0.3])
        #expect(log.deadline == nil)
        // The time counts from what went out last.
        log.record(.progressed(run(progress: 0.4)), at: passed(999))
        #expect(fractions(log) == [0.1, 0.9, 0.3])
        log.record(.progressed(run(progress: 0.5)), at: passed(1_000))
        #expect(fractions(log) == [0.1, 0.9, 0.3, 0.5])
        #expect(log.deadline == nil)
    }

    @Test("held progress comes before the run's expiration and its end", arguments: [false, true])
    func progressBeforeTheEnd(expires: Bool) {
        var log = EventLog()
        log.record(.progressed(run(progress: 0.1)), at: now)
        log.record(.progressed(run(progress: 0.2)), at: passed(1))
        let last: Notice = expires ? .expiring(run(state: .expiring)) : .ended(run(state: .succeeded))
        log.record(last, at: passed(2))
        #expect(Array(log.events(after: 0)).map(\.type) == [.progress, .progress, expires ? .expiring : .ended])
        #expect(fractions(log) == [0.1, 0.2])
        #expect(log.deadline == nil)
    }

    @Test("lines are told of twice a second at most, by the cursor of the first that nobody was told of")
    func lines() throws {
        var log = EventLog()
        for line in 0..<5 {
            _ = log.recordLine(
                at: LogPosition(run: RunIdentifier(1), offset: line), of: EventFixture.app,
                now: passed(Int64(line) * 10), identifier: { EventFixture.refresh })
        }
        log.recordDue(at: passed(500))
        log.recordDue(at: passed(2_000))
        let offsets = log.events(after: 0).compactMap { event -> Int? in
            guard case .logged(let position, _, _) = event.body else { return nil }
            return position.offset
        }
        #expect(offsets == [0, 1])
        // A run that nobody knows has no events.
        let isNews = log.recordLine(
            at: LogPosition(run: RunIdentifier(9), offset: 0), of: EventFixture.app, now: passed(3_000),
            identifier: { nil })
        #expect(!isNews)
        #expect(log.sequence == 2)
    }

    @Test("lines of an app that belong to no run are told of too, at the pace of each app, and name no task")
    func linesOfApps() throws {
        var log = EventLog()
        let other = try AppIdentifier("com.example.other")
        for line in 0..<4 {
            for app in [EventFixture.app, other] {
                _ = log.recordLine(
                    at: .line(Int64(line) + 7), of: app, now: passed(Int64(line) * 10), identifier: { nil })
            }
        }
        log.recordDue(at: passed(500))
        log.recordDue(at: passed(2_000))
        let events = log.events(after: 0).map { String(decoding: $0.members, as: UTF8.self) }
        #expect(events.count == 4)
        #expect(events[0].hasSuffix(#""type":"logged","app":"com.example.app","data":{"cursor":"0.7"}"#), "\(events)")
        #expect(events.map { $0.contains(#""cursor":"0.8""#) } == [false, false, true, true])
        #expect(events.map { $0.contains("com.example.other") }.filter { $0 }.count == 2)
    }

    @Test("the pace of runs that say nothing any more is forgotten")
    func manyRuns() {
        var log = EventLog()
        for number in 1...1_000 {
            log.record(.progressed(run(Int64(number), progress: 0.5)), at: passed(Int64(number) * 1_000))
            log.record(.progressed(run(Int64(number), progress: 0.6)), at: passed(Int64(number) * 1_000 + 1))
            log.recordDue(at: passed(Int64(number) * 1_000 + 500))
        }
        #expect(log.sequence == 2_000)
        #expect(log.deadline == nil)
    }
}

enum EventFixture {
    static let app = EngineFixture.app
    static let refresh = EngineFixture.refresh
}
