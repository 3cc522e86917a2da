import Simulation

/// Durations as people write and read them.
enum DurationText {
    private static let units: [(name: String, milliseconds: Double)] = [
        ("ms", 1), ("s", 1_000), ("m", 60_000), ("h", 3_600_000), ("d", 86_400_000),
    ]

    /// Milliseconds of `90`, `1.5s`, `500ms`, `1h30m` or `2d`; a number alone is seconds. Nil for anything else.
    static func parse(_ text: String) -> Int64? {
        var rest = text[...]
        var total = 0.0
        var smallest = Double.infinity
        repeat {
            let digits = rest.prefix { $0.isASCII && $0.isNumber || $0 == "." }
            rest = rest.dropFirst(digits.count)
            let name = rest.prefix { $0.isASCII && $0.isLetter }
            rest = rest.dropFirst(name.count)
            guard digits.first != ".", digits.last != ".", let value = Double(digits) else { return nil }
            if name.isEmpty {
                guard rest.isEmpty, smallest == .infinity else { return nil }
                total = value * 1_000
            } else {
                // Each unit at most once, the largest first: `30m1h` is a slip.
                guard let unit = units.first(where: { $0.name == name })?.milliseconds, unit < smallest else {
                    return nil
                }
                smallest = unit
                total += value * unit
            }
        } while !rest.isEmpty
        return Int64(exactly: total.rounded())
    }

    /// `450ms`, `1.2s`, `15m 20s`, `1h 5m`, `2d 3h`: two units at most.
    static func short(_ milliseconds: Int64) -> String {
        if milliseconds == 0 { return "0s" }
        if milliseconds < 1_000 { return "\(milliseconds)ms" }
        if milliseconds < 60_000 {
            let tenths = milliseconds / 100
            return tenths % 10 == 0 ? "\(tenths / 10)s" : "\(tenths / 10).\(tenths % 10)s"
        }
        return rounded(milliseconds)
    }

    /// As `rounded`, to the nearest of the smaller unit.
    static func nearest(_ milliseconds: Int64) -> String {
        rounded(LengthText.wholeSeconds(milliseconds) * 1_000)
    }

    /// As `short`, without anything below a second.
    static func rounded(_ milliseconds: Int64) -> String {
        let seconds = milliseconds / 1_000
        func pair(_ large: Int64, _ largeName: String, _ small: Int64, _ smallName: String) -> String {
            small == 0 ? "\(large)\(largeName)" : "\(large)\(largeName) \(small)\(smallName)"
        }
        switch seconds {
        case ..<60: return "\(seconds)s"
        case ..<3_600: return pair(seconds / 60, "m", seconds % 60, "s")
        case ..<86_400: return pair(seconds / 3_600, "h", seconds / 60 % 60, "m")
        default: return pair(seconds / 86_400, "d", seconds / 3_600 % 24, "h")
        }
    }
}
