internal import Scheduling

/// Where a moment lies on a line.
struct ChartScale {
    let start: WallTime
    /// Later than the start, whatever the chart says.
    let end: WallTime
    let left: Double
    let width: Double
    private let span: Double

    init(_ chart: DayChart, left: Double, width: Double) {
        start = chart.start
        end = max(chart.end, chart.start.advanced(by: .minutes(1)))
        self.left = left
        self.width = width
        span = max(1, Double(end.milliseconds) - Double(start.milliseconds))
    }

    var right: Double { left + width }

    /// The place of a moment, or the nearest end of the line.
    func place(_ time: WallTime) -> Double {
        left + min(max((Double(time.milliseconds) - Double(start.milliseconds)) / span, 0), 1) * width
    }

    func shows(_ time: WallTime) -> Bool {
        time >= start && time <= end
    }

    /// Whether any of a stretch lies on the line.
    func shows(_ from: WallTime, _ until: WallTime) -> Bool {
        from <= end && until >= start && from <= until
    }

    /// How much room this many milliseconds take.
    func room(_ milliseconds: Int64) -> Double {
        Double(milliseconds) / span * width
    }
}
