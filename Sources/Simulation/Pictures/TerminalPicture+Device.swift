internal import Scheduling

extension TerminalPicture {
    func device(_ device: DeviceLane) -> [String] {
        var lines = [
            paint.paint(text.fitting("\(PictureWords.name(device.name)), policy \(device.policy)", width), .bold)
        ]
        lines += axis()
        for kind in ChartBand.Kind.allCases {
            let bands = device.bands.filter { $0.kind == kind && scale.shows($0.start, $0.end) }
            if !bands.isEmpty { lines.append(band(kind, bands)) }
        }
        for kind in ChartMark.Kind.allCases {
            let marks = device.marks.filter { $0.kind == kind && scale.shows($0.at) }.sorted { $0.at < $1.at }
            if !marks.isEmpty { lines.append(mark(kind, marks)) }
        }
        for task in device.tasks { lines += lane(task) }
        if device.tasks.isEmpty { lines.append("No task asked for anything.") }
        return lines
    }

    // MARK: Private

    private func axis() -> [String] {
        let ticks = AxisTicks(scale, clock, nameRoom: 7, dayRoom: 8, minorRoom: 2)
        var names = TerminalRow(plotWidth)
        var rule = TerminalRow(plotWidth)
        rule.fill(isUnicode ? "─" : "-", 0, plotWidth, .dim)
        for tick in ticks.named {
            let place = cell(tick.at)
            rule.put(isUnicode ? "┬" : "+", at: place, .dim)
            let name = ticks.areDays ? clock.shortDay(tick.at) : clock.clock(tick.at)
            _ = names.write(name, at: min(place, plotWidth - name.count))
        }
        var lines = [line("local time, \(clock.zone)", names), line("", rule)]
        guard !ticks.areDays else { return lines }
        var days = TerminalRow(plotWidth)
        var starts = AxisTicks.days(scale, clock, room: 12).map(\.at)
        if starts.first != scale.start { starts.insert(scale.start, at: 0) }
        // From the end: a day that begins is named before the rest of the day before it.
        for start in starts.reversed() {
            _ = days.write(clock.dayName(start), at: cell(start))
            if clock.day(start) != clock.day(scale.start) { rule.put(isUnicode ? "┼" : "|", at: cell(start)) }
        }
        lines[1] = line("", rule)
        return [line("", days)] + lines
    }

    private func band(_ kind: ChartBand.Kind, _ bands: [ChartBand]) -> String {
        var row = TerminalRow(plotWidth)
        let sign: Character = isUnicode ? "▆" : "="
        for band in bands {
            let from = cell(band.start)
            let until = cellEnd(band.end)
            row.fill(sign, from, max(until, from + 1), TerminalPaint.Color(kind))
        }
        return line(PictureWords.band(kind), row)
    }

    private func mark(_ kind: ChartMark.Kind, _ marks: [ChartMark]) -> String {
        var row = TerminalRow(plotWidth)
        let letter = Character(PictureWords.letter(kind))
        for mark in marks { row.count(letter, at: cell(mark.at), .bold) }
        for mark in marks where row.count(at: cell(mark.at)) == 1 {
            let text = clock.clock(mark.at)
            let place = cell(mark.at)
            _ = row.write(text, at: place + 2, .dim) || row.write(text, at: place - 1 - text.count, .dim)
        }
        return line(PictureWords.mark(kind), row)
    }

    private func lane(_ task: TaskLane) -> [String] {
        var waits = TerminalRow(plotWidth)
        var runs = TerminalRow(plotWidth)
        let requests = task.requests.sorted { $0.submittedAt < $1.submittedAt }
        for stretch in HoldRaster.stretches(requests, scale, column: 1) {
            let from = Int(stretch.from + 0.5)
            let until = Int(stretch.until + 0.5)
            if let gate = stretch.gate {
                waits.fill(codes.letter(gate), from, until, TerminalPaint.Color(GateFamily(gate: gate)))
            } else {
                waits.fill(isUnicode ? "─" : "-", from, until, .dim)
            }
        }
        for request in requests { ends(request, &waits) }
        for request in requests {
            guard let run = request.run, scale.shows(run.startedAt) else { continue }
            let look = RunLook(state: run.state)
            runs.count(sign(look), at: cell(run.startedAt), TerminalPaint.Color(look))
        }
        for request in requests {
            guard let run = request.run, scale.shows(run.startedAt) else { continue }
            let time = clock.clock(run.startedAt)
            let place = cell(run.startedAt)
            // Of several nobody could say whose time it is.
            guard runs.count(at: place) == 1 else { continue }
            let waited = request.waitedMilliseconds ?? 0
            let texts = waited >= 60_000 ? ["\(time) after \(LengthText.of(waited))", time] : [time]
            for text in texts
            where runs.write(text, at: place + 2) || runs.write(text, at: place - 1 - text.count) {
                break
            }
        }
        let counts = LaneCounts(requests).words { $0.count < nameWidth }
        return [line(PictureWords.name(task.identifier), waits, .bold), line(" \(counts)", runs)]
    }

    /// How a request's wait began, and how it ended unless it was granted.
    private func ends(_ request: ChartRequest, _ row: inout TerminalRow) {
        let end = request.endedWaitingAt ?? max(scale.end, request.submittedAt)
        let place = cell(request.submittedAt)
        if request.holds.contains(where: { $0.start == nil }), scale.shows(request.submittedAt, end) {
            row.fill("~", place, max(cellEnd(end), place + 1), .dim)
        }
        // Where there is hardly a second cell, the gate says more.
        if scale.shows(request.submittedAt), cell(end) > place + 1 || row.isBlank(at: place) {
            row.put(asked, at: place, .bold)
        }
        guard scale.shows(end) else { return }
        switch request.outcome {
        case .granted: break
        case .withdrawn: row.put(withdrawn, at: cell(end), .bold)
        case .pending: row.put(pending, at: cell(end), .bold)
        case .refused: row.put(refused, at: cell(end), .red)
        }
    }
}
