import Scheduling
import Testing

@testable import Simulation

struct HTMLPageTests {
    @Test
    func `the page of a day with everything is well-formed`() {
        #expect(StrictMarkup(HTMLPage.draw(ChartFixture.everything), html: true).problem == nil)
    }

    @Test(arguments: ChartFixture.hostileNames.indices)
    func `no name leaves its place`(index: Int) {
        var chart = ChartFixture.hostile
        chart.devices = [chart.devices[index]]
        let markup = StrictMarkup(HTMLPage.draw(chart), html: true)
        #expect(markup.problem == nil)
        #expect(markup.elements.filter { $0 == "script" }.count == 1)
        #expect(!markup.elements.contains("img"))
        #expect(!markup.attributes.contains { $0.hasPrefix("on") || $0 == "style" || $0 == "src" })
    }

    @Test
    func `the policy admits the page's own script and style and nothing else`() throws {
        let page = HTMLPage.draw(ChartFixture.everything)
        func inside(_ name: String) throws -> String {
            let parts = page.split(separator: "<\(name)>", omittingEmptySubsequences: false)
            let content = try #require(parts.count == 2 ? parts[1] : nil)
            return String(try #require(content.split(separator: "</\(name)>").first))
        }
        let script = SHA256.source(try inside("script"))
        let style = SHA256.source(try inside("style"))
        let policy =
            "default-src 'none'; style-src '\(style)'; script-src '\(script)'; base-uri 'none'; form-action 'none'"
        #expect(page.contains("<meta http-equiv=\"Content-Security-Policy\" content=\"\(policy)\">"))
    }

    @Test
    func `nothing is fetched`() {
        let page = HTMLPage.draw(ChartFixture.everything)
        for word in ["http:", "https:", "//", "url(", "@import", "<link", "<img", "<iframe", "src="] {
            // The script's own comments begin with two strokes.
            let text = word == "//" ? page.replacing(HTMLScript.text, with: "") : page
            #expect(!text.contains(word), "\(word)")
        }
    }

    @Test(arguments: [
        "<td>08:30</td><td>08:45</td><td>earliestBeginDate for 15m from 08:30<br>usage for 5h 35m from 08:45: no window"
            + "</td><td>granted 14:20, run 1<br>the period was clamped</td><td class=\"n\">5h 35m</td><td>succeeded<br>"
            + "14:20:12, took 12s</td>",
        "<td>16:00</td><td></td><td></td><td class=\"long\">refused: tooManyPendingTaskRequests</td>",
        "<td>Low Power Mode</td><td>01:00 to 02:00</td><td class=\"n\">1h</td><td>band detail 1</td>",
        "<td>01:30</td><td>force quit</td><td>com.<wbr>example.<wbr>app</td><td>mark 1</td>",
        "<td>com.<wbr>example.<wbr>app.<wbr>backup</td><td>appRefresh</td><td class=\"n\">4</td><td class=\"n\">2</td>",
    ])
    func `the tables say what the pictures show`(row: String) {
        let isThere = HTMLPage.draw(ChartFixture.everything).contains(row)
        #expect(isThere)
    }

    @Test
    func `every band, mark and request has a row`() {
        let chart = ChartFixture.everything
        let device = chart.devices[0]
        let rows = HTMLPage.tables(device, ChartWords(clock: PictureClock(chart))).split(separator: "<tr><td").count - 1
        let requests = device.tasks.reduce(0) { $0 + $1.requests.count }
        #expect(rows == device.bands.count + device.marks.count + requests + device.tasks.count)
    }

    @Test
    func `a long table is summed up by day and says so`() {
        let page = HTMLPage.draw(ChartFixture.busy(requests: 1_000, days: 30))
        #expect(page.contains("are summed up by day."))
        #expect(page.utf8.count < 150_000)
        let counts = page.split(separator: " times</td>").dropLast().compactMap { Int($0.split(separator: " ").last!) }
        #expect(counts.reduce(0, +) == 1_000)
        #expect(!HTMLPage.draw(ChartFixture.busy(requests: 200, days: 7)).contains("are summed up by day."))
    }

    @Test
    func `years are summed up by several days a row`() {
        let page = HTMLPage.draw(ChartFixture.busy(requests: 1_000, days: 1_000))
        let counts = page.split(separator: " times</td>").dropLast().compactMap { Int($0.split(separator: " ").last!) }
        #expect(counts.count <= 61 && counts.count > 30)
        #expect(counts.reduce(0, +) == 1_000)
        #expect(page.contains("<td>Mon 30 Nov to Wed 16 Dec, 17 times</td>"))
    }

    @Test
    func `a device with many tasks is drawn on several sheets, each with its axis`() {
        var chart = ChartFixture.everything
        let task = chart.devices[0].tasks[0]
        chart.devices[0].tasks = (0..<40).map { number in
            var copy = task
            copy.identifier = "com.example.app.task\(number)"
            return copy
        }
        let page = HTMLPage.draw(chart)
        let sheets = page.split(separator: "phone, continued</text>").count - 1
        #expect(sheets >= 3)
        for number in 0..<40 { #expect(page.contains(">com.example.app.task\(number)</text>")) }
        #expect(page.split(separator: ">12:00</text>").count - 1 >= sheets + 1)
    }

    @Test
    func `the same chart gives the same page`() {
        #expect(HTMLPage.draw(ChartFixture.hostile) == HTMLPage.draw(ChartFixture.hostile))
    }
}
