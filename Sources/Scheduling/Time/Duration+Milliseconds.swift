extension Duration {
    /// This duration in whole milliseconds, rounded up so that nothing that waits for it is early; it saturates.
    package var wholeMilliseconds: Int64 {
        let (seconds, attoseconds) = components
        // Division cuts towards zero, which rounds up what is negative.
        let rounding: Int64 = attoseconds > 0 ? 999_999_999_999_999 : 0
        let fraction = (attoseconds + rounding) / 1_000_000_000_000_000
        let (scaled, overflow) = seconds.multipliedReportingOverflow(by: 1_000)
        if overflow { return seconds < 0 ? .min : .max }
        let (sum, carried) = scaled.addingReportingOverflow(fraction)
        return carried ? .max : sum
    }

    package static func minutes(_ count: Int) -> Duration { .seconds(count * 60) }
    package static func hours(_ count: Int) -> Duration { .seconds(count * 3_600) }
    package static func days(_ count: Int) -> Duration { .seconds(count * 86_400) }
}
