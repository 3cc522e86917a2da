import Foundation
import Testing

@testable import os

@Suite("The os shim")
struct LogTests {
    @Test(
        "a line of os_log has its values in their places, whatever stands between",
        arguments: [
            ("plain", [] as [any Sendable], "plain"),
            ("%@ of %d", ["one", 2], "one of 2"),
            ("%{public}@ %{private}s!", ["seen", "unseen"], "seen <private>!"),
            ("%5.2f|%ld|%04x", [3.14159, 7, 255], " 3.14|7|00ff"),
            ("100%% of %@", ["it"], "100% of it"),
            ("%@ and %@", ["one"], "one and (no value)"),
            ("ends with %", [], "ends with (no value)"),
        ])
    func formats(format: String, values: [any Sendable], text: String) {
        #expect(FormattedLine.text(format, values) == text)
    }

    @Test("values of a message are shown, but for those that are private")
    func privacy() {
        let message: OSLogMessage = "\(1) \("two", privacy: .public) \("three", privacy: .private) \([4])"
        #expect(message.text == "1 two <private> [4]")
    }

    @Test("code compiles that logs in each of the usual ways, and a disabled log says nothing")
    func compiles() {
        let logger = Logger(subsystem: "com.example", category: "test")
        let number = 3
        logger.debug("debug \(number)")
        logger.log(level: .error, "error \(number, privacy: .public)")
        Logger().trace("trace")
        let log = OSLog(subsystem: "com.example", category: "test")
        os_log("plain")
        os_log("with %d", log: log, type: .info, number)
        os_log(.debug, log: log, "with \(number)")
        #expect(log.isEnabled(type: .debug))
        #expect(!OSLog.disabled.isEnabled(type: .fault))
    }

    @Test("the lock guards its value from any thread")
    func lock() async {
        let count = OSAllocatedUnfairLock(initialState: 0)
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<8 { group.addTask { for _ in 0..<1_000 { count.withLock { $0 += 1 } } } }
        }
        #expect(count.withLock { $0 } == 8_000)
        #expect(count.withLockIfAvailable { $0 } == 8_000)
        let plain = OSAllocatedUnfairLock()
        plain.lock()
        #expect(!plain.lockIfAvailable())
        plain.unlock()
        let unchecked = OSAllocatedUnfairLock(uncheckedState: NSMutableArray())
        unchecked.withLockUnchecked { $0.add(1) }
        #expect(unchecked.withLockUnchecked { $0.count } == 1)
    }
}
