import Dispatch

/// Looks at something again and again.
package protocol Sampling: Sendable {
    /// It may look once more meanwhile.
    func stop()
}

/// Looks 4 times a second, in real time.
final class SamplingTimer: Sampling {
    private static let interval = DispatchTimeInterval.milliseconds(250)

    /// Dispatch's objects are safe to use from any thread; only their protocols do not say so.
    nonisolated(unsafe) private let timer: any DispatchSourceTimer

    init(_ look: @escaping @Sendable () -> Void) {
        timer = DispatchSource.makeTimerSource(queue: DispatchQueue(label: "sampling"))
        timer.setEventHandler(handler: look)
        timer.schedule(deadline: .now() + Self.interval, repeating: Self.interval, leeway: .milliseconds(50))
        timer.resume()
    }

    deinit {
        timer.cancel()
    }

    func stop() {
        timer.cancel()
    }
}
