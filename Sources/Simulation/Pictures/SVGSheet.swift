internal import Scheduling

/// Draws one device, or some of its tasks: the axis, the bands, the marks and the lanes.
struct SVGSheet {
    static let width = 1_000.0
    static let margin = 16.0
    /// Of the names at the left.
    static let nameWidth = 196.0
    static let plotLeft = 226.0
    static let plotRight = 976.0
    static let headHeight = 66.0
    static let bandHeight = 16.0
    static let markHeight = 19.0
    static let laneHeight = 46.0

    let chart: DayChart
    let device: DeviceLane
    /// Those of its tasks that this sheet shows.
    let tasks: Range<Int>
    /// Whether the conditions and marks are drawn, which further sheets of the same device do not repeat.
    let isFirst: Bool
    let scale: ChartScale
    let clock: PictureClock
    let words: ChartWords
    let codes: GateCodes
    var canvas: SVGCanvas
    /// How many elements stand for several each.
    var mergedCount = 0

    init(
        _ chart: DayChart, _ device: DeviceLane, tasks: Range<Int>, isFirst: Bool, codes: GateCodes, canvas: SVGCanvas
    ) {
        self.chart = chart
        self.device = device
        self.tasks = tasks
        self.isFirst = isFirst
        scale = ChartScale(chart, left: Self.plotLeft, width: Self.plotRight - Self.plotLeft)
        clock = PictureClock(chart)
        words = ChartWords(clock: clock)
        self.codes = codes
        self.canvas = canvas
    }

    private var bandKinds: [ChartBand.Kind] {
        guard isFirst else { return [] }
        return ChartBand.Kind.allCases.filter { kind in
            device.bands.contains { $0.kind == kind && scale.shows($0.start, $0.end) }
        }
    }

    private var markKinds: [ChartMark.Kind] {
        guard isFirst else { return [] }
        return ChartMark.Kind.allCases.filter { kind in
            device.marks.contains { $0.kind == kind && scale.shows($0.at) }
        }
    }

    /// What it takes from top to bottom.
    var height: Double {
        let groups = (bandKinds.isEmpty ? 0 : 6.0) + (markKinds.isEmpty ? 0 : 6.0)
        return Self.headHeight + groups + Double(bandKinds.count) * Self.bandHeight
            + Double(markKinds.count) * Self.markHeight + Double(max(tasks.count, 1)) * Self.laneHeight
    }

    mutating func draw(top: Double) {
        canvas.begin("device", label: "\(device.name), policy \(device.policy)", role: "group")
        head(top)
        let content = top + Self.headHeight
        var y = content
        let lanes = top + height - Double(max(tasks.count, 1)) * Self.laneHeight
        for (row, _) in tasks.enumerated() where row % 2 == 0 {
            canvas.rect(
                "stripe", Self.margin, lanes + Double(row) * Self.laneHeight, Self.plotRight + 8 - Self.margin,
                Self.laneHeight)
        }
        columns(from: lanes, to: top + height)
        grid(from: content, to: top + height)
        for kind in bandKinds {
            band(kind, y)
            y += Self.bandHeight
        }
        if !bandKinds.isEmpty { y += 6 }
        for kind in markKinds {
            mark(kind, y)
            y += Self.markHeight
        }
        y = lanes
        if tasks.isEmpty {
            canvas.text("dim", Self.margin + 4, y + 26, "No task asked for anything.", size: 12)
        }
        for index in tasks {
            lane(device.tasks[index], y)
            y += Self.laneHeight
        }
        canvas.end()
    }
}
