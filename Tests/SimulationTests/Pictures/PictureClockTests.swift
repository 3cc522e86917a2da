import Scheduling
import Testing

@testable import Simulation

struct PictureClockTests {
    private static func clock(offset: Int = 0, days: Int = 1) -> PictureClock {
        PictureClock(
            DayChart(
                title: "", start: ChartFixture.monday, end: ChartFixture.at(days * 24), utcOffsetSeconds: offset))
    }

    @Test(arguments: [
        (0, "Thu 1 Jan 1970"), (-1, "Wed 31 Dec 1969"), (951_782_400_000, "Tue 29 Feb 2000"),
        (951_868_800_000, "Wed 1 Mar 2000"), (1_795_996_800_000, "Mon 30 Nov 2026"),
        (4_107_542_400_000, "Mon 1 Mar 2100"), (7_258_118_399_999, "Tue 31 Dec 2199"),
    ])
    func `days have their names and dates`(milliseconds: Int64, expected: String) {
        #expect(Self.clock().fullDay(WallTime(milliseconds: milliseconds)) == expected)
    }

    @Test(arguments: [
        (0, "00:00", "UTC"), (3_600, "01:00", "UTC+01:00"), (-34_200, "14:30", "UTC-09:30"),
        (20_700, "05:45", "UTC+05:45"),
    ])
    func `times are those of the device's clock`(offset: Int, expected: String, zone: String) {
        #expect(Self.clock(offset: offset).clock(ChartFixture.monday) == expected)
        #expect(Self.clock(offset: offset).zone == zone)
    }

    @Test(arguments: [Int64.min, .min + 1, .max, .max - 1])
    func `no time is too far away`(milliseconds: Int64) {
        let time = WallTime(milliseconds: milliseconds)
        #expect(!Self.clock(offset: 50_000).when(time).isEmpty)
        for (start, end) in [(time, ChartFixture.monday), (ChartFixture.monday, time), (time, time)] {
            let chart = DayChart(
                title: "", start: start, end: end, utcOffsetSeconds: .max,
                devices: ChartFixture.everything.devices)
            #expect(StrictMarkup(SVGPicture.draw(chart), html: false).problem == nil)
            #expect(!TerminalPicture.draw(chart, width: 80, colour: false, unicode: true).isEmpty)
        }
    }

    @Test
    func `the day is told where a picture has several, and the year where it is another`() {
        #expect(Self.clock().when(ChartFixture.at(8, 45)) == "08:45")
        #expect(Self.clock().when(ChartFixture.at(32)) == "Tue 1 Dec 08:00")
        #expect(Self.clock(days: 2).when(ChartFixture.at(8, 45)) == "Mon 30 Nov 08:45")
        #expect(Self.clock().when(ChartFixture.at(24 * 40)) == "Sat 9 Jan 2027 00:00")
    }

    @Test(arguments: [(1, 2), (2, 4), (7, 12)])
    func `a time axis names whole hours`(days: Int, hours: Int) {
        let chart = DayChart(title: "", start: ChartFixture.monday, end: ChartFixture.at(days * 24))
        let clock = PictureClock(chart)
        let scale = ChartScale(chart, left: 0, width: 750)
        let ticks = AxisTicks(scale, clock, nameRoom: 50, dayRoom: 48, minorRoom: 14)
        let expected = stride(from: 0, through: days * 24, by: hours).map { ChartFixture.at($0) }
        #expect(ticks.named.map(\.at) == expected)
        #expect(!ticks.areDays)
        for pair in zip(ticks.named, ticks.named.dropFirst()) {
            #expect(scale.place(pair.1.at) - scale.place(pair.0.at) >= 50)
        }
    }

    @Test
    func `the axis of months names Mondays`() {
        let chart = DayChart(title: "", start: ChartFixture.monday, end: ChartFixture.at(90 * 24))
        let ticks = AxisTicks(
            ChartScale(chart, left: 0, width: 750), PictureClock(chart), nameRoom: 50, dayRoom: 48, minorRoom: 14)
        #expect(ticks.areDays)
        for tick in ticks.named { #expect(PictureClock(chart).dayName(tick.at).hasPrefix("Mon")) }
    }
}
