internal import Scheduling

/// Lengths of time as people read them: `450ms`, `12s`, `5h 50m`, `2d 3h`.
package enum LengthText {
    static func of(_ milliseconds: Int64) -> String {
        let milliseconds = max(0, milliseconds)
        if milliseconds > 0, milliseconds < 1_000 { return "\(milliseconds)ms" }
        let seconds = wholeSeconds(milliseconds)
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

    /// A length to the nearest of what is shown of it: seconds, from an hour on minutes, from a day on hours.
    package static func wholeSeconds(_ milliseconds: Int64) -> Int64 {
        func nearest(_ unit: Int64) -> Int64 { (milliseconds + unit * 500) / (unit * 1_000) * unit }
        guard milliseconds < .max / 2 else { return milliseconds / 1_000 }
        if nearest(1) < 3_600 { return nearest(1) }
        return nearest(60) < 86_400 ? nearest(60) : nearest(3_600)
    }

    static func between(_ start: WallTime, _ end: WallTime) -> String {
        of(start.duration(to: end).wholeMilliseconds)
    }
}
