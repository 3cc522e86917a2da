import Glibc

/// What a file is and who may change it.
package struct FileStatus: Hashable, Sendable {
    package enum Kind: Hashable, Sendable {
        case regular
        case folder
        case link
        case other
    }

    package var kind: Kind
    /// The permission bits, with the sticky bit.
    package var mode: UInt32
    package var owner: UInt32
    package var group: UInt32
    package var size: UInt64
    /// When it was changed, in nanoseconds as the file system tells them; only compared.
    package var modified: UInt64

    /// Looks at the path itself, without following a link; `nil` when it cannot be looked at.
    package init?(ofLinkOrFile path: String) {
        var status = stat()
        guard lstat(path, &status) == 0 else { return nil }
        self.init(status)
    }

    /// Looks at what the path leads to.
    package init?(of path: String) {
        var status = stat()
        guard stat(path, &status) == 0 else { return nil }
        self.init(status)
    }

    package var isExecutable: Bool { kind == .regular && mode & 0o111 != 0 }

    private init(_ status: stat) {
        switch status.st_mode & S_IFMT {
        case S_IFREG: kind = .regular
        case S_IFDIR: kind = .folder
        case S_IFLNK: kind = .link
        default: kind = .other
        }
        mode = UInt32(status.st_mode) & 0o7777
        owner = status.st_uid
        group = status.st_gid
        size = UInt64(max(0, status.st_size))
        modified = UInt64(bitPattern: Int64(status.st_mtim.tv_sec) &* 1_000_000_000 &+ Int64(status.st_mtim.tv_nsec))
    }
}
