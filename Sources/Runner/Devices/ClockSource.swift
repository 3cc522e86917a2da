import Platform
package import Scheduling
package import SystemPlatform

/// Jumps of the wall clock and the UTC offset, as events (B41).
package final class ClockSource: DeviceSource {
    private static let noticeable: Int64 = 500
    private let loop: EventLoop
    private var offsetSeconds: Int?
    private var difference: Int64 = 0
    /// Who is told; the loop's own watch stays when nobody is.
    private var report: ((Event) -> Void)?
    private var isWatching = false
    /// Comes due when summer time begins or ends.
    private var offsetChange: LoopTimer?

    package init(on loop: EventLoop) {
        self.loop = loop
    }

    package func start(report: @escaping (Event) -> Void) throws {
        let now = SystemClock.now()
        difference = now.wall - now.boot
        offsetSeconds = SystemClock.utcOffsetSeconds(at: now.wall)
        if !isWatching {
            try loop.onClockJump { [weak self] in self?.read() }
            isWatching = true
        }
        self.report = report
        offsetChange = try loop.makeTimer(clock: .wall) { [weak self] in self?.readOffset(at: SystemClock.now().wall) }
        awaitOffsetChange(after: now.wall)
    }

    package func stop() {
        report = nil
        offsetChange = nil
    }

    private func read() {
        guard let report else { return }
        let now = SystemClock.now()
        let jump = now.wall - now.boot - difference
        difference += jump
        // Corrections that nobody notices come as jumps too; floors are looked at again either way.
        report(abs(jump) < Self.noticeable ? .timePassed : .clockJumped(milliseconds: jump))
        readOffset(at: now.wall)
    }

    private func readOffset(at wall: Int64) {
        awaitOffsetChange(after: wall)
        let offset = SystemClock.utcOffsetSeconds(at: wall)
        guard let report, offset != offsetSeconds else { return }
        offsetSeconds = offset
        report(.utcOffsetChanged(seconds: offset))
    }

    private func awaitOffsetChange(after wall: Int64) {
        if let next = SystemClock.nextUTCOffsetChange(after: wall) { offsetChange?.arm(atMilliseconds: next) }
    }
}
