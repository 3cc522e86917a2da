/// What is learned of an app from its opens: how often, and at which hours.
package struct AppUsage: Hashable, Sendable, Codable {
    /// Opens a day, newer ones counting more.
    private var opensPerDay: Double
    /// The same by hour of the day on the device's own clock.
    private var hours: [Double]
    private var at: WallTime
    /// How many opens were counted, up to a million.
    private(set) var count = 0

    private static let naturalLogarithmOfTwo = 0.693_147_180_559_945_3

    /// What is assumed of an app before it is opened for the first time.
    init(opensPerDay: Double, at now: WallTime) {
        self.opensPerDay = opensPerDay
        hours = Array(repeating: 0, count: 24)
        at = now
    }

    /// Counts an open.
    mutating func opened(at now: WallTime, utcOffsetSeconds: Int, halfLife: Duration) {
        let factor = Self.left(after: at.duration(to: now), halfLife: halfLife)
        opensPerDay *= factor
        for hour in hours.indices { hours[hour] *= factor }
        // In a steady state the sum is the number of opens a day.
        let share = Self.naturalLogarithmOfTwo * Double(Duration.days(1).wholeMilliseconds)
        let weight = share / Double(max(1, halfLife.wholeMilliseconds))
        opensPerDay += weight
        hours[Self.hour(of: now, utcOffsetSeconds: utcOffsetSeconds)] += weight
        at = max(at, now)
        count = min(count + 1, 1_000_000)
    }

    func opensPerDay(at now: WallTime, halfLife: Duration) -> Double {
        opensPerDay * Self.left(after: at.duration(to: now), halfLife: halfLife)
    }

    /// Whether the app is usually opened within so many hours from now, or in this one.
    func isUsual(at now: WallTime, within ahead: Int, utcOffsetSeconds: Int) -> Bool {
        let first = Self.hour(of: now, utcOffsetSeconds: utcOffsetSeconds)
        let all = hours.reduce(0, +)
        let soon = (0...max(0, min(ahead, 23))).reduce(0) { $0 + hours[(first + $1) % 24] }
        // More than these hours would have if all were alike, or it is nothing to wait for.
        return soon * 24 >= all * Double(min(ahead, 23) + 1)
    }

    // MARK: - Private

    private static func hour(of time: WallTime, utcOffsetSeconds: Int) -> Int {
        let local = time.milliseconds / 1_000 + Int64(utcOffsetSeconds)
        let second = local % 86_400
        return Int((second < 0 ? second + 86_400 : second) / 3_600)
    }

    /// What is left of 1 after a time: halves, and straight lines between them. A clock that was set back forgets nothing.
    private static func left(after time: Duration, halfLife: Duration) -> Double {
        let (time, half) = (max(0, time.wholeMilliseconds), max(1, halfLife.wholeMilliseconds))
        let halvings = time / half
        guard halvings < 60 else { return 0 }
        let rest = Double(time % half) / Double(half)
        return (1 - rest / 2) / Double(Int64(1) << halvings)
    }
}
