import CLinux
import Glibc

/// The processes of the machine, as far as `/proc` shows them to us.
package enum ProcessTable {
    /// The living processes of a process group.
    package static func members(ofGroup group: Int32) -> [ProcessIdentity] {
        statuses().filter { $0.group == group }.map(\.identity)
    }

    /// A living process with its group and, where it can be read, one variable that it was started with.
    package struct Process: Hashable, Sendable {
        package var identity: ProcessIdentity
        package var group: Int32
        /// It runs no code of its own any more, but may still hold what it had open. Its variables cannot be read.
        package var isEnding: Bool
        package var value: String?
    }

    /// All living processes, in one pass over `/proc`.
    package static func all(withVariable name: String) -> [Process] {
        let prefix = Array("\(name)=".utf8)
        return statuses().map { status in
            let bytes = SmallFile.read("/proc/\(status.identity.pid)/environ", limit: 4 << 20) ?? []
            let entry = bytes.split(separator: 0).first { $0.starts(with: prefix) }
            return Process(
                identity: status.identity, group: status.group, isEnding: status.isEnding,
                value: entry.map { String(decoding: $0.dropFirst(prefix.count), as: UTF8.self) })
        }
    }

    /// Opens a process so that it can be signalled or waited for; nil when it has ended, even if its number is taken.
    package static func openPidfd(_ identity: ProcessIdentity) -> OwnedDescriptor? {
        let raw = runner_pidfd_open(identity.pid)
        guard raw >= 0 else { return nil }
        let descriptor = OwnedDescriptor(raw)
        // The number was looked up by the kernel just now: whoever has this start time is who we hold.
        guard ProcessIdentity(pid: identity.pid) == identity else { return nil }
        return descriptor
    }

    /// Signals the process behind a pidfd. False when it has ended, or may not be signalled.
    @discardableResult
    package static func signal(_ pidfd: OwnedDescriptor, _ signal: Int32) -> Bool {
        runner_pidfd_signal(pidfd.raw, signal) == 0
    }

    // MARK: Private

    private static func statuses() -> [ProcessStatus] {
        (SmallFile.names(inFolder: "/proc") ?? []).compactMap { name in
            guard let pid = Int32(name), let status = ProcessStatus(pid: pid), !status.hasEnded else { return nil }
            return status
        }
    }
}
