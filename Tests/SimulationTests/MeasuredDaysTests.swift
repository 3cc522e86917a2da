import Scheduling
import Simulation
import Testing

@Suite("Days like those that were measured, and lives that are known")
struct MeasuredDaysTests {
    /// The median over some seeds of what is counted in a life.
    private static func median(
        _ name: String, seeds: ClosedRange<UInt64> = 1...15, _ count: (DeviceReport) -> Int
    ) throws -> Int {
        let scenario = try DeviceDayTests.scenario(name)
        let counts = seeds.map { seed in
            VirtualDay.live(scenario, seed: seed).map(count).reduce(0, +)
        }
        return counts.sorted()[counts.count / 2]
    }

    /// The days on which a task ran, counted from 1.
    private static func days(_ report: DeviceReport, task: Int) -> [Int] {
        report.lane.tasks[task].grants.map { Int(report.start.duration(to: $0.startedAt) / .days(1)) + 1 }
    }

    private static func grants(_ report: DeviceReport) -> Int {
        report.lane.tasks.map(\.grants.count).reduce(0, +)
    }

    @Test("a quiet day has 2 refreshes and 11 wakes, a busy one 9 and 42, within 1 and a fifth")
    func measured() throws {
        for (name, grants, wakes) in [("quiet-day", 2, 11), ("busy-day", 9, 42)] {
            let granted = try Self.median(name, Self.grants)
            let woken = try Self.median(name) { $0.wakes.count }
            #expect(abs(granted - grants) <= 1, "\(name): \(granted) grants")
            #expect(abs(woken - wakes) * 5 <= wakes, "\(name): \(woken) wakes")
        }
    }

    @Test("a plain week, to which nothing was fitted, lies between seven quiet days and seven busy ones")
    func plainWeek() throws {
        let granted = try Self.median("plain-week", seeds: 1...3, Self.grants)
        let woken = try Self.median("plain-week", seeds: 1...3) { $0.wakes.count }
        #expect((14...63).contains(granted), "\(granted) grants")
        #expect((77...294).contains(woken), "\(woken) wakes")
    }

    @Test("they differ in what is done with the phone, and in nothing else")
    func sameApp() throws {
        let (quiet, busy) = (try DeviceDayTests.scenario("quiet-day"), try DeviceDayTests.scenario("busy-day"))
        #expect(quiet.apps == busy.apps)
        #expect(quiet.devices == busy.devices)
        #expect(quiet.events != busy.events)
    }

    @Test("an app that nobody opens decays, and an open restores it", arguments: [1, 2, 3])
    func absence(seed: UInt64) throws {
        let report = try #require(VirtualDay.live(try DeviceDayTests.scenario("absence"), seed: seed).first)
        let days = Self.days(report, task: 0)
        #expect(days.count { $0 <= 2 } >= 4, "\(days)")
        #expect(days.count { (9...15).contains($0) } <= 1, "\(days)")
        #expect(!days.contains(16), "\(days)")
        #expect(days.contains(17), "\(days)")
        #expect(days.count { $0 >= 23 } >= 4, "\(days)")
        let processing = Self.days(report, task: 1)
        #expect(processing.count { $0 <= 2 } >= 16, "\(processing)")
        #expect(processing.count { (8...9).contains($0) } <= 5, "\(processing)")
        #expect(!processing.contains { (13...16).contains($0) }, "\(processing)")
        #expect(processing.count { $0 >= 23 } >= 14, "\(processing)")
    }

    @Test("processing of an app that nobody opens peters out, and an open restores it", arguments: [1, 2, 3])
    func absenceOfProcessing(seed: UInt64) throws {
        var scenario = try DeviceDayTests.scenario("absence")
        var cleanup = ScenarioTask(TaskIdentifier(checked: "com.example.feed.cleanup"), kind: .processing)
        cleanup.submissions = [SubmissionRule.Trigger.launch, .run].map {
            SubmissionRule(when: $0, after: .hours(1), ifPending: .keepEarlier)
        }
        scenario.apps[0].tasks.append(cleanup)
        let report = try #require(VirtualDay.live(scenario, seed: seed).first)
        let days = try #require(report.lane.tasks.first { $0.identifier == cleanup.identifier.text }).grants.map {
            run in
            Int(report.start.duration(to: run.startedAt) / .days(1)) + 1
        }
        let (first, middle) = (days.count { (1...3).contains($0) }, days.count { (7...9).contains($0) })
        let (last, restored) = (days.count { (14...16).contains($0) }, days.count { $0 >= 17 })
        #expect(first > middle && middle > last && last <= 1 && restored > last, "\(days)")
    }

    @Test("an app that moves its request later on every event never runs; its repaired twin runs every 30 minutes")
    func postponing() throws {
        let wrong = try #require(VirtualDay.live(try DeviceDayTests.scenario("postponing-app")).first)
        #expect(wrong.lane.tasks[0].grants.isEmpty)
        #expect(wrong.diagnostics.contains { $0.name == .postponed })
        let repaired = try #require(VirtualDay.live(try DeviceDayTests.scenario("postponing-app-repaired")).first)
        #expect(repaired.lane.tasks[0].grants.count == 48)
        #expect(!repaired.diagnostics.contains { $0.name == .postponed })
    }
}
