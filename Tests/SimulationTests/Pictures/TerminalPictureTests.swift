import Scheduling
import Testing

@testable import Simulation

struct TerminalPictureTests {
    @Test(arguments: [60, 61, 80, 120, 200], [true, false])
    func `no line is wider than the terminal or ends with blanks`(width: Int, unicode: Bool) {
        for chart in [ChartFixture.everything, ChartFixture.hostile, ChartFixture.busy(requests: 1_000, days: 30)] {
            let text = TerminalPicture.draw(chart, width: width, colour: false, unicode: unicode)
            for line in text.split(separator: "\n") {
                #expect(TerminalText.columns(String(line)) <= width, "\(line)")
                #expect(line.last != " ", "\(line)")
            }
        }
    }

    @Test(arguments: [ChartFixture.everything, ChartFixture.hostile])
    func `without Unicode all is printable ASCII`(chart: DayChart) {
        let text = TerminalPicture.draw(chart, width: 80, colour: false, unicode: false)
        #expect(text.utf8.allSatisfy { $0 == 0x0A || (0x20...0x7E).contains($0) })
    }

    @Test
    func `no name reaches the terminal with what it obeys`() {
        let text = TerminalPicture.draw(ChartFixture.hostile, width: 80, colour: false, unicode: true)
        #expect(!text.unicodeScalars.contains { $0.value < 0x20 && $0 != "\n" || (0x7F..<0xA0).contains($0.value) })
        #expect(!text.unicodeScalars.contains { (0x202A...0x202E).contains($0.value) })
    }

    @Test
    func `colours change nothing but the colours`() {
        let plain = TerminalPicture.draw(ChartFixture.everything, width: 80, colour: false, unicode: true)
        let colored = TerminalPicture.draw(ChartFixture.everything, width: 80, colour: true, unicode: true)
        #expect(colored != plain)
        var bare = ""
        var isInside = false
        for character in colored {
            if character == "\u{1B}" { isInside = true }
            if !isInside { bare.append(character) }
            if character == "m" { isInside = isInside && false }
        }
        #expect(bare == plain)
    }

    @Test
    func `a narrow terminal gets the narrowest picture`() {
        let chart = ChartFixture.everything
        let narrow = TerminalPicture.draw(chart, width: 10, colour: false, unicode: true)
        #expect(narrow == TerminalPicture.draw(chart, width: 60, colour: false, unicode: true))
    }

    @Test
    func `the day is drawn so at 60 columns in ASCII`() {
        let text = TerminalPicture.draw(ChartFixture.everything, width: 60, colour: false, unicode: false)
        #expect(text == TerminalGolden.narrow)
    }

    @Test
    func `the day is drawn so at 80 columns`() {
        let text = TerminalPicture.draw(ChartFixture.everything, width: 80, colour: false, unicode: true)
        #expect(text == TerminalGolden.usual)
    }

    @Test
    func `requests that share a cell are counted`() {
        let text = TerminalPicture.draw(
            ChartFixture.busy(requests: 96, days: 1), width: 60, colour: false, unicode: false)
        #expect(text.contains(" 3"))
        #expect(text.contains("96 asked, 96 granted"))
        let crowded = TerminalPicture.draw(
            ChartFixture.busy(requests: 1_000, days: 30), width: 60, colour: false, unicode: false)
        #expect(crowded.contains("++++++++"))
    }
}
