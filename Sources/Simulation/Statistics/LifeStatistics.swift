import Scheduling

/// What many lives of a scenario were like, device by device.
package struct LifeStatistics: Hashable, Sendable {
    package let days: Int
    /// Until when of a day a task has to have run, since midnight.
    package let before: Duration
    package private(set) var lives = 0
    package private(set) var devices: [DeviceStatistics] = []

    package init(days: Int, before: Duration) {
        self.days = days
        self.before = before
    }

    /// Takes one more life into account.
    package mutating func add(_ reports: [DeviceReport]) {
        if devices.isEmpty { devices = reports.map { DeviceStatistics($0) } }
        for (position, report) in reports.enumerated() { devices[position].add(report, days: days, before: before) }
        lives += 1
    }
}
