import Glibc

/// Why a folder cannot hold sockets or state.
package struct RuntimeFolderFailure: Error, Equatable, Sendable, CustomStringConvertible {
    package enum Reason: Equatable, Sendable {
        case symbolicLink
        case notAFolder
        /// It belongs to this user instead.
        case foreignOwner(UInt32)
        /// Others may write; its mode.
        case tooOpen(UInt32)
        case system(SystemError)
    }

    package var reason: Reason
    package var path: String

    package init(_ reason: Reason, path: String) {
        self.reason = reason
        self.path = path
    }

    package var description: String {
        switch reason {
        case .symbolicLink:
            "cannot use the folder \(path): it is a symbolic link; remove it, or name the folder that it leads to"
        case .notAFolder:
            "cannot use the folder \(path): it is no folder; remove it, or choose another path"
        case .foreignOwner(let uid):
            "cannot use the folder \(path): it belongs to user \(uid); remove it, or choose another path"
        case .tooOpen(let mode):
            "cannot use the folder \(path): others may write to it (mode 0\(String(mode, radix: 8))); take that away"
        case .system(let error):
            String(describing: error)
        }
    }
}

/// Makes or checks the folders in which sockets and locks live.
package enum RuntimeFolder {
    /// Makes a folder with exactly this mode, or checks that the one that is there can be trusted: no symbolic link,
    /// owned by the owner (the caller, if none is given) or root, and writable to nobody whom the mode does not name.
    ///
    /// A folder in which everyone may make files is fine as its parent, such as `/tmp`. With `makingParents`, missing
    /// parents get the same mode.
    package static func prepare(
        path: String, mode: UInt32, owner: UInt32? = nil, makingParents: Bool = false
    ) throws(RuntimeFolderFailure) {
        let made = try make(path, mode: mode, makingParents: makingParents)
        let raw = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
        guard raw >= 0 else { throw failureOfOpening(path, code: errno) }
        let folder = OwnedDescriptor(raw)
        let wantedOwner = owner ?? geteuid()
        var status = try look(at: folder, path)
        // Whoever may write to the parent could have exchanged the folder meanwhile; ours it must still be.
        if made && status.st_uid == geteuid() {
            guard wantedOwner == geteuid() || fchown(folder.raw, wantedOwner, gid_t.max) == 0 else {
                throw RuntimeFolderFailure(.system(.last("give away the folder", path: path)), path: path)
            }
            // The umask may have taken bits away.
            guard fchmod(folder.raw, mode) == 0 else {
                throw RuntimeFolderFailure(.system(.last("set the mode of", path: path)), path: path)
            }
            status = try look(at: folder, path)
        }
        guard status.st_uid == wantedOwner || status.st_uid == 0 else {
            throw RuntimeFolderFailure(.foreignOwner(status.st_uid), path: path)
        }
        let writeBits = UInt32(0o022)
        guard UInt32(status.st_mode) & writeBits & ~mode == 0 else {
            throw RuntimeFolderFailure(.tooOpen(UInt32(status.st_mode) & 0o7777), path: path)
        }
    }

    // MARK: Private

    /// Whether the folder was made now; it is not when something has that name already.
    private static func make(
        _ path: String, mode: UInt32, makingParents: Bool
    ) throws(RuntimeFolderFailure) -> Bool {
        if mkdir(path, mode) == 0 { return true }
        let code = errno
        if code == EEXIST { return false }
        if code == ENOENT, makingParents, let slash = path.lastIndex(of: "/"), slash != path.startIndex {
            _ = try make(String(path[..<slash]), mode: mode, makingParents: true)
            return try make(path, mode: mode, makingParents: false)
        }
        throw RuntimeFolderFailure(
            .system(SystemError(code: code, operation: "make the folder", path: path)), path: path)
    }

    private static func look(at folder: OwnedDescriptor, _ path: String) throws(RuntimeFolderFailure) -> stat {
        var status = stat()
        guard fstat(folder.raw, &status) == 0 else {
            throw RuntimeFolderFailure(.system(.last("look at", path: path)), path: path)
        }
        return status
    }

    /// For a link the kernel says ENOTDIR as well, so it is looked at to say which it is.
    private static func failureOfOpening(_ path: String, code: Int32) -> RuntimeFolderFailure {
        var status = stat()
        if code == ELOOP || code == ENOTDIR, lstat(path, &status) == 0 {
            let isLink = status.st_mode & S_IFMT == S_IFLNK
            return RuntimeFolderFailure(isLink ? .symbolicLink : .notAFolder, path: path)
        }
        return RuntimeFolderFailure(
            .system(SystemError(code: code, operation: "open the folder", path: path)), path: path)
    }
}
