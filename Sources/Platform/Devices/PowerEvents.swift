import CLinux
import Glibc

/// The kernel's word that a power supply changed, so that nothing has to ask again and again.
package enum PowerEvents {
    /// Opens the socket; watch it for reading, `drain` it, and read the supplies again when that says so.
    package static func open() throws(SystemError) -> OwnedDescriptor {
        OwnedDescriptor(try SystemError.check(runner_uevents_open(), "listen to the kernel's device events"))
    }

    /// Takes all events that wait. Whether one of them concerned power, or some were lost.
    package static func drain(_ descriptor: Int32) -> Bool {
        NetlinkSocket.drain(descriptor, concerns: concernsPower)
    }

    /// Whether a uevent (a headline, then `KEY=value` texts, each ended by NUL) is about a power supply.
    static func concernsPower(_ message: UnsafeRawBufferPointer) -> Bool {
        let wanted: StaticString = "SUBSYSTEM=power_supply"
        return wanted.withUTF8Buffer { wanted in
            message.split(separator: 0).contains { $0.elementsEqual(wanted) }
        }
    }
}

/// Reading of netlink sockets.
enum NetlinkSocket {
    /// The kernel makes no larger messages unless it is offered more room.
    static let bufferBytes = 32 * 1024

    /// Takes all messages that wait. Whether the kernel sent one that the closure wants, or messages were lost.
    static func drain(_ descriptor: Int32, concerns: (UnsafeRawBufferPointer) -> Bool) -> Bool {
        withUnsafeTemporaryAllocation(byteCount: bufferBytes, alignment: 8) { buffer in
            var found = false
            while true {
                var fromKernel: Int32 = 0
                let count = runner_netlink_receive(descriptor, buffer.baseAddress, buffer.count, 0, &fromKernel)
                switch count {
                case 0...:
                    // Anybody may send to such a socket; only the kernel is believed.
                    guard fromKernel != 0 else { continue }
                    found = concerns(UnsafeRawBufferPointer(rebasing: buffer[..<Int(count)])) || found
                case -Int64(ENOBUFS), -Int64(EMSGSIZE): found = true
                default: return found
                }
            }
        }
    }
}
