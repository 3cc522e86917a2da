internal import Scheduling

extension SVGSheet {
    /// Where in a lane the waits are, and below them the runs.
    private static let waitTop = 6.0
    private static let waitHeight = 14.0
    private static let runMiddle = 34.0

    /// One task: above what it asked and what held that, below what it was granted.
    mutating func lane(_ task: TaskLane, _ top: Double) {
        let counts = LaneCounts(task.requests)
        canvas.begin("lane", label: "\(task.identifier), \(task.kind): \(counts.words)", role: "group")
        canvas.text(
            "ink", Self.margin + 4, top + 16, PictureWords.name(task.identifier), size: 12, bold: true,
            room: Self.nameWidth)
        canvas.text("dim", Self.margin + 4, top + 29, "\(task.app), \(task.kind)", size: 10, room: Self.nameWidth)
        let shown = counts.words { TextWidth.of($0, size: 10) <= Self.nameWidth }
        canvas.text("dim", Self.margin + 4, top + 41, shown, size: 10)
        let elements = LaneElement.of(task.requests, scale, reach: 16, mergedReach: 25)
        var waits = TextShelf()
        var runs = TextShelf()
        for element in elements {
            let isMerged = element.requests.count > 1
            runs.take(element.anchor - 9, element.anchor + (isMerged ? 18 : 9))
        }
        for element in elements {
            if element.requests.count == 1 {
                single(element.requests[0], task, top, &waits, &runs)
            } else {
                merged(element, task, top)
            }
        }
        canvas.end()
    }

    // MARK: Private

    private mutating func single(
        _ request: ChartRequest, _ task: TaskLane, _ top: Double, _ waits: inout TextShelf, _ runs: inout TextShelf
    ) {
        let end = request.endedWaitingAt ?? max(scale.end, request.submittedAt)
        let from = scale.place(request.submittedAt)
        let until = scale.place(end)
        let middle = top + Self.waitTop + Self.waitHeight / 2
        canvas.element(words.request(request, task))
        canvas.rect("hit", from - 4, top + 1, until - from + 8, 22)
        wait(request, end, top, &waits)
        if let floor = request.floor, floor > request.submittedAt, scale.shows(floor) {
            canvas.sign("n-floor", scale.place(floor), middle)
        }
        switch request.outcome {
        case .granted:
            if scale.shows(end) { canvas.line("stem", until, top + Self.waitTop, until, top + Self.runMiddle - 6) }
        case .withdrawn: if scale.shows(end) { canvas.sign("n-withdrawn", until, middle) }
        case .pending: canvas.sign("n-pending", until, middle)
        case .refused: canvas.sign("n-refused", until, middle)
        }
        if case .refused = request.outcome {
        } else if scale.shows(request.submittedAt) {
            canvas.sign("n-asked", from, middle)
        }
        canvas.end()
        if let run = request.run, scale.shows(run.startedAt) { self.run(run, request, task, top, &runs) }
    }

    private mutating func run(
        _ run: ChartRun, _ request: ChartRequest, _ task: TaskLane, _ top: Double, _ shelf: inout TextShelf
    ) {
        let place = scale.place(run.startedAt)
        let y = top + Self.runMiddle
        canvas.element(words.run(run, task))
        canvas.rect("hit", place - 9, y - 10, 18, 20)
        let until = scale.place(run.endedAt ?? scale.end)
        if until > place + 8 {
            canvas.rect("lost", place, y - 2, until - place, 4)
            shelf.take(place + 9, until)
        }
        canvas.sign("n-\(RunLook(state: run.state).rawValue)", place, y)
        if run.isSimulatedLaunch { canvas.sign("n-simulated", place, y) }
        let time = clock.clock(run.startedAt)
        let waited = request.waitedMilliseconds ?? 0
        let texts = waited >= 60_000 ? ["\(time), after \(LengthText.of(waited))", time] : [time]
        let begin = max(until, place) > place + 8 ? until + 5 : place + 11
        text: for text in texts {
            let width = TextWidth.of(text, size: 11)
            let places = [(from: begin, until: begin + width), (from: place - 11 - width, until: place - 11)]
                .filter { $0.from >= Self.plotLeft && $0.until <= Self.width - 2 }
            if let found = shelf.place(places) {
                let isRight = places[found].from == begin
                canvas.text(
                    "ink num on", isRight ? begin : place - 11, y + 4, text, size: 11, anchor: isRight ? .start : .end)
                break text
            }
        }
        canvas.end()
    }

