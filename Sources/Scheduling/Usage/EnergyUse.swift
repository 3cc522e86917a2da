/// What an app's runs have taken of its energy budget, which refills over the day.
package struct EnergyUse: Hashable, Sendable, Codable {
    private var spentMilliseconds: Int64
    private var at: TimeStamp

    init(at now: TimeStamp) {
        spentMilliseconds = 0
        at = now
    }

    mutating func spend(_ milliseconds: Int64, perDay: Duration, at now: Moment, in boot: BootIdentifier) {
        spentMilliseconds = spent(perDay: perDay, at: now, in: boot) + max(0, milliseconds)
        at = TimeStamp(wall: now.wall, boot: now.boot, bootIdentifier: boot)
    }

    func rebased(to now: Moment, in boot: BootIdentifier) -> EnergyUse {
        var result = self
        result.at = at.rebased(to: now, in: boot)
        return result
    }

    /// How long it takes until so much is there; 0 when it is.
    func wait(for reserve: Duration, perDay: Duration, at now: Moment, in boot: BootIdentifier) -> Int64 {
        let budget = max(1, perDay.wholeMilliseconds)
        let lacking = spent(perDay: perDay, at: now, in: boot) + reserve.wholeMilliseconds - budget
        guard lacking > 0 else { return 0 }
        // Rounded up: never early.
        let (product, overflow) = lacking.multipliedReportingOverflow(by: Self.day)
        return overflow ? .max / 2 : (product + budget - 1) / budget
    }

    // MARK: - Private

    private static let day = Duration.days(1).wholeMilliseconds

    private func spent(perDay: Duration, at now: Moment, in boot: BootIdentifier) -> Int64 {
        let elapsed = min(at.elapsed(to: now, in: boot), Self.day * 365)
        let (product, overflow) = elapsed.multipliedReportingOverflow(by: max(1, perDay.wholeMilliseconds))
        return max(0, spentMilliseconds - (overflow ? spentMilliseconds : product / Self.day))
    }
}
