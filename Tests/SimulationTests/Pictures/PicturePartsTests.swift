import Scheduling
import Testing

@testable import Simulation

struct PicturePartsTests {
    private static let chart = DayChart(title: "", start: ChartFixture.monday, end: ChartFixture.at(10))
    private static let scale = ChartScale(chart, left: 0, width: 1_000)

    private static func granted(_ submitted: WallTime, _ start: WallTime) -> ChartRequest {
        ChartRequest(submittedAt: submitted, outcome: .granted(ChartFixture.run(1, start)))
    }

    @Test
    func `requests whose signs would touch are one element and others are not`() {
        // A hundred units an hour, so that 16 units are 9.6 minutes.
        let requests = [0, 9, 60, 70].map { Self.granted(ChartFixture.at(1), ChartFixture.at(1, $0)) }
        let elements = LaneElement.of(requests, Self.scale, reach: 16, mergedReach: 25)
        #expect(elements.map(\.requests.count) == [2, 1, 1])
        #expect(elements.map(\.anchor)[0] == 100)
    }

    @Test
    func `what lies outside of the chart is left out`() {
        let requests = [
            Self.granted(ChartFixture.at(-5), ChartFixture.at(-4)),
            Self.granted(ChartFixture.at(12), ChartFixture.at(13)),
            Self.granted(ChartFixture.at(-5), ChartFixture.at(5)),
        ]
        #expect(LaneElement.of(requests, Self.scale, reach: 16, mergedReach: 25).count == 1)
    }

    @Test
    func `a wait is told without gaps and in order, whatever its holds overlap`() {
        let request = ChartRequest(
            submittedAt: ChartFixture.at(1), floor: ChartFixture.at(2),
            holds: [
                ChartFixture.hold("usage", ChartFixture.at(2), ChartFixture.at(4)),
                ChartFixture.hold("network", ChartFixture.at(3), ChartFixture.at(5)),
                ChartFixture.hold("budget", ChartFixture.at(6), ChartFixture.at(99)),
                ChartHold(gate: "thermal", start: nil, milliseconds: 5),
            ], outcome: .granted(ChartFixture.run(1, ChartFixture.at(8))))
        let segments = WaitSegment.of(request, until: ChartFixture.at(8))
        #expect(segments.map(\.gate) == ["earliestBeginDate", "usage", "network", nil, "budget"])
        #expect(segments.map(\.from) == [1, 2, 4, 5, 6].map { ChartFixture.at($0) })
        #expect(segments.map(\.until) == [2, 4, 5, 6, 8].map { ChartFixture.at($0) })
    }

    @Test
    func `of many waits each column shows the gate that held most of it`() {
        let requests = [
            ChartRequest(
                submittedAt: ChartFixture.at(0),
                holds: [ChartFixture.hold("usage", ChartFixture.at(0), ChartFixture.at(0, 55))],
                outcome: .granted(ChartFixture.run(1, ChartFixture.at(0, 55)))),
            ChartRequest(
                submittedAt: ChartFixture.at(0, 55),
                holds: [ChartFixture.hold("network", ChartFixture.at(0, 55), ChartFixture.at(2))],
                outcome: .granted(ChartFixture.run(1, ChartFixture.at(2)))),
        ]
        let stretches = HoldRaster.stretches(requests, Self.scale, column: 100)
        #expect(stretches.map(\.gate) == ["usage", "network"])
        #expect(stretches.map(\.from) == [0, 100])
        #expect(stretches.map(\.until) == [100, 200])
    }

    @Test
    func `times of a condition less than a pixel apart are drawn as one`() {
        let bands = [0, 1, 60].map { ChartBand(.window, from: ChartFixture.at(1, $0), to: ChartFixture.at(1, $0)) }
        #expect(BandGroup.of(bands, Self.scale).map(\.bands.count) == [2, 1])
    }

    @Test
    func `codes of gates differ, also of those with the same letters`() {
        let names = ["budget", "bus", "busy", "lowPowerMode", "longPauseMeasure", "", "🙂", "🙃"]
        var chart = ChartFixture.everything
        chart.devices[0].tasks[0].requests[0].holds = names.map { ChartHold(gate: $0, start: nil, milliseconds: 1) }
        let codes = GateCodes(chart)
        #expect(Set(names.map(codes.code)).count == names.count)
        #expect(Set(names.map(codes.letter)).count == names.count)
        #expect(codes.code("lowPowerMode").hasPrefix("LPM"))
    }

    @Test
    func `text has its place once`() {
        var shelf = TextShelf()
        #expect(shelf.place([(0, 10)]) == 0)
        #expect(shelf.place([(5, 15), (10, 20)]) == 1)
        #expect(shelf.place([(9, 12)]) == nil)
    }

    @Test(arguments: [
        (0.0, "0"), (1.04, "1"), (1.05, "1.1"), (-0.04, "0"), (-1.26, "-1.3"), (228.3, "228.3"), (1e300, "1000000000"),
    ])
    func `numbers are written in tenths`(value: Double, expected: String) {
        #expect(SVGCanvas.number(value) == expected)
    }

    @Test(arguments: GateFamily.allCases)
    func `each family of gates has lines of its own`(family: GateFamily) {
        let lines = Hatch(family).lines(0, 60, 0, 14)
        #expect(!lines.isEmpty)
        let others = GateFamily.allCases.filter { $0 != family && Hatch($0).lines(0, 60, 0, 14) == lines }
        // Those two differ in the size of their dots.
        #expect(others.isEmpty || Set(others + [family]) == [.floor, .allowance])
    }

    @Test(arguments: GateFamily.allCases, [0.1, 1, 3, 700])
    func `no line of a pattern leaves its bar`(family: GateFamily, width: Double) {
        let data = Hatch(family).lines(101, 101 + width, 50, 14)
        for part in data.split(separator: "M") {
            let numbers = part.split { !($0.isNumber || $0 == "." || $0 == "-") }.compactMap { Double($0) }
            #expect(numbers[0] >= 100.9 && numbers[0] <= 101.1 + width)
            #expect(numbers[1] >= 49.9 && numbers[1] <= 64.1)
            if part.contains("l") { #expect(numbers[0] + numbers[2] <= 101.1 + width) }
        }
    }

    @Test(arguments: [
        (0, "0s"), (450, "450ms"), (12_000, "12s"), (95_000, "1m 35s"), (21_000_000, "5h 50m"),
        (183_600_000, "2d 3h"), (-5, "0s"), (Int64.max, "106751991167d 7h"),
    ])
    func `lengths are told in at most two units`(milliseconds: Int64, expected: String) {
        #expect(LengthText.of(milliseconds) == expected)
    }
}
