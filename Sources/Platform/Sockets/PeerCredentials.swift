import CLinux
import Glibc

/// Who called `connect` on the other side of a Unix socket, even if that process is another user's by now, or gone.
package struct PeerCredentials: Equatable, Sendable {
    package var uid: UInt32
    package var gid: UInt32
    /// For messages only; it may belong to another process already.
    package var pid: Int32
    /// The supplementary groups.
    package var groups: [UInt32]

    package init(uid: UInt32, gid: UInt32, pid: Int32, groups: [UInt32]) {
        self.uid = uid
        self.gid = gid
        self.pid = pid
        self.groups = groups
    }

    package init(of descriptor: Int32) throws(SystemError) {
        let operation = "ask who is on the other side of"
        var credentials = runner_peer_credentials()
        try SystemError.check(
            runner_peer_credentials(descriptor, &credentials), operation, path: "descriptor \(descriptor)")
        var groups: [UInt32] = []
        var capacity = 64
        while true {
            groups = [UInt32](repeating: 0, count: capacity)
            let count = groups.withUnsafeMutableBufferPointer {
                runner_peer_groups(descriptor, $0.baseAddress, Int32($0.count))
            }
            // The kernel allows 65,536 groups.
            if count == -ERANGE && capacity < 1 << 17 {
                capacity *= 8
                continue
            }
            try SystemError.check(count, operation, path: "descriptor \(descriptor)")
            groups.removeLast(capacity - Int(count))
            break
        }
        self.init(uid: credentials.uid, gid: credentials.gid, pid: credentials.pid, groups: groups)
    }

    /// Whether the peer belongs to a group, by its own or by a supplementary one.
    package func isMember(of group: UInt32) -> Bool {
        gid == group || groups.contains(group)
    }
}
