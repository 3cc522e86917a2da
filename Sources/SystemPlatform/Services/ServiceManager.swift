import CSystemd
import Glibc
package import Platform

/// A descriptor that the service manager opened for us.
package struct InheritedDescriptor: Sendable {
    /// `FileDescriptorName=` of the socket unit.
    package var name: String
    package var descriptor: OwnedDescriptor
}

/// Talks to the service manager that started us, if one did; without one everything here does nothing.
package enum ServiceManager {
    /// We serve from now on; also ends a reload.
    package static func ready(status: String? = nil) {
        notify(["READY=1"] + (status.map { ["STATUS=" + line($0)] } ?? []))
    }

    package static func reloading() {
        let now = SystemClock.nanoseconds(.awake) / 1000
        notify(["RELOADING=1", "MONOTONIC_USEC=\(now)"])
    }

    package static func stopping(status: String? = nil) {
        notify(["STOPPING=1"] + (status.map { ["STATUS=" + line($0)] } ?? []))
    }

    /// One line that `systemctl status` shows.
    package static func status(_ text: String) {
        notify(["STATUS=" + line(text)])
    }

    /// Takes the sockets that were passed to this process. The second call finds none, and children get none.
    package static func listenDescriptors() throws(SystemError) -> [InheritedDescriptor] {
        var names: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?
        let count = try SystemError.check(sd_listen_fds_with_names(1, &names), "take over inherited sockets")
        defer {
            if let names {
                for index in 0..<Int(count) { free(names[index]) }
                free(names)
            }
        }
        let first: Int32 = 3
        return (0..<count).map { index in
            let name = names?[Int(index)].map { String(cString: $0) } ?? ""
            return InheritedDescriptor(name: name, descriptor: OwnedDescriptor(first + index))
        }
    }

    // MARK: Private

    private static func notify(_ lines: [String]) {
        sd_notify(0, lines.joined(separator: "\n"))
    }

    /// A second line would be a message of its own.
    private static func line(_ text: String) -> String {
        String(text.map { $0.isNewline || $0 == "\0" ? " " : $0 })
    }
}
