import Scheduling
import Testing

@testable import Simulation

@Suite("Statistics of lives")
struct StatisticsTests {
    @Test("each figure of a distribution is one of the numbers")
    func distribution() throws {
        #expect(Distribution([Int]()) == nil)
        let one = try #require(Distribution([7]))
        #expect([one.least, one.lowerQuartile, one.median, one.upperQuartile, one.most] == [7, 7, 7, 7, 7])
        let five = try #require(Distribution([50, 10, 40, 20, 30]))
        #expect([five.least, five.lowerQuartile, five.median, five.upperQuartile, five.most] == [10, 20, 30, 40, 50])
        let four = try #require(Distribution([4, 3, 2, 1]))
        #expect([four.least, four.lowerQuartile, four.median, four.upperQuartile, four.most] == [1, 1, 2, 3, 4])
    }

    private func report(_ starts: [Duration], seed: UInt64 = 1, problems: [String] = []) -> DeviceReport {
        let start = WallTime(milliseconds: 1_000)
        var lane = DeviceLane(name: "phone", policy: "apple")
        let requests = starts.enumerated().map { number, time in
            ChartRequest(
                submittedAt: start,
                outcome: .granted(
                    ChartRun(
                        number: Int64(number), startedAt: start.advanced(by: time), endedAt: nil, state: "succeeded")))
        }
        lane.tasks = [TaskLane(app: "a", identifier: "t", kind: "appRefresh", requests: requests)]
        var report = DeviceReport(
            seed: seed, start: start, end: start.advanced(by: .days(2)), utcOffsetSeconds: 0, lane: lane)
        report.problems = problems
        return report
    }

    @Test("a day counts once, and only what ran before the time of that day")
    func chances() throws {
        var statistics = LifeStatistics(days: 2, before: .hours(9))
        statistics.add([report([.hours(8), .hours(7), .hours(33)])])
        statistics.add([report([.hours(9), .hours(32)])])
        statistics.add([report([])])
        let task = try #require(statistics.devices.first?.tasks.first)
        #expect(statistics.lives == 3)
        #expect(task.firstGrants == [.hours(7), .hours(9)])
        #expect(task.never == 1)
        #expect(task.grants == [3, 2, 0])
        #expect(task.days == 6)
        #expect(task.daysInTime == 2)
        #expect(task.chanceInTime == 2.0 / 6)
    }

    @Test("runs of the warm-up count for nothing")
    func warmUp() throws {
        var statistics = LifeStatistics(days: 2, before: .hours(9))
        statistics.add([report([.hours(-1)])])
        let task = try #require(statistics.devices.first?.tasks.first)
        #expect(task.never == 1)
        #expect(task.grants == [0])
        #expect(task.daysInTime == 0)
    }

    @Test("broken rules are counted, and the first kept with their seeds")
    func problems() throws {
        var statistics = LifeStatistics(days: 2, before: .hours(9))
        for seed in 1...4 as ClosedRange<UInt64> { statistics.add([report([], seed: seed, problems: ["a", "b"])]) }
        let device = try #require(statistics.devices.first)
        #expect(device.problemCount == 8)
        #expect(device.problems.count == 5)
        #expect(device.problems.last == SeedProblem(seed: 3, text: "a"))
    }
}
