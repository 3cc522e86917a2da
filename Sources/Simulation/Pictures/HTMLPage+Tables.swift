internal import Scheduling

extension HTMLPage {
    /// A device with more requests than this gets a row for each day of those of its tasks that have many.
    static let mostRows = 200
    private static let mostTaskRows = 20
    private static let mostPeriods: Int64 = 60

    /// What the pictures show of a device, in words.
    static func tables(_ device: DeviceLane, _ words: ChartWords) -> String {
        glance(device) + requests(device, words) + conditions(device, words) + marks(device, words)
    }

    // MARK: Private

    private static func glance(_ device: DeviceLane) -> String {
        var table = HTMLTable([
            ("Task", false), ("Kind", false), ("Asked", true), ("Granted", true), ("Usual wait", true),
            ("Longest wait", true), ("Held most by", false),
        ])
        for task in device.tasks {
            let counts = LaneCounts(task.requests)
            let waits = task.requests.filter { $0.run != nil }.compactMap(\.waitedMilliseconds).sorted()
            let totals = ChartWords.totals(task.requests.flatMap(\.holds)).prefix(2)
            table.row([
                [PictureWords.name(task.identifier)], [task.kind], ["\(counts.asked)"], ["\(counts.granted)"],
                waits.isEmpty ? [] : [LengthText.of(waits[waits.count / 2])],
                waits.last.map { [LengthText.of($0)] } ?? [],
                totals.map { "\($0.gate) for \(LengthText.of($0.milliseconds))" },
            ])
        }
        return table.markup(
            "\(PictureWords.name(device.name)): at a glance", note: "The usual wait is the median of what was granted.")
    }

    private static func requests(_ device: DeviceLane, _ words: ChartWords) -> String {
        var table = HTMLTable([
            ("Asked", false), ("Not before", false), ("Held by", false), ("Became", false), ("Waited", true),
            ("Ended", false),
        ])
        let isLong = device.tasks.reduce(0) { $0 + $1.requests.count } > mostRows
        var isSummed = false
        for task in device.tasks where !task.requests.isEmpty {
            table.group("\(PictureWords.name(task.identifier)) (\(task.kind), \(task.app))")
            let requests = task.requests.sorted { $0.submittedAt < $1.submittedAt }
            if isLong, requests.count > mostTaskRows {
                isSummed = true
                for day in periods(requests, words.clock) { table.row(sum(day, words)) }
            } else {
                for request in requests { table.row(row(request, words)) }
            }
        }
        let note = isSummed ? "Tasks with more than \(mostTaskRows) requests are summed up by day." : ""
        return table.markup("\(PictureWords.name(device.name)): requests", note: note)
    }

    private static func row(_ request: ChartRequest, _ words: ChartWords) -> [[String]] {
        var ended: [String] = []
        if let run = request.run {
            ended = [words.state(run)]
            if let end = run.endedAt {
                ended.append("\(words.clock.when(end)), took \(LengthText.between(run.startedAt, end))")
            }
            if run.isSimulatedLaunch { ended.append("started by command") }
        }
        let became =
            if let run = request.run {
                "granted \(words.clock.when(run.startedAt)), run \(run.number)"
            } else {
                words.became(request)
            }
        return [
            [words.clock.when(request.submittedAt)], request.floor.map { [words.clock.when($0)] } ?? [],
            request.holds.map(words.hold), [became] + (request.note.isEmpty ? [] : [request.note]),
            request.waitedMilliseconds.map { [LengthText.of($0)] } ?? [], ended,
        ]
    }

    /// The requests of each day; of so many days together that there are not too many rows.
    private static func periods(_ requests: [ChartRequest], _ clock: PictureClock) -> [[ChartRequest]] {
        guard let first = requests.first, let last = requests.last else { return [] }
        let start = clock.day(first.submittedAt)
        let length = (clock.day(last.submittedAt) - start) / mostPeriods + 1
        var periods: [[ChartRequest]] = []
        var reached: Int64 = -1
        for request in requests {
            let period = (clock.day(request.submittedAt) - start) / length
            if period == reached {
                periods[periods.count - 1].append(request)
            } else {
                periods.append([request])
                reached = period
            }
        }
        return periods
    }

    private static func sum(_ requests: [ChartRequest], _ words: ChartWords) -> [[String]] {
        let waits = requests.compactMap(\.waitedMilliseconds).sorted()
        let first = words.clock.dayName(requests[0].submittedAt)
        let last = words.clock.dayName(requests[requests.count - 1].submittedAt)
        let when = first == last ? first : "\(first) to \(last)"
        return [
            ["\(when), \(requests.count) times"], [],
            [words.holdTotals(requests.flatMap(\.holds))], [LaneCounts(requests).words],
            waits.isEmpty ? [] : ["\(LengthText.of(waits[0])) to \(LengthText.of(waits[waits.count - 1]))"],
            [LaneCounts.states(requests)],
        ]
    }

    private static func conditions(_ device: DeviceLane, _ words: ChartWords) -> String {
        var table = HTMLTable([("Condition", false), ("When", false), ("Time", true), ("Detail", false)])
        for kind in ChartBand.Kind.allCases {
            let bands = device.bands.filter { $0.kind == kind }.sorted { $0.start < $1.start }
            if bands.count > mostRows {
                let lines = words.band(bands)
                table.row([[PictureWords.band(kind)], Array(lines.dropFirst()), [], ["\(bands.count) times"]])
            } else {
                for band in bands {
                    table.row([
                        [PictureWords.band(kind)], [words.clock.span(band.start, band.end)],
                        [LengthText.between(band.start, band.end)], band.detail.isEmpty ? [] : [band.detail],
                    ])
                }
            }
        }
        return table.markup("\(PictureWords.name(device.name)): conditions")
    }

    private static func marks(_ device: DeviceLane, _ words: ChartWords) -> String {
        var table = HTMLTable([("When", false), ("What happened", false), ("App", false), ("Detail", false)])
        for kind in ChartMark.Kind.allCases {
            let marks = device.marks.filter { $0.kind == kind }
            guard marks.count > mostRows, let first = marks.map(\.at).min(), let last = marks.map(\.at).max() else {
                continue
            }
            table.row([[words.clock.span(first, last)], [PictureWords.mark(kind)], [], ["\(marks.count) times"]])
        }
        let counts = Dictionary(grouping: device.marks, by: \.kind).mapValues(\.count)
        let single = device.marks.enumerated().filter { (counts[$0.element.kind] ?? 0) <= mostRows }
        for (_, mark) in single.sorted(by: { ($0.element.at, $0.offset) < ($1.element.at, $1.offset) }) {
            table.row([
                [words.clock.when(mark.at)], [PictureWords.mark(mark.kind)], mark.app.map { [$0] } ?? [],
                mark.detail.isEmpty ? [] : [mark.detail],
            ])
        }
        return table.markup("\(PictureWords.name(device.name)): what happened")
    }
}
