import Glibc

/// Who a process runs as.
package struct UserCredentials: Equatable, Sendable {
    package var uid: UInt32
    package var gid: UInt32
    /// The supplementary groups.
    package var groups: [UInt32]

    package init(uid: UInt32, gid: UInt32, groups: [UInt32]) {
        self.uid = uid
        self.gid = gid
        self.groups = groups
    }
}

/// Looks up users and groups, wherever the system keeps them. It may wait for a directory service.
package enum UserDatabase {
    package struct User: Equatable, Sendable {
        package var name: String
        package var uid: UInt32
        package var gid: UInt32
        package var home: String
        package var shell: String
    }

    package static func user(named name: String) -> User? {
        lookUp(passwd()) { entry, buffer, count, result in
            getpwnam_r(name, entry, buffer, count, result)
        } read: {
            User($0)
        }
    }

    package static func user(uid: UInt32) -> User? {
        lookUp(passwd()) { entry, buffer, count, result in
            getpwuid_r(uid, entry, buffer, count, result)
        } read: {
            User($0)
        }
    }

    package static func uid(named name: String) -> UInt32? {
        user(named: name)?.uid
    }

    package static func name(ofUser uid: UInt32) -> String? {
        user(uid: uid)?.name
    }

    package static func gid(ofGroup name: String) -> UInt32? {
        lookUp(group()) { entry, buffer, count, result in
            getgrnam_r(name, entry, buffer, count, result)
        } read: {
            $0.gr_gid
        }
    }

    package static func name(ofGroup gid: UInt32) -> String? {
        lookUp(group()) { entry, buffer, count, result in
            getgrgid_r(gid, entry, buffer, count, result)
        } read: {
            String(cString: $0.gr_name)
        }
    }

    /// All groups of a user, the main one among them.
    package static func groups(of user: User) -> [UInt32] {
        var count: Int32 = 64
        while true {
            var groups = [UInt32](repeating: 0, count: Int(count))
            var found = count
            if getgrouplist(user.name, user.gid, &groups, &found) >= 0 { return Array(groups.prefix(Int(found))) }
            // The count that is needed came back; a group may be added meanwhile.
            count = max(found, count * 2)
        }
    }

    /// What a process needs to run as a user.
    package static func credentials(of user: User) -> UserCredentials {
        UserCredentials(uid: user.uid, gid: user.gid, groups: groups(of: user))
    }

    // MARK: Private

    private static func lookUp<Entry, Value>(
        _ empty: Entry,
        with call: (
            UnsafeMutablePointer<Entry>, UnsafeMutablePointer<CChar>, Int,
            UnsafeMutablePointer<UnsafeMutablePointer<Entry>?>
        ) -> Int32,
        read: (Entry) -> Value
    ) -> Value? {
        var capacity = 1024
        while capacity <= 1 << 20 {
            var entry = empty
            var found: UnsafeMutablePointer<Entry>?
            let outcome: (code: Int32, value: Value?) = withUnsafeTemporaryAllocation(
                of: CChar.self, capacity: capacity
            ) { buffer in
                guard let start = buffer.baseAddress else { return (ENOMEM, nil) }
                let code = call(&entry, start, buffer.count, &found)
                return (code, found.map { read($0.pointee) })
            }
            // Users of large groups need more room.
            guard outcome.code == ERANGE else { return outcome.value }
            capacity *= 4
        }
        return nil
    }
}

extension UserDatabase.User {
    fileprivate init(_ entry: passwd) {
        name = String(cString: entry.pw_name)
        uid = entry.pw_uid
        gid = entry.pw_gid
        home = String(cString: entry.pw_dir)
        shell = String(cString: entry.pw_shell)
    }
}
