import CLinux
import CSystemd
import Glibc
import Platform

/// How much a log line matters, the most important first.
package enum LogLevel: Int32, Sendable, CaseIterable, Comparable {
    case error = 3
    case warning = 4
    case notice = 5
    case info = 6
    case debug = 7

    package var name: String {
        switch self {
        case .error: "error"
        case .warning: "warning"
        case .notice: "notice"
        case .info: "info"
        case .debug: "debug"
        }
    }

    package static func < (left: LogLevel, right: LogLevel) -> Bool {
        left.rawValue < right.rawValue
    }
}

/// The program's own log: the journal, or one line each on standard error.
package final class SystemLog: Sendable {
    package enum Destination: Sendable {
        /// The journal when standard error leads there, else standard error.
        case automatic
        case journal
        case standardError
    }

    private let threshold: Locked<LogLevel>
    private let writesToJournal: Bool
    private let output: Int32

    package init(threshold: LogLevel = .info, destination: Destination = .automatic) {
        self.threshold = Locked(threshold)
        writesToJournal =
            switch destination {
            case .automatic: Self.standardErrorIsJournal
            case .journal: true
            case .standardError: false
            }
        output = STDERR_FILENO
    }

    /// Writes lines to a descriptor that the caller keeps open.
    package init(threshold: LogLevel, linesTo descriptor: Int32) {
        self.threshold = Locked(threshold)
        writesToJournal = false
        output = descriptor
    }

    /// Less important lines are dropped from now on.
    package func setThreshold(_ level: LogLevel) {
        threshold.withLock { $0 = level }
    }

    package func isEnabled(_ level: LogLevel) -> Bool {
        threshold.withLock { level <= $0 }
    }

    /// Fields keep what a program may want to find, apart from the sentence for people.
    package func log(_ level: LogLevel, _ message: String, fields: [String: String] = [:]) {
        guard isEnabled(level) else { return }
        if writesToJournal {
            sendToJournal(level, message, fields)
        } else {
            writeLine(level, message, fields)
        }
    }

    // MARK: Line

    /// `2026-03-01T10:00:00.000Z warning the message key=value`. What a peer wrote can neither begin a line of its own
    /// nor command a terminal.
    static func line(
        at wallMilliseconds: Int64, _ level: LogLevel, _ message: String, _ fields: [String: String]
    ) -> String {
        var line = "\(timestamp(wallMilliseconds)) \(level.name) \(escaped(message))"
        for (key, value) in fields.sorted(by: { $0.key < $1.key }) {
            let text = escaped(value)
            let isPlain = !text.isEmpty && !text.contains { $0 == " " || $0 == "\"" || $0 == "=" }
            let quoted = "\"" + String(text.map { $0 == "\"" ? ["\\", "\""] : [$0] }.joined()) + "\""
            line += " \(escaped(key))=\(isPlain ? text : quoted)"
        }
        return line + "\n"
    }

    // MARK: Private

    private func writeLine(_ level: LogLevel, _ message: String, _ fields: [String: String]) {
        var line = Self.line(at: SystemClock.milliseconds(.wall), level, message, fields)
        line.withUTF8 { bytes in
            var rest = UnsafeRawBufferPointer(bytes)
            // A log that cannot be written must not stop the program.
            while !rest.isEmpty, case .data(let count) = NonblockingIO.write(output, rest) {
                rest = UnsafeRawBufferPointer(rebasing: rest[count...])
            }
        }
    }

    private func sendToJournal(_ level: LogLevel, _ message: String, _ fields: [String: String]) {
        let entries = Self.journalEntries(level, message, fields)
        // One buffer for all, since the vectors point into it.
        var bytes = entries.flatMap(\.utf8)
        bytes.withUnsafeMutableBytes { buffer in
            var vectors: [iovec] = []
            var offset = 0
            for entry in entries {
                let length = entry.utf8.count
                vectors.append(iovec(iov_base: buffer.baseAddress.map { $0 + offset }, iov_len: length))
                offset += length
            }
            sd_journal_sendv(vectors, Int32(vectors.count))
        }
    }

    static func journalEntries(_ level: LogLevel, _ message: String, _ fields: [String: String]) -> [String] {
        ["PRIORITY=\(level.rawValue)", "MESSAGE=\(message)"]
            + fields.sorted { $0.key < $1.key }.map { "\(journalName($0.key))=\($0.value)" }
    }

    /// The journal takes capitals, digits and underscores, 64 of them. The prefix keeps clear of its own names.
    private static func journalName(_ key: String) -> String {
        let legal = key.utf8.map { byte -> Character in
            switch byte {
            case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "0")...UInt8(ascii: "9"):
                Character(UnicodeScalar(byte))
            case UInt8(ascii: "a")...UInt8(ascii: "z"): Character(UnicodeScalar(byte - 32))
            default: "_"
            }
        }
        return String(("RUNNER_" + String(legal)).prefix(64))
    }

    private static var standardErrorIsJournal: Bool {
        guard let value = getenv("JOURNAL_STREAM").map({ String(cString: $0) }) else { return false }
        var status = stat()
        guard fstat(STDERR_FILENO, &status) == 0 else { return false }
        return value == "\(status.st_dev):\(status.st_ino)"
    }

    private static func timestamp(_ wallMilliseconds: Int64) -> String {
        var seconds = time_t(wallMilliseconds / 1000)
        var parts = tm()
        gmtime_r(&seconds, &parts)
        func padded(_ number: Int32, _ width: Int = 2) -> String {
            let digits = String(number)
            return String(repeating: "0", count: max(0, width - digits.count)) + digits
        }
        return "\(padded(parts.tm_year + 1900, 4))-\(padded(parts.tm_mon + 1))-\(padded(parts.tm_mday))"
            + "T\(padded(parts.tm_hour)):\(padded(parts.tm_min)):\(padded(parts.tm_sec))"
            + ".\(padded(Int32(wallMilliseconds % 1000), 3))Z"
    }

    private static func escaped(_ text: String) -> String {
        guard text.unicodeScalars.contains(where: { $0.properties.generalCategory == .control }) else { return text }
        var result = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\n": result += "\\n"
            case "\r": result += "\\r"
            case "\t": result += "\\t"
            case _ where scalar.properties.generalCategory == .control:
                result += "\\u{" + String(scalar.value, radix: 16) + "}"
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result
    }
}
