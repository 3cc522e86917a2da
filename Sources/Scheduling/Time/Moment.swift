/// One reading of all three clocks, taken together.
package struct Moment: Hashable, Sendable, Codable {
    package var wall: WallTime
    package var boot: BootTime
    package var awake: AwakeTime

    package init(wall: WallTime, boot: BootTime, awake: AwakeTime) {
        self.wall = wall
        self.boot = boot
        self.awake = awake
    }
}

/// When the scheduler next wants to be told the time: at most one deadline a clock. Waking early is harmless.
package struct Wakeup: Hashable, Sendable {
    package var wall: WallTime?
    package var boot: BootTime?
    package var awake: AwakeTime?

    package init(wall: WallTime? = nil, boot: BootTime? = nil, awake: AwakeTime? = nil) {
        self.wall = wall
        self.boot = boot
        self.awake = awake
    }

    package static let never = Wakeup()
}

extension Moment {
    /// The same moment on the clocks of the boot of another one, by the time that has passed on the wall clock.
    ///
    /// One that lies ahead is taken as now.
    func rebased(to now: Moment) -> Moment {
        let passed = max(.zero, wall.duration(to: now.wall))
        var moment = now
        moment.wall = min(wall, now.wall)
        moment.boot = now.boot.advanced(by: .zero - passed)
        return moment
    }
}