    private mutating func merged(_ element: LaneElement, _ task: TaskLane, _ top: Double) {
        mergedCount += 1
        let requests = element.requests
        let stretches = HoldRaster.stretches(requests, scale, column: 5)
        canvas.element(words.merged(requests, task))
        canvas.rect("hit", element.anchor - 8, top + 1, 25, Self.laneHeight - 4)
        bars(stretches, top)
        let states = requests.map { $0.run.map { RunLook(state: $0.state) } }
        let isTroubled = states.contains { $0?.isTrouble ?? false }
        let hasRuns = states.contains { $0 != nil }
        let y = top + Self.runMiddle
        canvas.rect(hasRuns ? "good" : "hollow", element.anchor - 7, y - 7.5, 23, 15, round: 4)
        // The cut corner says that some of them went wrong; the details say which.
        if isTroubled {
            let right = SVGCanvas.number(element.anchor + 17.5)
            let height = SVGCanvas.number(y - 9)
            canvas.path("bad", "M\(right) \(height)v9l-9 -9Z")
        }
        canvas.text(
            hasRuns ? "inverse num" : "ink num", element.anchor + 4.5, y + 3.6, Self.count(requests.count), size: 9.5,
            anchor: .middle, bold: true)
        canvas.end()
    }

    private mutating func wait(_ request: ChartRequest, _ end: WallTime, _ top: Double, _ shelf: inout TextShelf) {
        let unplaced = request.holds.filter { $0.start == nil }
        for segment in WaitSegment.of(request, until: end) where scale.shows(segment.from, segment.until) {
            let from = scale.place(segment.from)
            let until = scale.place(segment.until)
            guard until - from >= 0.3 else { continue }
            var texts: [String] = []
            if let gate = segment.gate {
                bar(gate, from, until, top)
                let length = LengthText.between(segment.from, segment.until)
                texts = ["\(gate), \(length)", "\(codes.code(gate)) \(length)", codes.code(gate)]
            } else if !unplaced.isEmpty {
                // When they held is not known, only for how long.
                bar("", from, until, top)
                let totals = ChartWords.totals(unplaced)
                let long = totals.map { "\($0.gate) \(LengthText.of($0.milliseconds))" }
                let short = totals.map { "\(codes.code($0.gate)) \(LengthText.of($0.milliseconds))" }
                texts = [long, short, [short[0]]].map { $0.joined(separator: ", ") } + [codes.code(totals[0].gate)]
            } else {
                let y = top + Self.waitTop + Self.waitHeight / 2
                canvas.line("free", from, y, until, y)
            }
            for text in texts {
                let width = TextWidth.of(text, size: 10)
                // The signs of asking and of the floor lie at the ends.
                let begin = from + 10
                guard begin + width <= until - 8, shelf.isFree(begin, begin + width) else { continue }
                shelf.take(begin, begin + width)
                canvas.rect(
                    "paper plate", begin - 2, top + Self.waitTop + 1.5, width + 2, Self.waitHeight - 3, round: 2)
                canvas.text("ink", begin, top + Self.waitTop + 10.7, text, size: 10)
                break
            }
        }
    }

    /// The stretches of a pattern together, since there can be very many.
    private mutating func bars(_ stretches: [HoldRaster.Stretch], _ top: Double) {
        var held: [GateFamily: [(from: Double, until: Double)]] = [:]
        for stretch in stretches {
            if let gate = stretch.gate {
                held[GateFamily(gate: gate), default: []].append((stretch.from, stretch.until))
            } else {
                bar(nil, stretch.from, stretch.until, top)
            }
        }
        for family in GateFamily.allCases {
            guard let stretches = held[family] else { continue }
            canvas.bars(Hatch(family), stretches, top + Self.waitTop, Self.waitHeight)
        }
    }

    private mutating func bar(_ gate: String?, _ from: Double, _ until: Double, _ top: Double) {
        guard let gate else {
            let y = top + Self.waitTop + Self.waitHeight / 2
            canvas.line("free", from, y, until, y)
            return
        }
        let family = gate.isEmpty ? GateFamily.other : GateFamily(gate: gate)
        canvas.bars(Hatch(family), [(from, until)], top + Self.waitTop, Self.waitHeight)
    }
}
