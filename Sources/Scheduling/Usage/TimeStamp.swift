/// A moment that is kept over boots: the time since then is the boot clock's where it can be.
package struct TimeStamp: Hashable, Sendable, Codable {
    var wall: WallTime
    var boot: BootTime
    var bootIdentifier: BootIdentifier

    /// How long ago it was; under another boot the wall clocks have to do, and a clock that was set back says nothing.
    func elapsed(to now: Moment, in bootIdentifier: BootIdentifier) -> Int64 {
        let time = bootIdentifier == self.bootIdentifier ? boot.duration(to: now.boot) : wall.duration(to: now.wall)
        return max(0, time.wholeMilliseconds)
    }

    /// The same moment on this boot's clock, so that later changes of the wall clock move it no more.
    ///
    /// One of another boot that lies ahead is taken as now: nothing is early, and no limit lasts longer than it is long.
    func rebased(to now: Moment, in bootIdentifier: BootIdentifier) -> TimeStamp {
        guard bootIdentifier != self.bootIdentifier else { return self }
        let passed = elapsed(to: now, in: bootIdentifier)
        return TimeStamp(
            wall: min(wall, now.wall), boot: now.boot.advanced(by: .milliseconds(-passed)),
            bootIdentifier: bootIdentifier)
    }
}

extension Scheduler {
    func stamp(_ now: Moment) -> TimeStamp {
        TimeStamp(wall: now.wall, boot: now.boot, bootIdentifier: bootIdentifier)
    }
}
