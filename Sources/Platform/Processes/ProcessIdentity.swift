import Glibc

/// A process that is told from any later one with the same number, as long as the machine runs.
package struct ProcessIdentity: Hashable, Sendable {
    package var pid: Int32
    /// In clock ticks since the machine started.
    package var startTime: UInt64

    package init(pid: Int32, startTime: UInt64) {
        self.pid = pid
        self.startTime = startTime
    }

    /// The number of this process. Read once: nothing of ours goes on in a fork.
    package static let current: Int32 = getpid()

    /// The process that has a number now; nil when none has, or it has ended and waits to be reaped.
    package init?(pid: Int32) {
        guard let status = ProcessStatus(pid: pid), !status.hasEnded else { return nil }
        self = status.identity
    }
}

/// What `/proc/PID/stat` says.
struct ProcessStatus: Equatable {
    var identity: ProcessIdentity
    var state: UInt8
    var group: Int32
    private var flags: UInt32

    private static let isExitingFlag: UInt32 = 0x4

    init?(pid: Int32) {
        guard let bytes = SmallFile.read("/proc/\(pid)/stat", limit: 4096) else { return nil }
        self.init(bytes)
    }

    init?(_ bytes: [UInt8]) {
        // The second field is a name in parentheses that may hold spaces and parentheses of its own.
        guard let open = bytes.firstIndex(of: UInt8(ascii: "(")), let close = bytes.lastIndex(of: UInt8(ascii: ")")),
            open < close
        else { return nil }
        let fields = bytes[(close + 1)...].split(separator: UInt8(ascii: " "))
        func number<Number: FixedWidthInteger>(_ field: ArraySlice<UInt8>) -> Number? {
            Number(String(decoding: field, as: UTF8.self).filter { !$0.isNewline })
        }
        // Counted from the third field of the line, which comes first here.
        guard fields.count > 19, let state = fields[0].first, let group: Int32 = number(fields[2]),
            let flags: UInt32 = number(fields[6]), let start: UInt64 = number(fields[19]),
            let pid: Int32 = number(bytes[..<open].filter { $0 != 0x20 }[...])
        else { return nil }
        self.state = state
        self.group = group
        self.flags = flags
        identity = ProcessIdentity(pid: pid, startTime: start)
    }

    /// It is giving back what it had, and runs no code of its own any more (PF_EXITING).
    var isEnding: Bool {
        flags & Self.isExitingFlag != 0
    }

    /// It has given everything back and only waits to be reaped.
    var hasEnded: Bool {
        state == UInt8(ascii: "Z") || state == UInt8(ascii: "X")
    }
}
