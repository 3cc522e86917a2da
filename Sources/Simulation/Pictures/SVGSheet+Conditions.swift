internal import Scheduling

extension SVGSheet {
    /// One strip of a condition: when it held.
    mutating func band(_ kind: ChartBand.Kind, _ y: Double) {
        let bands = device.bands.filter { $0.kind == kind && scale.shows($0.start, $0.end) }
            .sorted { ($0.start, $0.end) < ($1.start, $1.end) }
        let name = PictureWords.band(kind)
        canvas.begin("lane", label: "\(name), \(PictureWords.count(bands.count, "time", "times"))", role: "group")
        canvas.text("dim", Self.margin + 4, y + 11, name, size: 11, room: Self.nameWidth)
        for group in BandGroup.of(bands, scale) {
            if group.bands.count > 1 { mergedCount += 1 }
            canvas.element(words.band(group.bands))
            canvas.rect("hit", group.from - 2, y, group.until - group.from + 4, Self.bandHeight)
            canvas.bars(Hatch(kind), [(group.from, max(group.until, group.from + 2))], y + 2, Self.bandHeight - 5)
            if group.bands.count > 1, kind != .off, kind != .window {
                countText(group.bands.count, group.from, group.until, y + 11)
            }
            canvas.end()
        }
        canvas.end()
    }

    /// One line of a kind of events.
    mutating func mark(_ kind: ChartMark.Kind, _ y: Double) {
        let marks = device.marks.filter { $0.kind == kind && scale.shows($0.at) }.sorted { $0.at < $1.at }
        let name = PictureWords.mark(kind)
        canvas.begin("lane", label: "\(name), \(PictureWords.count(marks.count, "time", "times"))", role: "group")
        canvas.text("dim", Self.margin + 4, y + 13, name, size: 11, room: Self.nameWidth)
        let middle = y + 9
        var shelf = TextShelf()
        var groups: [(place: Double, marks: [ChartMark])] = []
        for mark in marks {
            let place = scale.place(mark.at)
            if let last = groups.last, place - last.place < (last.marks.count == 1 ? 15 : 24) {
                groups[groups.count - 1].marks.append(mark)
            } else {
                groups.append((place, [mark]))
            }
        }
        for group in groups { shelf.take(group.place - 8, group.place + (group.marks.count > 1 ? 17 : 8)) }
        for group in groups {
            canvas.element(words.mark(group.marks))
            canvas.rect("hit", group.place - 8, y, 16, Self.markHeight)
            if group.marks.count > 1 {
                mergedCount += 1
                canvas.rect("hollow", group.place - 7, middle - 6.5, 22, 13, round: 3)
                canvas.text(
                    "ink num", group.place + 4, middle + 3.4, Self.count(group.marks.count), size: 9, anchor: .middle,
                    bold: true)
            } else {
                letterSign(kind, group.place, middle)
                timeText(group.marks[0].at, group.place, middle + 3.6, &shelf)
            }
            canvas.end()
        }
        canvas.end()
    }

    /// A count that has room in three letters.
    static func count(_ number: Int) -> String {
        number < 1_000 ? "\(number)" : number < 100_000 ? "\(number / 1_000)k" : "…"
    }

    /// The apps' events are round, pushes and transfers are lozenges, those of the device are square.
    private mutating func letterSign(_ kind: ChartMark.Kind, _ x: Double, _ y: Double) {
        switch kind {
        case .opened, .forceQuit, .fetch, .crash: canvas.circle("hollow", x, y, 6.6)
        case .pushSent, .pushDelivered, .pushDiscarded, .pushSuperseded, .transfer:
            let data = [(0.0, -8.2), (8.2, 0), (0, 8.2), (-8.2, 0)]
                .map { "\(SVGCanvas.number(x + $0.0)) \(SVGCanvas.number(y + $0.1))" }
            canvas.path("hollow", "M" + data.joined(separator: "L") + "Z")
        case .reboot, .unlocked, .osUpgrade, .clockSet: canvas.rect("hollow", x - 6.2, y - 6.2, 12.4, 12.4)
        }
        canvas.text("ink", x, y + 3.2, PictureWords.letter(kind), size: 9, anchor: .middle, bold: true)
    }

    private mutating func timeText(_ at: WallTime, _ x: Double, _ y: Double, _ shelf: inout TextShelf) {
        let text = clock.clock(at)
        let width = TextWidth.of(text, size: 10)
        let places = [(from: x + 11, until: x + 11 + width), (from: x - 11 - width, until: x - 11)]
            .filter { $0.from >= Self.plotLeft && $0.until <= Self.width - 2 }
        guard let found = shelf.place(places) else { return }
        let isRight = places[found].from > x
        canvas.text("dim num on", isRight ? x + 11 : x - 11, y, text, size: 10, anchor: isRight ? .start : .end)
    }

    private mutating func countText(_ count: Int, _ from: Double, _ until: Double, _ y: Double) {
        let text = "\(count)"
        guard TextWidth.of(text, size: 9, bold: true) + 6 < until - from else { return }
        canvas.text("ink num on", (from + until) / 2, y, text, size: 9, anchor: .middle, bold: true)
    }
}
