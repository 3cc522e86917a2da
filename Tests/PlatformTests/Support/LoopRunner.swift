import Glibc
import Platform
import SystemPlatform
import Testing

/// Runs an event loop on the test's own thread until the test stops it. One that nobody stops fails the test.
func runLoop(_ setUp: (EventLoop) throws -> Void) throws {
    let loop = try EventLoop()
    try setUp(loop)
    let guardTimer = try loop.makeTimer(clock: .awake) {
        Issue.record("nothing stopped the event loop")
        loop.stop()
    }
    guardTimer.arm(atMilliseconds: SystemClock.milliseconds(.awake) + Int64(patienceMilliseconds))
    withExtendedLifetime(guardTimer) { loop.run() }
}

/// An event loop on a thread of its own, for tests that come from outside.
final class LoopOnThread: Sendable {
    let loop: EventLoop
    private let thread: NamedThread

    init(_ setUp: (EventLoop) throws -> Void = { _ in }) throws {
        loop = try EventLoop()
        try setUp(loop)
        thread = try loop.runOnOwnThread(name: "test loop")
    }

    func stop() {
        loop.stop()
        thread.join()
    }
}

/// An actor that lives on an event loop.
actor Pinned {
    let loop: EventLoop
    var values: [Int] = []

    init(_ loop: EventLoop) {
        self.loop = loop
    }

    nonisolated var unownedExecutor: UnownedSerialExecutor {
        loop.asUnownedSerialExecutor()
    }

    func append(_ value: Int) {
        values.append(value)
    }

    func appendLater(_ value: Int) {
        Task { values.append(value) }
    }

    /// For callers that are on the loop already.
    nonisolated func appendHere(_ value: Int) {
        assumeIsolated { $0.values.append(value) }
    }

    func isOnLoop() -> Bool {
        loop.isOnLoop
    }

    func threadIdentifier() -> Int32 {
        NamedThread.currentIdentifier
    }
}
