import Scheduling
import Testing

@testable import Simulation

struct SVGPictureTests {
    @Test
    func `the picture of a day with everything is well-formed`() {
        let markup = StrictMarkup(SVGPicture.draw(ChartFixture.everything), html: false)
        #expect(markup.problem == nil)
        #expect(markup.elements.first == "svg")
    }

    @Test
    func `a chart without anything has a picture`() {
        var empty = DayChart(title: "", start: ChartFixture.monday, end: ChartFixture.monday)
        #expect(StrictMarkup(SVGPicture.draw(empty), html: false).problem == nil)
        empty.devices = [DeviceLane(name: "phone", policy: "apple")]
        let markup = StrictMarkup(SVGPicture.draw(empty), html: false)
        #expect(markup.problem == nil)
        #expect(markup.text.contains("No task asked for anything."))
    }

    @Test(arguments: ChartFixture.hostileNames.indices)
    func `no name leaves its place`(index: Int) {
        var chart = ChartFixture.hostile
        chart.devices = [chart.devices[index]]
        let picture = SVGPicture.draw(chart)
        let markup = StrictMarkup(picture, html: false)
        #expect(markup.problem == nil)
        #expect(!picture.contains("></text>"), "no text without letters")
        let known: Set = ["svg", "title", "desc", "style", "defs", "g", "rect", "circle", "path", "use", "text"]
        #expect(Set(markup.elements).subtracting(known) == [])
        #expect(!markup.attributes.contains { $0.hasPrefix("on") })
        let turning = markup.text.unicodeScalars.filter { (0x202A...0x202E).contains($0.value) || $0.value == 0x200F }
        #expect(turning.isEmpty)
    }

    @Test(arguments: ChartBand.Kind.allCases)
    func `each condition is drawn with its words, its time and its detail`(kind: ChartBand.Kind) throws {
        let chart = ChartFixture.everything
        let band = try #require(chart.devices[0].bands.first { $0.kind == kind })
        let hour = ChartBand.Kind.allCases.firstIndex(of: kind)!
        let text = StrictMarkup(SVGPicture.draw(chart), html: false).text
        let clock = PictureClock(chart)
        #expect(clock.clock(band.start) == (hour < 10 ? "0\(hour):00" : "\(hour):00"))
        let words = "\(PictureWords.band(kind))\n\(clock.clock(band.start)) to \(clock.clock(band.end)) (1h)\n"
        #expect(text.contains(words + band.detail))
    }

    @Test(arguments: ChartMark.Kind.allCases)
    func `each event is drawn with its words, its app, its time and its detail`(kind: ChartMark.Kind) throws {
        let chart = ChartFixture.everything
        let mark = try #require(chart.devices[0].marks.first { $0.kind == kind })
        let text = StrictMarkup(SVGPicture.draw(chart), html: false).text
        let time = PictureClock(chart).clock(mark.at)
        #expect(text.contains("\(PictureWords.mark(kind)): com.example.app\n\(time)\n\(mark.detail)"))
    }

    @Test(arguments: [
        "asked 08:30, not before 08:45\nheld by earliestBeginDate for 15m from 08:30\n"
            + "held by usage for 5h 35m from 08:45: no window\ngranted 14:20 after 5h 35m, as run 1\n"
            + "the period was clamped",
        "asked 14:30\nheld by forceQuit for 9h from 15:00\nstill pending at the end",
        "asked 09:00\nheld by network for 1h (when is not known)\nwithdrawn 12:00: cancelled",
        "asked 16:00\nrefused: tooManyPendingTaskRequests",
        "Run 1 of com.example.app.refresh\n14:20 to 14:20:12 (12s)\nsucceeded",
        "Run 5 of com.example.app.backup\n20:00 to 20:00:12 (12s)\nexpired (budget)",
        "Run 6 of com.example.app.backup\n22:00 to 22:00:12 (12s)\nsucceeded\nsimulated: started by command",
        "14:20, after 5h 35m", "usage, 5h 35m", "2 asked, 1 granted, 1 pending",
    ])
    func `requests and runs say what became of them`(words: String) {
        let isThere = StrictMarkup(SVGPicture.draw(ChartFixture.everything), html: false).text.contains(words)
        #expect(isThere)
    }

    @Test(arguments: [
        "n-asked", "n-floor", "n-succeeded", "n-expired", "n-simulated", "n-withdrawn", "n-pending", "n-refused",
    ])
    func `each sign that is used is defined and in the legend`(sign: String) {
        let picture = SVGPicture.draw(ChartFixture.everything)
        #expect(picture.contains("id=\"\(sign)\""))
        let uses = picture.split(separator: "<use ").dropFirst().filter { $0.hasPrefix("href=\"#\(sign)\"") }.count
        #expect(uses >= 2, "one in a lane and one in the legend")
    }

    @Test(arguments: [
        ChartFixture.everything, ChartFixture.hostile, ChartFixture.busy(requests: 1_000, days: 30),
        ChartFixture.busy(requests: 96, days: 1), ChartFixture.busy(requests: 40, days: 7),
        ChartFixture.busy(requests: 12, days: 400),
    ])
    func `texts neither overlap nor leave the page`(chart: DayChart) {
        let (canvas, height) = SVGPicture.picture(chart)
        let texts = canvas.texts.sorted { $0.top < $1.top }
        for (index, text) in texts.enumerated() {
            let isInside =
                text.left >= 0 && text.right <= SVGSheet.width && text.top >= 0 && text.bottom <= height
            #expect(isInside, "\(text)")
            for other in texts[(index + 1)...].prefix(while: { $0.top < text.bottom }) {
                #expect(!text.overlaps(other), "\(text) / \(other)")
            }
        }
    }

    @Test
    func `boxes that touch do not overlap and boxes that share room do`() {
        let box = TextBox(text: "a", left: 0, right: 10, top: 0, bottom: 10)
        #expect(!box.overlaps(TextBox(text: "b", left: 10, right: 20, top: 0, bottom: 10)))
        #expect(box.overlaps(TextBox(text: "b", left: 9, right: 20, top: 9, bottom: 20)))
    }

    @Test
    func `a thousand requests of a month are merged into a small picture that says how many`() {
        let picture = SVGPicture.draw(ChartFixture.busy(requests: 1_000, days: 30))
        #expect(picture.utf8.count < 60_000)
        #expect(picture.contains("1000 asked, 1000 granted"))
        let counts = picture.split(separator: " requests of com.example.app.sync, drawn as one").dropLast()
            .compactMap { Int($0.split(separator: ">").last ?? "") }
        #expect(counts.reduce(0, +) == 1_000)
        #expect(counts.count > 20, "their distribution over the month stays visible")
    }

    @Test
    func `requests with room between them are drawn one by one`() {
        let picture = SVGPicture.draw(ChartFixture.busy(requests: 24, days: 1))
        #expect(!picture.contains("drawn as one"))
        #expect(picture.split(separator: "<title>Run ").count == 25)
    }

    @Test
    func `the same chart gives the same picture`() {
        #expect(SVGPicture.draw(ChartFixture.hostile) == SVGPicture.draw(ChartFixture.hostile))
    }
}
