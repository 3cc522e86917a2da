/// The lines of a pattern inside a bar, which tell conditions and gates apart without colours.
///
/// They are drawn as lines and not as an SVG pattern: thousands of those keep a browser busy for minutes when it prints.
struct Hatch {
    /// The name of its colours in `SVGStyle`.
    let name: String

    init(_ family: GateFamily) {
        name = family.rawValue
    }

    init(_ kind: ChartBand.Kind) {
        name =
            switch kind {
            case .externalPower: "power"
            case .lowPowerMode, .thermal: "energy"
            case .idle: "idle"
            case .noNetwork: "network"
            case .meteredNetwork: "metered"
            case .window: "window"
            case .locked: "runner"
            case .backgroundRefreshOff: "person"
            case .off: "off"
            }
    }

    /// - Returns: path data; neighbours' lines meet, since they are counted from the picture's edge.
    func lines(_ from: Double, _ until: Double, _ top: Double, _ height: Double) -> String {
        switch name {
        case "power": slanted(from, until, top, height, step: 6, rises: true)
        case "network": slanted(from, until, top, height, step: 6, rises: false)
        case "energy":
            slanted(from, until, top, height, step: 8, rises: true)
                + slanted(from, until, top, height, step: 8, rises: false)
        case "idle": level(from, until, [0.25, 0.5, 0.75].map { top + height * $0 })
        case "person": upright(from, until, top, height, step: 4)
        case "runner":
            upright(from, until, top, height, step: 6)
                + level(from, until, [1.0 / 3, 2.0 / 3].map { top + height * $0 })
        // The style makes dots of these, and dashes of the last.
        case "floor", "allowance", "metered":
            level(Self.next(from + 2, 6), until - 1, [top + height * 0.28])
                + level(Self.next(from + 2, 6), until - 1, [top + height * 0.76])
                + level(Self.next(from - 1, 6) + 3, until - 1, [top + height * 0.52])
        case "other": level(from + 2, until - 1, [top + height / 2])
        default: ""
        }
    }

    // MARK: Private

    private static func next(_ value: Double, _ step: Double) -> Double {
        let whole = Double(Int(value / step)) * step
        return whole < value ? whole + step : whole
    }

    private func slanted(
        _ from: Double, _ until: Double, _ top: Double, _ height: Double, step: Double, rises: Bool
    ) -> String {
        var data = ""
        var start = Self.next(from - height, step)
        while start < until {
            let first = max(0, from - start)
            let last = min(height, until - start)
            if last - first > 0.5 {
                let y = rises ? top + height - first : top + first
                let part = SVGCanvas.number(last - first)
                data += "M\(SVGCanvas.number(start + first)) \(SVGCanvas.number(y))l\(part) \(rises ? "-" : "")\(part)"
            }
            start += step
        }
        return data
    }

    private func upright(_ from: Double, _ until: Double, _ top: Double, _ height: Double, step: Double) -> String {
        var data = ""
        var x = Self.next(from + 0.8, step)
        while x < until - 0.5 {
            data += "M\(SVGCanvas.number(x)) \(SVGCanvas.number(top))v\(SVGCanvas.number(height))"
            x += step
        }
        return data
    }

    private func level(_ from: Double, _ until: Double, _ heights: [Double]) -> String {
        guard from < until else { return "" }
        return heights.map {
            "M\(SVGCanvas.number(from)) \(SVGCanvas.number($0))H\(SVGCanvas.number(until))"
        }.joined()
    }
}
