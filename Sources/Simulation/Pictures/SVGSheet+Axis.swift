internal import Scheduling

extension SVGSheet {
    mutating func head(_ top: Double) {
        let room = Self.plotRight - Self.margin
        let name = "\(PictureWords.name(device.name))\(isFirst ? "" : ", continued")"
        canvas.text("ink", Self.margin, top + 20, name, size: 16, bold: true, room: room)
        canvas.text("dim", Self.margin, top + 38, "policy \(device.policy)", size: 12, room: Self.nameWidth)
        canvas.text("dim", Self.margin, top + 58, "local time, \(clock.zone)", size: 11, room: Self.nameWidth)
        names(top)
    }

    /// The names of the times, and above them those of the days where they are not the same.
    private mutating func names(_ top: Double) {
        let ticks = AxisTicks(scale, clock, nameRoom: 50, dayRoom: 48, minorRoom: 14)
        var shelf = TextShelf()
        for tick in ticks.named {
            let text = ticks.areDays ? clock.shortDay(tick.at) : clock.clock(tick.at)
            let half = TextWidth.of(text, size: 11) / 2 + 3
            let place = scale.place(tick.at)
            let centre = min(max(place, Self.plotLeft + half - 10), Self.width - half - 2)
            guard shelf.place([(centre - half, centre + half)]) != nil else { continue }
            canvas.text("dim num", centre, top + 58, text, size: 11, anchor: .middle)
        }
        guard !ticks.areDays else { return }
        let days = AxisTicks.days(scale, clock, room: 76)
        var dayShelf = TextShelf()
        var starts = days.map(\.at)
        // The first day's beginning is mostly not on the line, but its name has to be.
        if starts.first != scale.start { starts.insert(scale.start, at: 0) }
        for (index, start) in starts.enumerated() {
            let text = clock.dayName(start)
            let from = scale.place(start) + 3
            let until = from + TextWidth.of(text, size: 11, bold: true)
            let next = index + 1 < starts.count ? scale.place(starts[index + 1]) : Self.width
            guard until < min(next, Self.width), dayShelf.place([(from, until + 4)]) != nil else { continue }
            canvas.text("ink", from, top + 42, text, size: 11, bold: true)
        }
    }

    mutating func grid(from top: Double, to bottom: Double) {
        let ticks = AxisTicks(scale, clock, nameRoom: 50, dayRoom: 48, minorRoom: 14)
        var thin = ""
        for tick in ticks.named + ticks.minor where !tick.startsDay || ticks.areDays {
            thin += vertical(tick.at, top, bottom)
        }
        if !thin.isEmpty { canvas.path("grid", thin) }
        var thick = ""
        if !ticks.areDays {
            for tick in AxisTicks.days(scale, clock, room: 20) {
                thick += vertical(tick.at, top - 34, top - 21) + vertical(tick.at, top - 4, bottom)
            }
        }
        thick += "M\(SVGCanvas.number(Self.plotLeft)) \(SVGCanvas.number(top - 2))H\(SVGCanvas.number(Self.plotRight))"
        canvas.path("day", thick)
    }

    /// The windows for work and the opens, through all lanes: what is granted mostly lies on one of them.
    mutating func columns(from top: Double, to bottom: Double) {
        var windows = ""
        var reached = -1.0
        for band in device.bands where band.kind == .window && scale.shows(band.start, band.end) {
            let from = scale.place(band.start)
            let until = max(scale.place(band.end), from + 2)
            guard from >= reached else { continue }
            reached = until
            windows += "M\(SVGCanvas.number(from)) \(SVGCanvas.number(top))H\(SVGCanvas.number(until))"
            windows += "V\(SVGCanvas.number(bottom))H\(SVGCanvas.number(from))Z"
        }
        if !windows.isEmpty { canvas.path("column", windows) }
        var opens = ""
        reached = -1
        for mark in device.marks where mark.kind == .opened && scale.shows(mark.at) {
            let place = scale.place(mark.at)
            guard place >= reached + 6 else { continue }
            reached = place
            opens += vertical(mark.at, top, bottom)
        }
        if !opens.isEmpty { canvas.path("thread", opens) }
    }

    private func vertical(_ time: WallTime, _ top: Double, _ bottom: Double) -> String {
        "M\(SVGCanvas.number(scale.place(time))) \(SVGCanvas.number(top))V\(SVGCanvas.number(bottom))"
    }
}
